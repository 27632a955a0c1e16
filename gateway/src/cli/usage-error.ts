import type { Command } from 'commander';
import { ERRORS, isToolcribError, ToolcribError } from '../errors.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import { printable } from '../operations/text/printable.ts';

/**
 * What commander complains about, as our own error, and one of ours that has no better advice: both name the help to
 * read. Undefined when it only printed help.
 */
export function usageError(error: unknown, program: Command, words: readonly string[]): unknown {
  const { command, names, rest } = commandIn(program, words);
  const next = `See \`${[program.name(), ...names].join(' ')} --help\`.`;
  if (isToolcribError(error) && error.code === 'usage' && error.next === ERRORS.usage.next)
    return new ToolcribError('usage', error.message, {
      ...(error.location === undefined ? {} : { location: error.location }),
      cause: error.cause,
      next,
    });
  if (!(error instanceof Error) || !('exitCode' in error) || !('code' in error)) return error;
  if (!String(error.code).startsWith('commander.')) return error;
  if (error.exitCode === 0) return undefined;
  const said =
    missingCommand(error.code, command) ??
    unknownVerb(error.code, command, rest[0]) ??
    documentGiven(error.code, command, [program.name(), ...names]) ??
    error.message.replace(/^error: /, '');
  const message = withoutSecrets(said).replace(/([^.)?])$/, '$1.');
  return new ToolcribError('usage', message.replaceAll(/\s*\n/g, ' '), { next });
}

/** Options that take a secret by reference: what was written in its place may be the secret itself. */
const SECRET_OPTION =
  /^(option '[^']*--(?:api-key|auth|credentials|header|key|token)\b[^']*') argument '.*' is invalid\. /s;

/** A complaint that does not repeat what may be a secret: standard error is often kept in a log. */
function withoutSecrets(message: string): string {
  return message.replace(SECRET_OPTION, '$1: ').replace(/^(unknown option '--[^'=]*)=.*'/s, "$1'");
}

/** Whoever asks for help gets it on standard output; a group named alone is no such question. */
function missingCommand(code: unknown, { commands }: Command): string | undefined {
  if (code !== 'commander.help') return undefined;
  return `a command is missing: ${commands.map((one) => one.name()).join(', ')}.`;
}

/** A group that does something where it is named alone takes a word that is no verb of it as an argument of that. */
function unknownVerb(code: unknown, { commands }: Command, word: string | undefined): string | undefined {
  const isUnknown = code === 'commander.excessArguments' || code === 'commander.unknownCommand';
  if (!isUnknown || commands.length === 0 || word?.startsWith('-') !== false) return undefined;
  return unknownWords(word, commands);
}

/** `compile` and `serve` take documents as they are; whoever writes the same behind another command means `--spec`. */
function documentGiven(code: unknown, command: Command, names: readonly string[]): string | undefined {
  if (code !== 'commander.excessArguments') return undefined;
  const document = command.args.find((word) => /^https?:\/\/|\.(?:json|ya?ml)$/i.test(word));
  if (document === undefined || !command.options.some(({ long }) => long === '--spec')) return undefined;
  return `too many arguments for '${command.name()}'. A document is named by --spec: \`${names.join(' ')} --spec ${printable(document, 200)}\`.`;
}

/** A word that none of a group's commands is called. */
export function unknownCommand(word: string, { commands }: Command): ToolcribError {
  return new ToolcribError('usage', unknownWords(word, commands));
}

function unknownWords(word: string, commands: Command['commands']): string {
  const names = commands.map((one) => one.name());
  return `unknown command '${printable(word, 64)}'.${didYouMean(word, names)}`;
}

/** The command that the leading words name, e.g. `user add`, and the words after it. */
function commandIn(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly names: readonly string[]; readonly rest: readonly string[] } {
  const [word, ...rest] = words;
  const found = program.commands.find((one) => word === one.name() || one.aliases().includes(word ?? ''));
  if (found === undefined) return { command: program, names: [], rest: words };
  const { command, names, rest: left } = commandIn(found, rest);
  return { command, names: [found.name(), ...names], rest: left };
}
