import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { encodedLimit } from './content-decoding.ts';
import { dispatchWhenFree } from './dispatch.ts';
import type { EgressFailure, EgressResponse } from './egress.ts';
import { type AnswerHead, Hop, type WireHeaders } from './hop.ts';
import type { Ending, Lifetime } from './lifetime.ts';
import { isRedirect } from './redirects.ts';
import type { WireRequest } from './wire-request.ts';

/** One hop's answer. The body is as on the wire, still encoded; a redirect's is not read. */
export interface RawAnswer extends AnswerHead {
  readonly body: Uint8Array;
}

/** Sends one request and collects the answer. Rejects with EgressFailure. */
export function exchange(
  connections: Connections,
  request: WireRequest,
  maxBytes: number,
  lifetime: Lifetime,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new AnswerCollector(request, maxBytes, lifetime, connections.answered, resolve, reject);
    if (lifetime.ending) return handler.end(lifetime.ending);
    lifetime.listen((ending) => handler.end(ending));
    dispatchWhenFree(connections, request, handler);
  });
}

const EMPTY = new Uint8Array(0);

/** Counts bytes and keeps them. */
class AnswerCollector extends Hop {
  readonly #url: URL;
  readonly #method: string;
  readonly #maxBytes: number;
  readonly #lifetime: Lifetime;
  readonly #answered: () => void;
  readonly #resolve: (answer: RawAnswer) => void;
  readonly #reject: (failure: EgressFailure) => void;
  #head: AnswerHead = { status: 0, headers: {}, location: undefined, cookies: [] };
  #limit = 0;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    { url, method }: WireRequest,
    maxBytes: number,
    lifetime: Lifetime,
    answered: () => void,
    resolve: (answer: RawAnswer) => void,
    reject: (failure: EgressFailure) => void,
  ) {
    super(url.host);
    this.#url = url;
    this.#method = method;
    this.#maxBytes = maxBytes;
    this.#lifetime = lifetime;
    this.#answered = answered;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** The deadline passed or the caller went away. */
  end(ending: Ending): void {
    const reason = `${this.host}: ${ending.reason}`;
    if (ending.kind !== 'timeout' || this.status === undefined) this.fail(ending.kind, reason);
    else this.fail('timeout', reason + this.#begun(), this.#received());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: WireHeaders): void {
    const head = this.headOf(status, headers);
    if (head === undefined) return;
    this.#head = head;
    const length = head.headers['content-length'];
    if (isRedirect(status, head.location)) {
      this.#succeed();
      if (length !== '0') controller.abort(new Error('the body of a redirect is not read'));
      return;
    }
    const encoded = head.headers['content-encoding'] !== undefined;
    this.#limit = encoded ? encodedLimit(this.#maxBytes) : this.#maxBytes;
    const bodiless = this.#method === 'HEAD' || status === 204 || status === 304;
    if (!bodiless && length !== undefined && Number(length) > this.#limit) this.#tooLarge();
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.settled) return;
    this.#size += chunk.byteLength;
    if (this.#size > this.#limit) this.#tooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.settled) return;
    this.#answered();
    this.#succeed();
  }

  /** What a call of a watch or of a followed log ends with: that the service was silent would be wrong. */
  #begun(): string {
    return `; its answer (${this.status}) began, and after ${this.#size} bytes had not ended: a stream without an end has no whole answer`;
  }

  /** A part of what says its length is no answer, and a part of what is encoded cannot be read. */
  #received(): EgressResponse | undefined {
    const { status, headers } = this.#head;
    const isStream =
      status >= 200 &&
      status < 300 &&
      headers['content-length'] === undefined &&
      headers['content-encoding'] === undefined;
    return isStream ? { status, headers, body: this.#body(), url: this.#url.href } : undefined;
  }

  #succeed(): void {
    if (this.settled) return;
    this.settle();
    this.#resolve({ ...this.#head, body: this.#body() });
  }

  /** What has come, given away. */
  #body(): Uint8Array {
    const chunks = this.#chunks;
    this.#chunks = [];
    if (chunks.length < 2) return chunks[0] ?? EMPTY;
    return Buffer.concat(chunks, this.#size);
  }

  #tooLarge(): void {
    this.fail('too_large', `${this.host} answered ${this.status} with more than ${this.#maxBytes} bytes`);
  }

  protected override failed(failure: EgressFailure): void {
    this.#chunks = [];
    this.#reject(failure);
  }

  protected override settle(): void {
    super.settle();
    this.#lifetime.listen(undefined);
  }
}
