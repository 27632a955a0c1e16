import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  FetchLike,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { isToolcribError, type ToolcribError } from '../../errors.ts';
import { retryAfterMs } from '../../operations/http/retry-after.ts';
import { isObject } from '../../operations/index.ts';
import { isUnusable, named, namedEvents, refusedAnswer } from './refused-answer.ts';
import type { OpenedTransport, TransportFault } from './transport.ts';

type Library = typeof import('@modelcontextprotocol/client');

/** A stream that broke is taken up again by its last event id, soon and then less often. */
const RECONNECTION = {
  initialReconnectionDelay: 250,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
};

/** What tells a server of the old transport (MCP 2025-11-25, transports, backwards compatibility). */
const NOT_STREAMABLE: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * Streamable HTTP or, for kind `sse` and for a server that refuses the first `initialize`, the older HTTP+SSE.
 * The SDK's library is loaded here.
 */
export async function openHttp(
  kind: 'http' | 'sse',
  url: string,
  fetch: FetchLike,
): Promise<OpenedTransport> {
  const library = await import('@modelcontextprotocol/client');
  const transport = new HttpTransport(library, kind, new URL(url), fetch);
  return { transport, kill: () => transport.drop(), fault: () => transport.fault };
}

interface Answer {
  streams: boolean;
  status?: number;
  /** What its Retry-After asks for. */
  retryAfterMs?: number;
  readonly request: RequestId | undefined;
}

class HttpTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  fault: TransportFault | undefined;
  readonly #library: Library;
  readonly #url: URL;
  readonly #fetch: FetchLike;
  #inner: Transport;
  #kind: 'http' | 'sse';
  #isOpen = true;
  #isSettled = false;
  #started = false;
  /** What comes back for the message that is being sent. */
  readonly #answers = new AsyncLocalStorage<Answer>();
  /** The server has a stream of its own, on which some answer what they only accepted. */
  #isHeard = false;
  /** The SDK wraps what the event stream's fetch throws; this is it. */
  #lastRefusal: unknown;
  /** The probe that is not answered yet. */
  #probe: RequestId | undefined;

  constructor(library: Library, kind: 'http' | 'sse', url: URL, fetch: FetchLike) {
    this.#library = library;
    this.#kind = kind;
    this.#url = url;
    this.#fetch = async (target, init) => {
      try {
        return this.#looked(await fetch(target, init), init);
      } catch (error) {
        this.#lastRefusal = error;
        throw error;
      }
    };
    this.#inner = this.#make(kind);
  }

  get hasPerRequestStream(): boolean {
    return this.#kind === 'http';
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  async start(): Promise<void> {
    this.#started = true;
    await this.#start(this.#inner);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const request = 'method' in message && 'id' in message ? message.id : undefined;
    const answer: Answer = { streams: false, request };
    try {
      await this.#answers.run(answer, () =>
        this.#inner.send(message, isProbe(message) ? this.#probing(message, options) : options),
      );
      this.#isSettled = true;
      if (answer.status === 202 && isProbe(message)) this.#refuse(message);
      // a whole answer that did not answer this, or none: nothing comes any more
      if (this.#kind === 'http' && !answer.streams) options?.onRequestStreamEnd?.();
    } catch (error) {
      noteWait(error, answer.retryAfterMs);
      if (isToolcribError(error) && isProbe(message)) throw handedOn(error);
      if (isProbe(message) && isUnusable(error)) return this.#refuse(message);
      const refused = isProbe(message) ? undefined : refusedAnswer(error, message);
      if (refused !== undefined) {
        this.onmessage?.(refused);
        return options?.onRequestStreamEnd?.();
      }
      if (this.#kind !== 'http' || this.#isSettled || !isInitialize(message) || !isNotStreamable(error))
        throw error;
      await this.#fallBack(error);
      await this.#inner.send(message, options);
    }
  }

  /** As a server would that does not know the method: its client then asks in the older way. */
  #refuse(probe: JSONRPCRequest): void {
    const error = { code: -32601, message: 'The server answered nothing that is of MCP.' };
    this.onmessage?.({ jsonrpc: '2.0', id: probe.id, error });
  }

  /** A stream that ends without an answer to the probe is as little of MCP as a page. */
  #probing(probe: JSONRPCRequest, options: TransportSendOptions | undefined): TransportSendOptions {
    this.#probe = probe.id;
    return {
      ...options,
      onRequestStreamEnd: () => {
        if (this.#probe === probe.id) this.#refuse(probe);
        options?.onRequestStreamEnd?.();
      },
    };
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /** Ends the session at the server too, where it has one and answers soon. */
  async close(): Promise<void> {
    const inner = this.#inner;
    if (
      this.#isOpen &&
      inner instanceof this.#library.StreamableHTTPClientTransport &&
      this.fault === undefined
    ) {
      inner.onerror = () => undefined;
      await inner.terminateSession().catch(() => undefined);
    }
    await this.drop();
  }

  async drop(): Promise<void> {
    if (this.#started) await this.#inner.close().catch(() => undefined);
    this.#closed();
  }

  #make(kind: 'http' | 'sse'): Transport {
    const { StreamableHTTPClientTransport, SSEClientTransport } = this.#library;
    const inner: Transport =
      kind === 'http'
        ? new StreamableHTTPClientTransport(this.#url, {
            fetch: this.#fetch,
            reconnectionOptions: RECONNECTION,
          })
        : new SSEClientTransport(this.#url, { fetch: this.#fetch });
    inner.onmessage = (message, extra) => {
      if (this.#inner !== inner) return;
      if (!('method' in message) && message.id === this.#probe) this.#probe = undefined;
      this.onmessage?.(message, extra);
    };
    inner.onclose = () => {
      if (this.#inner === inner) this.#closed();
    };
    inner.onerror = (error) => {
      if (this.#inner !== inner) return;
      this.onerror?.(error);
      // the event stream is the connection of the older transport: what was open on it gets no answer
      if (kind === 'sse' && this.#isSettled && error instanceof this.#library.SseError) {
        this.#end({ kind: 'exit', message: 'The server closed the event stream.' });
      }
    };
    return inner;
  }

  async #start(transport: Transport): Promise<void> {
    this.#lastRefusal = undefined;
    try {
      await transport.start();
      if (this.#kind === 'sse') this.#isSettled = true;
    } catch (error) {
      throw this.#lastRefusal ?? error;
    }
  }

  async #fallBack(refusal: unknown): Promise<void> {
    const before = this.#inner;
    this.#kind = 'sse';
    this.#inner = this.#make('sse');
    await before.close().catch(() => undefined);
    try {
      await this.#start(this.#inner);
    } catch (error) {
      throw isToolcribError(error) ? error : refusal;
    }
  }

  /** 404 to a request with a session id: the server has forgotten it and carried out nothing. */
  #looked(response: Response, init: RequestInit | undefined): Response {
    if (response.status === 404 && hadSession(init) && !this.#isFirstListening(init)) {
      // first the caller learns that its request was refused, then that the session is over
      setImmediate(() =>
        this.#end({ kind: 'session_lost', message: 'The server no longer knows the session.' }),
      );
    }
    const answer = this.#answers.getStore();
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    if (answer !== undefined) {
      answer.status = response.status;
      const wait = retryAfterMs(Object.fromEntries(response.headers), Date.now());
      if (wait !== undefined) answer.retryAfterMs = wait;
    }
    if (answer?.request !== undefined) nameErrors(response, answer.request, isStream);
    if (init?.method === 'GET') this.#isHeard ||= response.ok && isStream;
    else if (answer !== undefined) answer.streams = isStream || (response.status === 202 && this.#isHeard);
    return response;
  }

  /** Servers without a stream of their own should answer 405 to who listens for it; some answer 404. */
  #isFirstListening(init: RequestInit | undefined): boolean {
    return init?.method === 'GET' && !this.#isHeard && !new Headers(init.headers).has('last-event-id');
  }

  #end(fault: TransportFault): void {
    if (!this.#isOpen) return;
    this.fault ??= fault;
    void this.drop();
  }

  #closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.onclose?.();
  }
}

/** The SDK keeps status and text of an answer in `data`, and none of its headers. */
function noteWait(error: unknown, wait: number | undefined): void {
  const data = (error as { data?: unknown } | undefined)?.data;
  if (wait !== undefined && isObject(data)) Object.assign(data, { retryAfterMs: wait });
}

function nameErrors(response: Response, request: RequestId, isStream: boolean): void {
  const read = response.json.bind(response);
  const { body } = response;
  if (!isStream) Object.defineProperty(response, 'json', { value: async () => named(await read(), request) });
  else if (body !== null)
    Object.defineProperty(response, 'body', { value: body.pipeThrough(namedEvents(request)) });
}

/** A request that belonged to a session, and did not end it. */
function hadSession(init: RequestInit | undefined): boolean {
  return init?.method !== 'DELETE' && new Headers(init?.headers).has('mcp-session-id');
}

function isInitialize(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'initialize';
}

function isProbe(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message && message.method === 'server/discover';
}

/** The SDK's probe wraps every error but those of this name, and with it what we say of sign-ins and addresses. */
function handedOn(error: ToolcribError): ToolcribError {
  return Object.assign(error, { name: 'UnauthorizedError' });
}

function isNotStreamable(error: unknown): boolean {
  const status = (error as { data?: { status?: unknown } } | undefined)?.data?.status;
  return typeof status === 'number' && NOT_STREAMABLE.has(status);
}
