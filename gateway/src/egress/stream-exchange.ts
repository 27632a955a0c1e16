import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { dispatchWhenFree } from './dispatch.ts';
import { EgressFailure, type FailureKind, type FetchLimits, type Sent } from './egress.ts';
import { joinHeaders } from './exchange.ts';
import { failureOf } from './failures.ts';
import { isTimeout } from './lifetime.ts';
import type { WireRequest } from './wire-request.ts';

/** The head of one hop's answer, and its body as it arrives, still encoded. */
export interface StreamedAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined, `set-cookie` left out. */
  readonly headers: Record<string, string>;
  readonly location: string | undefined;
  readonly body: ReadableStream<Uint8Array> | undefined;
  /** Ends the exchange without reading on. */
  cancel(): void;
}

/** Sends one request; resolves with the head of the answer. Rejects, and errors the body, with EgressFailure. */
export function streamExchange(
  connections: Connections,
  request: WireRequest,
  limits: FetchLimits,
  signal: AbortSignal | undefined,
): Promise<StreamedAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new AnswerStream(connections, request, limits, signal, resolve, reject);
    if (handler.settled) return;
    dispatchWhenFree(connections, request, handler);
  });
}

/** Hands the body on at the reader's pace and knows how far the request got. */
class AnswerStream implements Dispatcher.DispatchHandler {
  readonly #host: string;
  readonly #answered: () => void;
  readonly #limits: FetchLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (answer: StreamedAnswer) => void;
  readonly #reject: (failure: EgressFailure) => void;
  #wire: Dispatcher.DispatchController | undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #settled = false;
  #sent: Sent = 'none';
  #status: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { answered }: Connections,
    { url }: WireRequest,
    limits: FetchLimits,
    signal: AbortSignal | undefined,
    resolve: (answer: StreamedAnswer) => void,
    reject: (failure: EgressFailure) => void,
  ) {
    this.#host = url.host;
    this.#answered = answered;
    this.#limits = limits;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    if (signal?.aborted) this.#onAbort();
    else {
      signal?.addEventListener('abort', this.#onAbort, { once: true });
      this.#watch(limits.headersTimeoutMs, 'does not begin its answer');
    }
  }

  get settled(): boolean {
    return this.#settled;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#wire = controller;
    if (this.#settled) controller.abort(new Error('settled'));
    else this.#sent = 'some';
  }

  onRequestSent(): void {
    if (this.#sent === 'some') this.#sent = 'all';
  }

  onRequestUpgrade(_controller: unknown, _status: number, _headers: unknown, socket: { destroy(): unknown }) {
    socket.destroy();
    this.#fail('malformed', 'switched protocols without being asked');
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || this.#settled) return;
    this.#sent = 'all';
    this.#status = status;
    const { location } = headers;
    if (Array.isArray(location) && new Set(location).size > 1) {
      this.#fail('malformed', `answered ${status} with several locations`);
      return;
    }
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.#body = stream;
      },
      pull: () => {
        this.#watchBody();
        controller.resume();
      },
      cancel: () => this.#abandon(),
    });
    this.#watchBody();
    this.#resolve({
      status,
      headers: joinHeaders(headers),
      location: Array.isArray(location) ? location[0] : location,
      body,
      cancel: () => this.#abandon(),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Resumed, undici's parser hands on an empty piece before it reads.
    if (this.#settled || this.#body === undefined || chunk.byteLength === 0) return;
    this.#body.enqueue(new Uint8Array(chunk));
    if ((this.#body.desiredSize ?? 0) > 0) {
      this.#watchBody();
      return;
    }
    // A slow reader is no silent server.
    clearTimeout(this.#timer);
    controller.pause();
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#settle();
    this.#answered();
    this.#body?.close();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#settled) return;
    this.#end(failureOf(error, { host: this.#host, sent: this.#sent, status: this.#status }));
  }

  readonly #onAbort = (): void => {
    if (isTimeout(this.#signal?.reason))
      this.#fail('timeout', 'did not answer before the deadline of the call');
    else this.#fail('cancelled', 'is not waited for: the caller went away');
  };

  #watchBody(): void {
    if (!this.#settled) this.#watch(this.#limits.idleTimeoutMs, 'is silent in the middle of its answer');
  }

  #watch(ms: number, what: string): void {
    clearTimeout(this.#timer);
    if (ms > 0) this.#timer = setTimeout(() => this.#fail('timeout', `${what} for ${ms} ms`), ms);
  }

  #abandon(): void {
    if (this.#settled) return;
    this.#settle();
    this.#wire?.abort(new Error('the answer is not read on'));
  }

  #fail(kind: FailureKind, what: string): void {
    if (this.#settled) return;
    const status = this.#status === undefined ? {} : { status: this.#status };
    const failure = new EgressFailure(kind, this.#sent, `${this.#host} ${what}`, status);
    this.#end(failure);
    this.#wire?.abort(failure);
  }

  #end(failure: EgressFailure): void {
    this.#settle();
    if (this.#body === undefined) this.#reject(failure);
    else this.#body.error(failure);
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
