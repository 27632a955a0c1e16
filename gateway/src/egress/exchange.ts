import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { encodedLimit } from './content-decoding.ts';
import { dispatchWhenFree } from './dispatch.ts';
import { EgressFailure, type FailureKind, type Sent } from './egress.ts';
import { failureOf } from './failures.ts';
import type { Ending, Lifetime } from './lifetime.ts';
import { isRedirect } from './redirects.ts';
import type { WireRequest } from './wire-request.ts';

/** One hop's answer. The body is as on the wire, still encoded; a redirect's is not read. */
export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined, `set-cookie` left out. */
  readonly headers: Record<string, string>;
  readonly location: string | undefined;
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

/** Counts bytes and knows how far the request got. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #maxBytes: number;
  readonly #lifetime: Lifetime;
  readonly #answered: () => void;
  readonly #resolve: (answer: RawAnswer) => void;
  readonly #reject: (failure: EgressFailure) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #sent: Sent = 'none';
  #status: number | undefined;
  #headers: Record<string, string> = {};
  #location: string | undefined;
  #limit = 0;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    request: WireRequest,
    maxBytes: number,
    lifetime: Lifetime,
    answered: () => void,
    resolve: (answer: RawAnswer) => void,
    reject: (failure: EgressFailure) => void,
  ) {
    this.#request = request;
    this.#maxBytes = maxBytes;
    this.#lifetime = lifetime;
    this.#answered = answered;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** The deadline passed or the caller went away. */
  end(ending: Ending): void {
    this.#fail(ending.kind, `${this.#request.url.host}: ${ending.reason}`);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('settled'));
    else this.#sent = 'some';
  }

  onRequestSent(): void {
    if (this.#sent === 'some') this.#sent = 'all';
  }

  onRequestUpgrade(_controller: unknown, _status: number, _headers: unknown, socket: { destroy(): unknown }) {
    socket.destroy();
    this.#fail('malformed', `${this.#request.url.host} switched protocols without being asked`);
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
    this.#headers = joinHeaders(headers);
    if (Array.isArray(location) && new Set(location).size > 1) {
      this.#fail('malformed', `${this.#request.url.host} answered ${status} with several locations`);
      return;
    }
    this.#location = Array.isArray(location) ? location[0] : location;
    const length = this.#headers['content-length'];
    if (isRedirect(status, this.#location)) {
      this.#succeed();
      if (length !== '0') controller.abort(new Error('the body of a redirect is not read'));
      return;
    }
    const encoded = this.#headers['content-encoding'] !== undefined;
    this.#limit = encoded ? encodedLimit(this.#maxBytes) : this.#maxBytes;
    const bodiless = this.#request.method === 'HEAD' || status === 204 || status === 304;
    if (!bodiless && length !== undefined && Number(length) > this.#limit) this.#tooLarge();
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#settled) return;
    this.#size += chunk.byteLength;
    if (this.#size > this.#limit) this.#tooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#answered();
    this.#succeed();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#settled) return;
    const { host } = this.#request.url;
    this.#settle();
    this.#reject(failureOf(error, { host, sent: this.#sent, status: this.#status }));
  }

  #succeed(): void {
    if (this.#settled) return;
    this.#settle();
    const chunks = this.#chunks;
    const body =
      chunks.length === 0 ? EMPTY : chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.#size);
    this.#chunks = [];
    this.#resolve({ status: this.#status ?? 0, headers: this.#headers, location: this.#location, body });
  }

  #tooLarge(): void {
    const { host } = this.#request.url;
    this.#fail('too_large', `${host} answered ${this.#status} with more than ${this.#maxBytes} bytes`);
  }

  #fail(kind: FailureKind, message: string): void {
    if (this.#settled) return;
    this.#settle();
    this.#chunks = [];
    const status = this.#status === undefined ? {} : { status: this.#status };
    const failure = new EgressFailure(kind, this.#sent, message, status);
    this.#reject(failure);
    this.#controller?.abort(failure);
  }

  #settle(): void {
    this.#settled = true;
    this.#lifetime.listen(undefined);
  }
}

export function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const name in headers) {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (value === undefined || name === 'set-cookie') continue;
    joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}
