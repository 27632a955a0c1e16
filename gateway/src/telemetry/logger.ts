import type { Logger as PinoLogger } from 'pino';
import { isToolcribError, type ToolcribError } from '../errors.ts';
import { printable } from '../operations/text/printable.ts';
import type { Redactor } from './redactor.ts';

export type LoggerLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Diagnostics of the process itself, on standard error: standard output belongs to MCP in stdio mode. */
export interface Logger {
  readonly error: LogLine;
  readonly warn: LogLine;
  readonly info: LogLine;
  readonly debug: LogLine;
  /** Resolves when everything logged so far is written. */
  flush(): Promise<void>;
}

/** `log('what happened')` or, with facts about it, `log({ source, err }, 'what happened')`. */
export interface LogLine {
  (message: string): void;
  (fields: LogFields, message: string): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

export interface LoggerOptions {
  readonly level?: LoggerLevel;
  /** Readable lines instead of JSON. */
  readonly pretty?: boolean;
  /** Takes secrets out of messages and fields. */
  readonly redactor?: Pick<Redactor, 'redact'>;
  /** Default: file descriptor 2. */
  readonly write?: (line: string) => void;
}

const RANKS: Readonly<Record<LoggerLevel, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

type Level = Exclude<LoggerLevel, 'silent'>;

/** Nothing is loaded before the first line that the level lets through. */
export function createLogger({
  level = 'info',
  pretty = false,
  redactor = { redact: (payload) => payload },
  write = (line) => void process.stderr.write(line),
}: LoggerOptions = {}): Logger {
  let written: Promise<unknown> = Promise.resolve();
  let pino: Promise<PinoLogger> | undefined;

  const log =
    (at: Level): LogLine =>
    (first: string | LogFields, second?: string) => {
      if (RANKS[at] > RANKS[level]) return;
      const [fields, message] = typeof first === 'string' ? [{}, first] : [first, second ?? ''];
      const time = new Date();
      const clean = redactor.redact({ message, fields });
      if (pretty) return write(prettyLine(time, at, clean.message, clean.fields));
      pino ??= createPino(level, write);
      const target = pino;
      const told = { time: time.toISOString(), ...serializable(clean.fields) };
      written = written.then(async () => {
        try {
          (await target)[at](told, clean.message);
        } catch {
          // it cannot be loaded, as without a free file descriptor: the line goes out, the next one tries again
          if (pino === target) pino = undefined;
          const line = { level: at, ...told, msg: clean.message };
          write(`${json(line) ?? json({ level: at, time: told.time, msg: clean.message })}\n`);
        }
      });
    };

  return {
    error: log('error'),
    warn: log('warn'),
    info: log('info'),
    debug: log('debug'),
    flush: async () => void (await written),
  };
}

async function createPino(level: LoggerLevel, write: (line: string) => void): Promise<PinoLogger> {
  const { pino } = await import('pino');
  const options = {
    level,
    base: null,
    timestamp: false,
    // Errors arrive described, so that their causes stay apart.
    serializers: { err: (value: unknown) => value },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, { write });
}

/** `12:30:01.123 WARN  message key=value`, one line each, a fault's stack below it. Nothing in it steers a terminal. */
function prettyLine(time: Date, level: Level, message: string, fields: LogFields): string {
  const rest = Object.entries(serializable(fields)).map(([key, value]) => ` ${key}=${inline(value)}`);
  const stacks = Object.values(fields).filter((value) => value instanceof Error && isFault(value));
  const lines = [
    `${time.toISOString().slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${message}${rest.join('')}`,
  ];
  const below = stacks.flatMap((error) => String((error as Error).stack ?? '').split('\n'));
  return `${[...lines, ...below].map((line) => printable(line)).join('\n')}\n`;
}

function inline(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
  const error = value as { message?: unknown; location?: unknown; pointer?: unknown } | null;
  if (error !== null && typeof error === 'object' && 'name' in error && 'message' in error) {
    const place = [error.location, error.pointer].filter((part) => typeof part === 'string').join(' ');
    return JSON.stringify(place === '' ? String(error.message) : `${error.message} (at ${place})`);
  }
  return value === undefined ? 'undefined' : (json(value) ?? '(cannot be shown)');
}

/** Undefined for what JSON cannot hold, such as a circle or a bigint: no reason to lose the line, or to throw. */
function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Errors with what JSON would lose of them, whatever their key. */
function serializable(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, describe(value, 0, true)]));
}

/** `traced`: with the stack, unless the error needs none; its causes then have none either. */
function describe(value: unknown, depth: number, traced: boolean): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error) || depth > 5) return value;
  const { name, message, stack, cause } = value;
  const code = (value as { code?: unknown }).code;
  const tracedHere = traced && isFault(value);
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(isToolcribError(value) && !isFault(value) ? adviceOf(value) : {}),
    ...(tracedHere ? { stack } : {}),
    ...(cause === undefined ? {} : { cause: describe(cause, depth + 1, tracedHere) }),
  };
}

/** What to do next, and where: advice that says “at the place named” has to name it. */
function adviceOf({ location, pointer, next }: ToolcribError): Record<string, string> {
  return {
    ...(location === undefined ? {} : { location }),
    ...(pointer === undefined ? {} : { pointer }),
    next,
  };
}

/** Something of ours that is broken. Other errors are told by their message and what to do next. */
function isFault(error: Error): boolean {
  return !isToolcribError(error) || error.code === 'internal';
}
