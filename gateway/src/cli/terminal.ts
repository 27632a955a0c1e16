import { text as readAll } from 'node:stream/consumers';
import { styleText } from 'node:util';
import type { Environment } from '../config/index.ts';

/** Everything a command has of the outside world, so that a test can give it another. */
export interface Terminal {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** Standard output is a terminal: progress and event lines make sense. */
  readonly live: boolean;
  /** A person can be asked: standard input and standard error are terminals. */
  readonly interactive: boolean;
  readonly colour: boolean;
  /** One line to standard output. */
  out(line: string): void;
  /** Part of a line to standard output, at once. */
  write?(text: string): void;
  /** One line to standard error. */
  note(line: string): void;
  readInput(): Promise<string>;
  /** Asks a yes-or-no question; only where `interactive`. */
  confirm(question: string): Promise<boolean>;
  /** Asks for one of these keys; undefined when the person breaks off. Only where `interactive`. */
  choose?(question: string, keys: readonly string[]): Promise<string | undefined>;
  /** Asks which of several; undefined when the person breaks off. Only where `interactive`. */
  select?(question: string, choices: readonly TerminalChoice[], initial: string): Promise<string | undefined>;
  /** A yes-or-no question that tells a no from breaking off (undefined). Only where `interactive`. */
  agree?(question: string, initial: boolean): Promise<boolean | undefined>;
  /** Asks for a line, with a text to begin with. Only where `interactive`. */
  line?(question: string, initial: string): Promise<string | undefined>;
}

export interface TerminalChoice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** The terminal of this process. Colour by NO_COLOR (no-color.org) and TERM. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', leaveWhenReaderIsGone);
  return {
    env,
    cwd: process.cwd(),
    platform: process.platform,
    live: stdout.isTTY === true,
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    colour: stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    out: (line) => void stdout.write(`${line}\n`),
    write: (text) => void stdout.write(text),
    note: (line) => void stderr.write(`${line}\n`),
    readInput: () => readAll(stdin),
    confirm: async (message) => {
      const { confirm } = await import('@clack/prompts');
      return (await confirm({ message, initialValue: true, output: stderr })) === true;
    },
    choose: async (question, keys) => (await import('./ask-person.ts')).chooseKey(question, keys),
    select: async (question, choices, initial) =>
      (await import('./ask-person.ts')).chooseOne(question, choices, initial),
    agree: async (question, initial) => (await import('./ask-person.ts')).agree(question, initial),
    line: async (question, initial) => (await import('./ask-person.ts')).readLine(question, initial),
  };
}

/** `toolcrib tools | head` is no fault. */
function leaveWhenReaderIsGone(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

export type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

/** Colours text where the terminal shows colours. */
export function painter(terminal: Terminal): Paint {
  return terminal.colour
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text;
}

/** Pretty JSON for people and programs alike. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
