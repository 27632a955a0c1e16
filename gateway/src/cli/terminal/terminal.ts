import { text as readAll } from 'node:stream/consumers';
import { styleText } from 'node:util';
import type { Environment } from '../../config/index.ts';
import { ERRORS, ToolcribError } from '../../errors.ts';
import { readLines } from './read-lines.ts';
import type { TerminalChoice } from './terminal-choice.ts';

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
  /** Somebody holds standard output and has not read for long: what is not needed is left out. */
  isUnread?(): boolean;
  /** What a server does where standard output can no longer be written; without it the process ends there. */
  whenLost?(then: (error: NodeJS.ErrnoException) => void): void;
  /** Ends the process a little later, where it would wait for somebody to read what was written. */
  leave?(): void;
  readInput(): Promise<string>;
  /** Asks a yes-or-no question; undefined when the person breaks off. Only where `interactive`. */
  confirm(question: string): Promise<boolean | undefined>;
  /** Asks for one of these keys; undefined when the person breaks off or the signal aborts. Only where `interactive`. */
  choose?(question: string, keys: readonly string[], signal?: AbortSignal): Promise<string | undefined>;
  /** Asks which of several; undefined when the person breaks off. Only where `interactive`. */
  select?(question: string, choices: readonly TerminalChoice[], initial: string): Promise<string | undefined>;
  /** A yes-or-no question that tells a no from breaking off (undefined). Only where `interactive`. */
  agree?(question: string, initial: boolean): Promise<boolean | undefined>;
  /** Asks for a line, with a text to begin with. Only where `interactive`. */
  line?(question: string, initial: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Lines that a person writes while something else goes on; ended by what it returns. Only where `interactive`. */
  lines?(onLine: (line: string) => void): () => void;
}

/** So long somebody may take to read the end of what a server wrote, milliseconds. */
const LEAVE_MS = 5000;

/** Bytes that may wait for whoever reads standard output. */
const MAX_UNREAD = 1024 * 1024;

/** The terminal of this process. Colour by NO_COLOR (no-color.org) and TERM. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  let lost = leave;
  stdout.on('error', (error) => lost(error));
  // whoever does not listen to it misses nothing else
  stderr.on('error', () => undefined);
  return {
    env,
    cwd: workingDirectory(),
    platform: process.platform,
    live: stdout.isTTY === true,
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    colour: stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    out: (line) => void stdout.write(`${line}\n`),
    write: (text) => void stdout.write(text),
    note: (line) => void stderr.write(`${line}\n`),
    isUnread: () => stdout.writableLength > MAX_UNREAD,
    whenLost: (then) => {
      lost = then;
    },
    leave: () => void setTimeout(() => process.exit(), LEAVE_MS).unref(),
    readInput: () => readAll(stdin),
    confirm: async (question) => (await import('./ask-person.ts')).agree(question, true),
    choose: async (...asked) => (await import('./ask-person.ts')).chooseKey(...asked),
    select: async (question, choices, initial) =>
      (await import('./ask-person.ts')).chooseOne(question, choices, initial),
    agree: async (question, initial) => (await import('./ask-person.ts')).agree(question, initial),
    lines: readLines,
    line: async (...asked) => (await import('./ask-person.ts')).readLine(...asked),
  };
}

/** `toolcrib tools | head` is no fault; an output that takes no more, such as a full disk, is told at once. */
function leave(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  giveUp(new ToolcribError('file_unusable', `Standard output cannot be written: ${error.message}.`));
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const next = 'Go to a folder that is there, and run the command again.';
    giveUp(new ToolcribError('source_unreadable', 'The folder that this runs in is gone.', { next }));
  }
}

/** Without a terminal nothing can be reported the usual way. */
function giveUp({ code, message, next }: ToolcribError): never {
  process.stderr.write(`error ${code}: ${message}\n  next: ${next}\n`);
  process.exit(ERRORS[code].exit);
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
