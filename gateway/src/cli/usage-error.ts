import type { Command } from 'commander';
import { ToolcribError } from '../errors.ts';

/** What commander complains about, as our own error that names the help to read; undefined when it only printed help. */
export function usageError(error: unknown, program: Command, words: readonly string[]): unknown {
  if (!(error instanceof Error) || !('exitCode' in error) || !('code' in error)) return error;
  if (!String(error.code).startsWith('commander.')) return error;
  if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
  const message = withoutSecrets(error.message.replace(/^error: /, '')).replace(/([^.)?])$/, '$1.');
  const next = `See \`${[program.name(), ...commandWords(program, words)].join(' ')} --help\`.`;
  return new ToolcribError('usage', message.replaceAll(/\s*\n/g, ' '), { next });
}

/** Options that take a secret by reference: what was written in its place may be the secret itself. */
const SECRET_OPTION =
  /^(option '[^']*--(?:api-key|auth|credentials|header|key|token)\b[^']*') argument '.*' is invalid\. /s;

/** A complaint that does not repeat what may be a secret: standard error is often kept in a log. */
function withoutSecrets(message: string): string {
  return message.replace(SECRET_OPTION, '$1: ').replace(/^(unknown option '--[^'=]*)=.*'/s, "$1'");
}

/** The leading words that name a command, e.g. `user add`. */
function commandWords(program: Command, words: readonly string[]): string[] {
  const [word, ...rest] = words;
  const command = program.commands.find((one) => word === one.name() || one.aliases().includes(word ?? ''));
  return command === undefined ? [] : [command.name(), ...commandWords(command, rest)];
}
