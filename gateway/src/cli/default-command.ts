import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { absolutePath } from '../config/directories.ts';
import type { Terminal } from './terminal/terminal.ts';

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);
/** Words that the program itself answers. */
const OWN: ReadonlySet<string> = new Set([...HELP, '--version', '-V']);

/**
 * Without a command the program starts: with nothing, with options, or with documents; with --stdio it serves. Any other
 * word stays what it is.
 */
export function withDefaultCommand(
  argv: readonly string[],
  program: Command,
  terminal: Terminal,
): readonly string[] {
  const { cwd, env } = terminal;
  const [first, ...rest] = argv;
  if (first === undefined) return ['start'];
  // asked before the word that it is about
  if (HELP.has(first) && rest[0]?.startsWith('-') === false)
    return withDefaultCommand([...rest, first], program, terminal);
  if (OWN.has(first) || program.commands.some((one) => one.name() === first || one.aliases().includes(first)))
    return argv;
  const starts =
    first.startsWith('-') ||
    /^https?:\/\//i.test(first) ||
    /\.(json|ya?ml)$/i.test(first) ||
    (/[\\/]/.test(first) && existsSync(absolutePath(first, cwd, env)));
  // with --stdio it is a client that starts it, as it does most servers
  return starts ? [argv.includes('--stdio') ? 'serve' : 'start', ...argv] : argv;
}
