import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { endProcess, hasExited, type ProcessCommand, signalGroup } from '../../sandbox/index.ts';
import { createPace } from '../pace.ts';
import type { OpenedTransport, TransportFault } from '../transports/transport.ts';
import { UnsentError } from '../transports/unsent.ts';
import { lastWrote } from './last-words.ts';
import { createLineBuffer } from './line-buffer.ts';
import { createStderrTail } from './stderr-tail.ts';
import { createMessageReader } from './stdio-messages.ts';

export interface StdioProcessOptions {
  /** Values that never appear in the tail of stderr. */
  readonly secrets?: readonly string[];
  /** What else is taken out of it. */
  readonly redact?: (text: string) => string;
  /** Longest message in bytes; default 32 MiB. */
  readonly maxLineBytes?: number;
}

const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Milliseconds in which a process that left may still be heard. */
const DRAIN_MS = 100;
/** Bytes that wait for a server that does not read. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** The transport to a process of our own: JSON-RPC in lines over stdin and stdout, without a shell, in its own process group. */
export function openStdioProcess(
  command: ProcessCommand,
  options: StdioProcessOptions = {},
): OpenedTransport {
  const transport = new StdioProcess(command, options);
  return {
    transport,
    pid: () => transport.pid,
    // one with a fault is being ended already, at once
    kill: () => transport.close(),
    killNow: () => transport.killNow(),
    stderrTail: () => transport.tail.text(),
    get strayLines() {
      return { count: transport.reader.strayLines, last: transport.stray.text().split('\n').at(-1) ?? '' };
    },
    fault: () => transport.fault,
  };
}

/** Messages that are written together. */
interface Batch {
  size: number;
}

class StdioProcess implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  /** With `pid`, what the SDK knows a stdio transport by. */
  readonly stderr = null;
  fault: TransportFault | undefined;
  readonly tail: ReturnType<typeof createStderrTail>;
  /** The lines on stdout that are no messages. */
  readonly stray: ReturnType<typeof createStderrTail>;
  readonly reader = createMessageReader();
  readonly #command: ProcessCommand;
  readonly #maxLineBytes: number;
  #child: ChildProcessWithoutNullStreams | undefined;
  #ending: Promise<void> | undefined;
  #closed = false;
  #batch: Batch | undefined;
  /** Requests without an answer; those that were given up stay in it. */
  #unanswered = 0;

  constructor(command: ProcessCommand, options: StdioProcessOptions) {
    this.#command = command;
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
    this.tail = createStderrTail(options.secrets ?? [], options.redact);
    this.stray = createStderrTail(options.secrets ?? [], options.redact);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const { command, args, env, cwd, verbatim = false } = this.#command;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env: { ...env },
        ...(cwd === undefined ? {} : { cwd }),
        stdio: ['pipe', 'pipe', 'pipe'],
        shell: false,
        windowsVerbatimArguments: verbatim,
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      this.#child = child;
      child.once('spawn', resolve);
      child.once('error', (error) => {
        const { code } = error as NodeJS.ErrnoException;
        const unrunnable = code === 'EACCES' ? 'it is not executable' : error.message;
        const why = code === 'ENOENT' ? missingPart(cwd) : unrunnable;
        this.#fail({ kind: 'exit', message: `The program ${command} cannot be started: ${why}.` });
        reject(error);
      });
      child.once('exit', (code, signal) => {
        const report = () => {
          clearTimeout(late);
          this.#fail({ kind: 'exit', message: this.#epitaph(code, signal) });
        };
        // what it wrote last is still in the pipes; a grandchild may hold them for ever
        const late = setTimeout(report, DRAIN_MS);
        child.once('close', report);
      });
      // without a free file descriptor it has no pipes, and its error is still to come
      if (child.stdin) this.#read(child);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    const stdin = child?.stdin;
    const isOver = this.#closed || this.#ending !== undefined || child === undefined || hasExited(child);
    if (isOver || stdin === undefined || !stdin.writable)
      return Promise.reject(new UnsentError('The process is not running.'));
    if (stdin.writableLength > MAX_UNREAD_BYTES)
      return Promise.reject(new UnsentError('The process does not read its input.'));
    if ('method' in message && 'id' in message) this.#unanswered += 1;
    const batch = this.#batch ?? this.#cork(stdin);
    batch.size += 1;
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) resolve();
        // a line that could not be written to its end is no message; of several, some may have arrived
        else reject(batch.size === 1 ? new UnsentError('The process closed its input.', error) : error);
      });
    });
  }

  /**
   * Messages that come together leave in one write: each write wakes the process, mostly in our place. While requests
   * are open, that is a turn of the event loop; a single one does not wait for it.
   */
  #cork(stdin: Writable): Batch {
    const batch: Batch = { size: 0 };
    this.#batch = batch;
    stdin.cork();
    const leave = () => {
      this.#batch = undefined;
      stdin.uncork();
    };
    if (this.#unanswered > 1) setImmediate(leave);
    else process.nextTick(leave);
    return batch;
  }

  close(): Promise<void> {
    return this.#end(false);
  }

  killNow(): void {
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
  }

  #read(child: ChildProcessWithoutNullStreams): void {
    const lines = createLineBuffer(this.#maxLineBytes);
    const onLine = (line: string) => {
      if (this.#closed) return;
      const message = this.reader.read(line);
      if (typeof message === 'string')
        this.#fail({ kind: 'malformed', message: `The server sent what is not MCP: ${message}.` });
      else if (message !== undefined) {
        if ('method' in message) taken++;
        else if (this.#unanswered > 0) this.#unanswered -= 1;
        this.onmessage?.(message);
      } else if (line !== '') {
        taken++;
        this.stray.push(`${line.slice(0, 500)}\n`);
        this.tail.push(`(stdout) ${line.slice(0, 500)}\n`);
      }
    };
    const pace = createPace();
    let taken = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      const before = taken;
      if (!lines.push(chunk, onLine))
        this.#fail({
          kind: 'malformed',
          message: `The server sent a line of more than ${this.#maxLineBytes} bytes.`,
        });
      const wait = pace.after(taken - before);
      if (wait === 0 || this.#closed) return;
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), wait);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.tail.push(text));
    child.stdout.on('end', () => {
      // a server that closed its output cannot answer any more, even where it lives on
      if (!hasExited(child))
        this.#fail({ kind: 'exit', message: 'The process closed its output.' }, DRAIN_MS);
    });
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined);
    child.stdin.on('error', (error) =>
      this.#fail({ kind: 'exit', message: `The process closed its input: ${error.message}.` }, DRAIN_MS),
    );
  }

  #epitaph(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    return `The process ended ${how}${lastWrote(this.tail.text())}.`;
  }

  /** @param waitMs for the exit, whose message says more */
  #fail(fault: TransportFault, waitMs = 0): void {
    if (this.#closed) return;
    if (waitMs > 0) {
      setTimeout(() => this.#fail(fault), waitMs).unref();
      return;
    }
    if (this.#ending === undefined) this.fault ??= fault;
    this.#close();
    void this.#end(true);
  }

  #end(force: boolean): Promise<void> {
    this.#ending ??= this.#child === undefined ? Promise.resolve() : endProcess(this.#child, force);
    return this.#ending.then(() => this.#close());
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

/** `spawn` says ENOENT for both. */
function missingPart(cwd: string | undefined): string {
  return cwd === undefined || existsSync(cwd)
    ? 'there is no such program'
    : `its working directory ${cwd} is not there`;
}
