import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { dispatchWhenFree } from './dispatch.ts';
import type { EgressFailure, FetchLimits } from './egress.ts';
import { type AnswerHead, Hop, type WireHeaders } from './hop.ts';
import { isTimeout } from './lifetime.ts';
import type { WireRequest } from './wire-request.ts';

/** The head of one hop's answer, and its body as it arrives, still encoded. */
export interface StreamedAnswer extends AnswerHead {
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

/** Hands the body on at the reader's pace. */
class AnswerStream extends Hop {
  readonly #answered: () => void;
  readonly #limits: FetchLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (answer: StreamedAnswer) => void;
  readonly #reject: (failure: EgressFailure) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { answered }: Connections,
    { url }: WireRequest,
    limits: FetchLimits,
    signal: AbortSignal | undefined,
    resolve: (answer: StreamedAnswer) => void,
    reject: (failure: EgressFailure) => void,
  ) {
    super(url.host);
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

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: WireHeaders): void {
    const head = this.headOf(status, headers);
    if (head === undefined) return;
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
    this.#resolve({ ...head, body, cancel: () => this.#abandon() });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Resumed, undici's parser hands on an empty piece before it reads.
    if (this.settled || this.#body === undefined || chunk.byteLength === 0) return;
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
    if (this.settled) return;
    this.settle();
    this.#answered();
    this.#body?.close();
  }

  readonly #onAbort = (): void => {
    if (isTimeout(this.#signal?.reason))
      this.fail('timeout', `${this.host} did not answer before the deadline of the call`);
    else this.fail('cancelled', `${this.host} is not waited for: the caller went away`);
  };

  #watchBody(): void {
    if (!this.settled) this.#watch(this.#limits.idleTimeoutMs, 'is silent in the middle of its answer');
  }

  #watch(ms: number, what: string): void {
    clearTimeout(this.#timer);
    if (ms > 0) this.#timer = setTimeout(() => this.fail('timeout', `${this.host} ${what} for ${ms} ms`), ms);
  }

  #abandon(): void {
    if (this.settled) return;
    this.settle();
    this.abort(new Error('the answer is not read on'));
  }

  protected override failed(failure: EgressFailure): void {
    if (this.#body === undefined) this.#reject(failure);
    else this.#body.error(failure);
  }

  protected override settle(): void {
    super.settle();
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
