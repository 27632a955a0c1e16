import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { absolutePath } from '../../config/directories.ts';
import { ToolcribError } from '../../errors.ts';
import { listenHost } from '../options/listen-host.ts';
import { portNumber } from '../options/port-number.ts';
import { reference, withSourceOptions } from '../options/source-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { StartOptions } from './start.ts';

/** `start`, which is also what the program does without a command. */
export function addStart(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  const start = program
    .command('start')
    .argument('[documents...]', 'OpenAPI documents; without any it looks around and asks')
    .description('look around, ask what to serve, serve it, and offer the console and a client')
    .option('-p, --port <number>', 'default 8787; 0 takes a free one', portNumber)
    .option(
      '--host <address>',
      'default 127.0.0.1; any other than loopback needs a token, or auth.mode team',
      listenHost,
    )
    .option('--token <secret>', 'bearer token that callers must send: env:NAME or file:PATH', reference)
    .option('--no-watch', 'do not compile again when a document changes')
    .option('--open', 'open the console in the browser without asking')
    .option('-y, --yes', 'ask nothing: every question is answered with its default');
  withSourceOptions(start, 'arguments').action(async (documents: string[], options: StartOptions) => {
    const command = documents.find((word) => program.commands.some((one) => one.name() === word));
    if (command !== undefined && !existsSync(absolutePath(command, terminal.cwd, terminal.env))) {
      throw new ToolcribError('usage', `"${command}" is a command: it stands first, its options behind it.`, {
        next: `Write \`toolcrib ${command} …\`; see \`toolcrib ${command} --help\`.`,
      });
    }
    const { start: run } = await import('./start.ts');
    done(await run(documents, options, terminal));
  });
}
