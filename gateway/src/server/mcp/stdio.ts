import { EventEmitter, once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import type { GatewayCore } from '../../gateway-types.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../operations/index.ts';
import { createMcpServerFactory } from './mcp-server.ts';
import { spliceTools } from './splice-tools.ts';
import { claimStandardOutput } from './standard-output.ts';

export interface StdioOptions {
  readonly principal?: Principal;
  /** How long answers that are due may take after the client closed its end, milliseconds. */
  readonly drainMs?: number;
  /** Ends the connection from this side. */
  readonly signal?: AbortSignal;
  readonly onError?: (error: Error) => void;
  /** Instead of the process's own streams. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
}

/** Serves MCP, both eras, on standard input and output. Resolves when the client has gone away. */
export async function serveStdio(core: GatewayCore, options: StdioOptions = {}): Promise<void> {
  const claimed = options.streams === undefined ? claimStandardOutput() : undefined;
  const input = options.streams?.input ?? process.stdin;
  const output = options.streams?.output ?? claimed!.output;
  const create = createMcpServerFactory(core);
  const transport = new DrainingTransport(input, output, options.drainMs ?? 3000);
  const handle = serveSdk(
    ({ era }) =>
      create({
        principal: options.principal ?? LOCAL_PRINCIPAL,
        era,
        stays: true,
        spliceTools: (json, request) => transport.spliceTools(json, request),
      }),
    { transport, ...(options.onError === undefined ? {} : { onerror: options.onError }) },
  );
  const stop = () => void handle.close();
  if (options.signal?.aborted) stop();
  else options.signal?.addEventListener('abort', stop, { once: true });
  await transport.closed;
  options.signal?.removeEventListener('abort', stop);
  await handle.close();
  claimed?.release();
}

/** What the SDK's transport reads from: the chunks of standard input at once, its end when this side says so. */
class InputRelay extends EventEmitter {
  readableEnded = false;
  readonly destroyed = false;
  readonly pass = (chunk: Buffer): void => {
    this.emit('data', chunk);
  };

  pause(): this {
    return this;
  }

  end(): void {
    if (this.readableEnded) return;
    this.readableEnded = true;
    this.emit('end');
  }
}

/** The SDK's transport drops open requests when input ends; this one first lets their answers out. */
class DrainingTransport implements Transport {
  readonly closed: Promise<void>;
  readonly #inner: StdioServerTransport;
  readonly #input: InputRelay;
  readonly #output: Writable;
  readonly #open = new Set<string | number>();
  readonly #toolPages = new Map<string | number, string>();
  readonly #drainMs: number;
  #ended = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;

  constructor(input: Readable, output: Writable, drainMs: number) {
    this.#drainMs = drainMs;
    this.#input = new InputRelay();
    this.#output = output;
    this.#inner = new StdioServerTransport(this.#input as unknown as Readable, output);
    const closed = Promise.withResolvers<void>();
    this.closed = closed.promise;
    this.#inner.onclose = () => {
      input.off('data', this.#input.pass);
      input.pause();
      closed.resolve();
      this.onclose?.();
    };
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.#open.add(message.id);
      this.onmessage?.(message);
    };
    input.on('data', this.#input.pass);
    input.once('end', () => this.#inputEnded());
    input.once('close', () => this.#inputEnded());
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  /** The answer to this request gets this page of tools. */
  spliceTools(page: string, request: string | number): void {
    this.#toolPages.set(request, page);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = 'method' in message ? undefined : message.id;
    const page = id === undefined || id === null ? undefined : this.#toolPages.get(id);
    if (page === undefined) await this.#inner.send(message);
    else await this.#sendSpliced(message, id!, page);
    if (!('method' in message) && message.id !== undefined && message.id !== null)
      this.#open.delete(message.id);
    this.#endWhenDrained();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #sendSpliced(message: JSONRPCMessage, id: string | number, page: string): Promise<void> {
    this.#toolPages.delete(id);
    const line = `${spliceTools(JSON.stringify(message), page)}\n`;
    if (!this.#output.write(line)) await once(this.#output, 'drain');
  }

  /** One turn later: what was read last has been taken in by then. */
  #inputEnded(): void {
    if (this.#ended) return;
    setImmediate(() => {
      this.#ended = true;
      setTimeout(() => this.#input.end(), this.#drainMs).unref();
      this.#endWhenDrained();
    });
  }

  #endWhenDrained(): void {
    if (this.#ended && this.#open.size === 0) this.#input.end();
  }
}
