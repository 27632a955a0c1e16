import { type Command, InvalidArgumentError } from 'commander';
import type { SourceOptions } from '../options/source-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ArtifactOptions } from './artifacts.ts';
import type { EventsOptions } from './events.ts';

type Done = (exit: number) => void;

/** `events` and `artifacts`: what calls left behind, read from the store itself. */
export function addRecords(program: Command, terminal: Terminal, done: Done): void {
  addEvents(program, terminal, done);
  addArtifacts(program, terminal, done);
}

const withStore = (command: Command): Command =>
  command
    .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
    .option('--state-dir <folder>', 'where the default store lies')
    .option('--json', 'print JSON');

function addEvents(program: Command, terminal: Terminal, done: Done): void {
  withStore(program.command('events').description('show what happened: calls, approvals, sources, webhooks'))
    .option('-f, --follow', 'go on with what comes; with --json one event a line')
    .option('-n, --limit <number>', 'how many of the newest (default: 50)', positive)
    .option('--after <sequence>', 'only later ones', whole)
    .option('--type <types>', 'one type, or several with commas between')
    .option('--tool <name>', 'of one tool')
    .option('--source <name>', 'of one source')
    .option('--principal <id>', 'of one user')
    .option('--call <id>', 'one call')
    .option('--run <id>', 'what several calls belong to')
    .option('--as-run', 'TOOL_CALL_STARTED and so on')
    .option('--webhooks', 'how far each webhook has come instead')
    .action(async (options: EventsOptions) => {
      const { events } = await import('./events.ts');
      done(await events(options, terminal));
    });
}

function addArtifacts(program: Command, terminal: Terminal, done: Done): void {
  const artifacts = program
    .command('artifacts')
    .description('look at stored full outputs')
    .helpCommand(false);
  withStore(artifacts.command('list', { isDefault: true }).description('the newest first'))
    .option('-n, --limit <number>', 'how many (default: 50)', positive)
    .action(async (options: ArtifactOptions) => {
      const { listArtifacts } = await import('./artifacts.ts');
      done(await listArtifacts(options, terminal));
    });
  withStore(artifacts.command('get').description('write one into a file'))
    .argument('<id>', 'id or toolcrib:// URI')
    .option('-o, --out <file>', 'default: its own name in this folder; nothing is overwritten')
    .action(async (id: string, options: ArtifactOptions) => {
      const { getArtifact } = await import('./artifacts.ts');
      done(await getArtifact(id, options, terminal));
    });
  withStore(artifacts.command('remove').description('remove some'))
    .argument('<ids...>', 'ids or toolcrib:// URIs')
    .action(async (ids: string[], options: SourceOptions) => {
      const { removeArtifacts } = await import('./artifacts.ts');
      done(await removeArtifacts(ids, options, terminal));
    });
}

function whole(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number.');
}

function positive(text: string): number {
  const value = whole(text);
  if (value >= 1) return value;
  throw new InvalidArgumentError('Use a number from 1.');
}
