import type { Readable } from 'node:stream';
import {
  type JSONRPCMessage,
  type RequestId,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  type Transport,
} from '@modelcontextprotocol/server';
import { spliceTools } from '../plain/splice-tools.ts';
import { readLine, readMessage, refusedRequest } from '../read-message.ts';
import { readableMessage } from '../readable-answers.ts';
import { refusedCall, refusedListen } from '../refused-call.ts';
import { refusedInitialize } from '../refused-initialize.ts';
import { refusedVersion } from '../refused-version.ts';
import { cancelledRequest } from '../request-id.ts';
import { LineReader } from './line-reader.ts';
import { type LineOutput, LineWriter } from './line-writer.ts';

/** So much may wait for a client that does not read, bytes; then it is not read either. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** What can be answered before there is a catalog. */
const HANDSHAKE: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'server/discover',
  'ping',
]);

/**
 * One message a line. When input ends, the answers that are due still go out, for at most `drainMs`; the
 * SDK's own transport would drop them. Answers that come together are written together.
 */
export class StdioTransport implements Transport {
  readonly closed: Promise<void>;
  readonly #close: () => void;
  readonly #input: Readable;
  readonly #output: LineOutput;
  readonly #reader = new LineReader(STDIO_DEFAULT_MAX_BUFFER_SIZE);
  readonly #writer: LineWriter;
  /** Requests that owe an answer; subscriptions do not, they last. */
  readonly #due = new Set<RequestId>();
  readonly #toolPages = new Map<RequestId, readonly Uint8Array[]>();
  readonly #drainMs: number;
  /** Messages that wait for the catalog, in their order; undefined once it is there. */
  #waiting: JSONRPCMessage[] | undefined;
  /** What begins once the client has its first answer beyond the handshake; undefined when it has begun. */
  #later: (() => void) | undefined;
  #isAsked = false;
  #inputEnded = false;
  #draining = false;
  #isClosed = false;
  /** Why no more is read, though the client still writes. */
  fault?: Error;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  /** Asked before `onmessage`; true: the message is dealt with. */
  intercept?: (message: JSONRPCMessage) => boolean;
  /** Told of what goes out and answers nothing. */
  onnotice?: (message: JSONRPCMessage) => void;

  /** Everything behind the handshake waits for `ready`. */
  constructor(input: Readable, output: LineOutput, drainMs: number, ready?: Promise<unknown>) {
    const closed = Promise.withResolvers<void>();
    this.closed = closed.promise;
    this.#close = closed.resolve;
    this.#input = input;
    this.#output = output;
    this.#writer = new LineWriter(output);
    this.#drainMs = drainMs;
    if (ready === undefined) return;
    this.#waiting = [];
    ready.then(
      () => this.#takeWaiting(),
      () => undefined,
    );
  }

  async start(): Promise<void> {
    const input = this.#input;
    input.on('data', this.#onData);
    input.on('error', this.#onInputError);
    input.once('end', this.#onEnd);
    input.once('close', this.#onEnd);
    if (input.readableEnded || input.destroyed) this.#onEnd();
    // stays: a write may still fail after the transport was closed
    this.#output.events.on('error', (error: Error) => this.#fail(error));
  }

  /** Once the client has what it first asks for; at the latest after `maxMs`. What is begun here keeps nobody waiting. */
  afterFirstAnswer(begin: () => void, maxMs: number): void {
    this.#later = begin;
    setTimeout(() => this.#beginLater(), maxMs).unref();
  }

  #beginLater(): void {
    const begin = this.#later;
    this.#later = undefined;
    if (!this.#isClosed) begin?.();
  }

  /** The answer to this request gets this page of tools. */
  spliceTools(page: readonly Uint8Array[], request: RequestId): void {
    this.#toolPages.set(request, page);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The transport is closed.');
    const text = JSON.stringify(message);
    const id = 'method' in message ? undefined : message.id;
    if (id === undefined || id === null) {
      this.onnotice?.(message);
      return this.#writer.write(`${text}\n`, false);
    }
    const page = this.#toolPages.get(id);
    if (page === undefined) return this.#answer(id, text);
    this.#toolPages.delete(id);
    await this.#writer.writePieces(spliceTools(`${text}\n`, page));
    this.#settle(id);
  }

  /** Sends a result that is JSON already. */
  sendResult(id: RequestId, result: string): void {
    if (this.#isClosed) return;
    this.#answer(id, `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`).catch((error) =>
      this.onerror?.(error),
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    void this.#writer.flush().catch(() => {});
    this.#isClosed = true;
    const input = this.#input;
    input.off('data', this.#onData);
    input.off('error', this.#onInputError);
    input.off('end', this.#onEnd);
    input.off('close', this.#onEnd);
    input.pause();
    this.#reader.clear();
    this.#close();
    this.onclose?.();
  }

  /** Takes nothing more in, and closes when the answers that are due are out, after `withinMs` at the latest. */
  end(withinMs: number): void {
    if (this.#isClosed) return;
    this.#input.off('data', this.#onData);
    this.#input.pause();
    this.#inputEnded = true;
    this.#draining = true;
    // without a catalog nothing will be answered any more
    if (this.#waiting === undefined) this.#drain(withinMs);
    else void this.close();
  }

  readonly #onData = (chunk: Buffer): void => {
    let lines: string[];
    try {
      lines = this.#reader.append(chunk);
    } catch (error) {
      this.fault = error as Error;
      this.#fail(this.fault);
      return;
    }
    for (const line of lines) {
      if (this.#isClosed) return;
      this.#receive(line);
    }
    if (this.#writer.unread > MAX_UNREAD) this.#holdBack();
  };

  /** Until the client reads: what it asks for meanwhile would pile up here. */
  #holdBack(): void {
    this.#input.pause();
    this.#output.events.once('drain', () => {
      if (!this.#isClosed) this.#input.resume();
    });
  }

  readonly #onInputError = (error: Error): void => {
    this.onerror?.(error);
  };

  /** One turn later: what was read last has been taken in by then. */
  readonly #onEnd = (): void => {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    const last = this.#reader.takeRest();
    if (last !== undefined) this.#receive(last);
    setImmediate(() => {
      this.#draining = true;
      if (this.#waiting === undefined) this.#drain(this.#drainMs);
    });
  };

  #drain(withinMs: number): void {
    setTimeout(() => void this.close(), withinMs).unref();
    this.#closeWhenDrained();
  }

  /** One message, or several in an array, as clients of 2025-03-26 may send them. */
  #receive(line: string): void {
    const read = readLine(line);
    if (read === undefined) return;
    const refused = refusedCall(line, read);
    if (refused !== undefined) this.#refuse(refused);
    else for (const value of Array.isArray(read) ? read : [read]) this.#take(value);
  }

  #take(value: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = readMessage(readableMessage(value));
    } catch (error) {
      this.onerror?.(error as Error);
      this.#refuse(refusedRequest(value));
      return;
    }
    const refused = refusedInitialize(message) ?? refusedVersion(message) ?? refusedListen(message);
    if (refused !== undefined) {
      this.#refuse(refused);
      return;
    }
    try {
      this.#note(message);
      if (this.#waiting !== undefined && (this.#waiting.length > 0 || !isHandshake(message)))
        this.#waiting.push(message);
      else this.#deliver(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #refuse(answer: object | undefined): void {
    if (answer === undefined || this.#isClosed) return;
    this.#writer.write(`${JSON.stringify(answer)}\n`, false).catch((error) => this.onerror?.(error));
  }

  #deliver(message: JSONRPCMessage): void {
    if (!this.intercept?.(message)) this.onmessage?.(message);
  }

  /** In their order, so that a cancellation still follows what it cancels. */
  #takeWaiting(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    if (this.#isClosed) return;
    for (const message of waiting) this.#deliver(message);
    if (this.#draining) this.#drain(this.#drainMs);
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      if (message.method !== 'subscriptions/listen') this.#due.add(message.id);
      if (!isHandshake(message)) this.#isAsked = true;
    } else {
      const cancelled = cancelledRequest(message);
      if (cancelled !== undefined) this.#settle(cancelled);
    }
  }

  async #answer(id: RequestId, text: string): Promise<void> {
    const others = this.#due.size > (this.#due.has(id) ? 1 : 0);
    await this.#writer.write(`${text}\n`, others);
    this.#settle(id);
  }

  #settle(id: RequestId): void {
    this.#due.delete(id);
    if (this.#later !== undefined && this.#isAsked && this.#due.size === 0)
      setImmediate(() => this.#beginLater());
    this.#closeWhenDrained();
  }

  #closeWhenDrained(): void {
    if (this.#draining && this.#waiting === undefined && this.#due.size === 0) void this.close();
  }

  #fail(error: Error): void {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  }
}

function isHandshake(message: JSONRPCMessage): boolean {
  return 'method' in message && HANDSHAKE.has(message.method);
}
