import { type Command, InvalidArgumentError } from 'commander';
import { trimEndOf } from '../../../operations/text/trim-runs.ts';
import { reference } from '../../options/source-options.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { ChatCommandOptions } from './chat.ts';

/** `toolcrib chat`: the configured model with the tools of a configuration. */
export function addChat(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  program
    .command('chat')
    .argument('[prompt...]', 'what to ask; without one a session, or standard input')
    .description('ask the configured model, which calls the tools it needs')
    .option('--skill <name>', 'the skill to work with')
    .option('--model <name>', 'in place of the configured one')
    .option(
      '--base-url <url>',
      'another OpenAI-compatible endpoint, which the configured key is not sent to',
      url,
    )
    .option('--api-key <secret>', 'its key: env:NAME or file:PATH', reference)
    .option('--max-rounds <number>', 'answers with tools; at most as configured', rounds)
    .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
    .option('--topology <name>', 'how operations become tools')
    .option('--state-dir <folder>', 'where cache, artifacts and locks of plain documents lie')
    .option('--json', 'print every event as one line of JSON')
    .action(async (words: string[], options: ChatCommandOptions) => {
      const { chat } = await import('./chat.ts');
      done(await chat(words.join(' '), options, terminal));
    });
}

function url(value: string): string {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return trimEndOf(value, '/');
  throw new InvalidArgumentError('Use an http or https URL, e.g. http://127.0.0.1:11434/v1.');
}

function rounds(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= 100) return count;
  throw new InvalidArgumentError('Use a number from 1 to 100.');
}
