import type { Dispatcher } from 'undici';
import { EgressFailure, type EgressResponse, type FailureKind, type Sent } from './egress.ts';
import { failureOf } from './failures.ts';

/** As undici hands them on. */
export type WireHeaders = Record<string, string | string[] | undefined>;

export interface AnswerHead {
  readonly status: number;
  /** Lower-case names; repeated headers joined, `set-cookie` left out. */
  readonly headers: Record<string, string>;
  readonly location: string | undefined;
  /** Of `set-cookie`, each. */
  readonly cookies: readonly string[];
}

/** One request on the wire: how far it got, and how it fails. What becomes of its answer, those below say. */
export abstract class Hop implements Dispatcher.DispatchHandler {
  protected readonly host: string;
  protected status: number | undefined;
  #wire: Dispatcher.DispatchController | undefined;
  #settled = false;
  #sent: Sent = 'none';

  constructor(host: string) {
    this.host = host;
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

  onRequestUpgrade(
    _controller: unknown,
    _status: number,
    _headers: unknown,
    socket: { destroy(): unknown },
  ): void {
    socket.destroy();
    this.fail('malformed', `${this.host} switched protocols without being asked`);
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#settled) return;
    this.settle();
    this.failed(failureOf(error, { host: this.host, sent: this.#sent, status: this.status }));
  }

  /** Undefined where the answer does not begin yet, nobody waits for it any more, or it is none that can be read. */
  protected headOf(status: number, headers: WireHeaders): AnswerHead | undefined {
    if (status < 200 || this.#settled) return undefined;
    this.#sent = 'all';
    this.status = status;
    const { location, 'set-cookie': cookies = [] } = headers;
    if (Array.isArray(location) && new Set(location).size > 1) {
      this.fail('malformed', `${this.host} answered ${status} with several locations`);
      return undefined;
    }
    return {
      status,
      headers: joinHeaders(headers),
      location: Array.isArray(location) ? location[0] : location,
      cookies: typeof cookies === 'string' ? [cookies] : cookies,
    };
  }

  protected fail(kind: FailureKind, message: string, received?: EgressResponse): void {
    if (this.#settled) return;
    this.settle();
    const status = this.status === undefined ? {} : { status: this.status };
    const options = received === undefined ? status : { ...status, received };
    const isUnconnected = kind === 'timeout' && this.#sent === 'none';
    const told = isUnconnected ? `${message}, before there was a connection` : message;
    const failure = new EgressFailure(kind, this.#sent, told, options);
    this.failed(failure);
    this.abort(failure);
  }

  protected abort(reason: Error): void {
    this.#wire?.abort(reason);
  }

  /** Nothing is told from now on. */
  protected settle(): void {
    this.#settled = true;
  }

  protected abstract failed(failure: EgressFailure): void;
}

function joinHeaders(headers: WireHeaders): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const name in headers) {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (value === undefined || name === 'set-cookie') continue;
    joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}
