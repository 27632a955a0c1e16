import { randomUUID } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/server';
import type { CallChannel } from '../../../operations/index.ts';
import { WholeAnswer } from '../../whole-answer.ts';
import { connectionClosed } from '../plain/direct-calls.ts';
import {
  type AskedCall,
  type Begun,
  type CallAnswer,
  type CallRoute,
  type DirectWay,
  plainCall,
} from '../plain/plain-call.ts';
import { isOrdinary } from '../read-message.ts';
import { cancelledRequest } from '../request-id.ts';
import type { EventReplay } from './event-replay.ts';

/** Whose requests name them, in sessions. */
export const SESSION_REVISIONS: ReadonlySet<string> = new Set(['2025-06-18', '2025-11-25']);
/** The revision whose streams begin with an event to come back to. */
const PRIMED = '2025-11-25';
/** So long the answer is waited for before its stream is opened, milliseconds. */
const QUICK_MS = 100;
/** Bytes that TCP sends at once, before it waits for its peer (RFC 6928): an answer of which nobody gets a part. */
const ONE_FLIGHT = 14_000;

export interface SessionCallsOptions {
  readonly replay: EventReplay;
  /** After which a client whose stream broke comes back, milliseconds. */
  readonly retryMs: number;
  /** Told when a call begins; returns what to call when it ends. */
  readonly busy: () => () => void;
}

interface Recipient {
  readonly session: string;
  /** Its streams begin with an event to come back to. */
  readonly primed: boolean;
}

/**
 * Plain calls of one session, past the SDK, once it has let one through. A call that is answered soon is
 * one write: JSON, which clients read faster than a stream of one event; where it is long, that stream, whole. Before
 * anything else happens (it takes longer, logs, asks, is cancelled, has no plain answer) its request goes to the SDK,
 * which opens the stream and finds the call under way.
 */
export class SessionCalls implements DirectWay {
  readonly #options: SessionCallsOptions;
  readonly #open = new Map<RequestId, EarlyCall>();
  #route: CallRoute | undefined;

  constructor(options: SessionCallsOptions) {
    this.#options = options;
  }

  open(route: CallRoute): void {
    this.#route = route;
  }

  begun(id: RequestId): Begun | undefined {
    const call = this.#open.get(id);
    this.#open.delete(id);
    return call;
  }

  /** Undefined: the request is the SDK's. */
  async answer(request: Request, body: unknown, session: string): Promise<WholeAnswer | undefined> {
    const route = this.#route;
    if (!isOrdinary(body)) return undefined;
    if (!('id' in body)) return this.#attached(body);
    if (route === undefined || body.method !== 'tools/call' || !acceptsBoth(request)) return undefined;
    const plain = plainCall(body.params, request);
    if (plain === undefined || plain.envelope !== undefined || this.#open.has(body.id)) return undefined;
    const primed = request.headers.get('mcp-protocol-version') === PRIMED;
    return this.#carryOut(body.id, plain.call, route, { session, primed });
  }

  /** Ends what is open, with the SDK's own reason. */
  close(): void {
    for (const call of this.#open.values()) call.end(connectionClosed());
    this.#open.clear();
    this.#route = undefined;
  }

  async #carryOut(
    id: RequestId,
    asked: AskedCall,
    route: CallRoute,
    to: Recipient,
  ): Promise<WholeAnswer | undefined> {
    const done = this.#options.busy();
    const call = new EarlyCall(asked, route);
    this.#open.set(id, call);
    try {
      const result = await call.soon(QUICK_MS);
      const answer = result && !call.ended ? route.answer(result, asked) : undefined;
      if (answer === undefined) return undefined;
      this.#open.delete(id);
      call.answered();
      const message = `{"result":${answer},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
      if (Buffer.byteLength(message) > ONE_FLIGHT) return this.#wholeStream(message, to);
      return new WholeAnswer(message, { 'content-type': 'application/json', 'mcp-session-id': to.session });
    } finally {
      done();
    }
  }

  /** As the SDK's transport writes it, kept for a client that gets only a part of it. */
  #wholeStream(message: string, { session, primed }: Recipient): WholeAnswer {
    const { replay, retryMs } = this.#options;
    const stream = randomUUID();
    const first = primed ? `id: ${replay.add(stream, '{}')}\nretry: ${retryMs}\ndata: \n\n` : '';
    const last = replay.add(stream, message);
    return new WholeAnswer(`${first}event: message\nid: ${last}\ndata: ${message}\n\n`, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
      'mcp-session-id': session,
    });
  }

  /** What cancels a call follows its request to the SDK. */
  async #attached(notification: { readonly method: string; readonly params?: unknown }): Promise<undefined> {
    const cancelled = cancelledRequest(notification);
    if (cancelled !== undefined) await this.#open.get(cancelled)?.handOver();
  }
}

/** A call whose request the SDK has not yet seen, and may never see. */
class EarlyCall implements Begun {
  readonly result: Promise<CallAnswer>;
  readonly #controller = new AbortController();
  readonly #wanted = Promise.withResolvers<undefined>();
  readonly #settled = Promise.withResolvers<void>();
  /** What waits for the client's side of the call. */
  readonly #waiting: Array<(channel: CallChannel) => void> = [];
  /** Of the connection; what comes after the answer goes there. */
  #own: CallChannel = {};
  #channel: CallChannel | undefined;

  constructor(asked: AskedCall, route: CallRoute) {
    this.result = route.run(asked, this.#controller.signal, (own) => this.#side(own));
    this.result.catch(() => undefined);
  }

  get ended(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Its result, unless it fails, takes longer or needs the client before. */
  async soon(milliseconds: number): Promise<CallAnswer | undefined> {
    const timer = setTimeout(() => this.#wanted.resolve(undefined), milliseconds);
    const result = this.result.catch(() => undefined);
    try {
      return await Promise.race([result, this.#wanted.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when the SDK has the request, or need not have it. */
  handOver(): Promise<void> {
    this.#wanted.resolve(undefined);
    return this.#settled.promise;
  }

  attach(signal: AbortSignal, channel: CallChannel): void {
    if (signal.aborted) this.#controller.abort(signal.reason);
    else signal.addEventListener('abort', () => this.#controller.abort(signal.reason), { once: true });
    this.#settle(channel);
  }

  answered(): void {
    this.#settle(this.#own);
  }

  end(reason: unknown): void {
    this.#controller.abort(reason);
    this.#wanted.resolve(undefined);
    this.#settle(this.#own);
  }

  #settle(channel: CallChannel): void {
    this.#channel = channel;
    for (const use of this.#waiting.splice(0)) use(channel);
    this.#settled.resolve();
  }

  /** The stream of the request itself is what the client is sure to listen on. */
  #side(own: CallChannel): CallChannel {
    this.#own = own;
    return {
      ...own,
      log: async (...entry) => this.#use((channel) => channel.log?.(...entry)),
      ...(own.ask === undefined
        ? {}
        : { ask: async (...question) => this.#use((channel) => channel.ask!(...question)) }),
      closeStream: () => void this.#use((channel) => channel.closeStream?.()),
    };
  }

  #use<T>(use: (channel: CallChannel) => T | Promise<T>): T | Promise<T> {
    if (this.#channel !== undefined) return use(this.#channel);
    this.#wanted.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#waiting.push((channel) => {
        try {
          resolve(use(channel));
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}

function acceptsBoth({ headers }: Request): boolean {
  if (!SESSION_REVISIONS.has(headers.get('mcp-protocol-version') ?? '')) return false;
  const accept = headers.get('accept');
  return accept?.includes('application/json') === true && accept.includes('text/event-stream');
}
