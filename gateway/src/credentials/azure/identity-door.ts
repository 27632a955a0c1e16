import type { TokenCredentialOptions } from '@azure/identity';
import { decodeText, type Egress, EgressFailure } from '../../egress/index.ts';
import { isOfConnection } from '../../operations/http/connection-headers.ts';

type HttpClient = NonNullable<TokenCredentialOptions['httpClient']>;
type PipelineRequest = Parameters<HttpClient['sendRequest']>[0];

/** What `@azure/identity` sends its requests by, in place of a client of its own. */
export interface IdentityDoor {
  readonly httpClient: HttpClient;
  /** The last request that brought no answer; the library's errors do not name it. */
  failure(): EgressFailure | undefined;
}

/** Bytes of one answer; a token is a few thousand. */
const MAX_BYTES = 1024 * 1024;

/**
 * Requests of `@azure/identity` and of the MSAL beneath it through our own door: its address guard, its limits, no
 * proxies of the environment. A redirect is a failure: a secret does not follow one.
 * @param timeoutMs of one request whose sender names none
 */
export function createIdentityDoor(egress: Egress, timeoutMs = 15_000): IdentityDoor {
  let last: EgressFailure | undefined;
  return {
    failure: () => last,
    httpClient: {
      async sendRequest(request) {
        last = undefined;
        const limits = { timeoutMs: request.timeout || timeoutMs, maxBytes: MAX_BYTES, maxRedirects: 0 };
        using signal = standardSignal(request.abortSignal);
        try {
          const { status, headers, body } = await egress.request(
            {
              method: request.method,
              url: request.url,
              headers: [...request.headers].filter(([name]) => !isOfConnection(name)),
              ...(request.body == null ? {} : { body: sendable(request.body) }),
              credentialHeaders: ['authorization'],
            },
            limits,
            signal.value,
          );
          return {
            request,
            status,
            headers: new AnswerHeaders(headers),
            bodyAsText: decodeText(body, headers['content-type']),
          };
        } catch (error) {
          if (error instanceof EgressFailure) last = error;
          throw error;
        }
      },
    },
  };
}

function sendable(body: NonNullable<PipelineRequest['body']>): string | Uint8Array {
  if (typeof body === 'string') return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError('Sign-in requests have a text or bytes as their body.');
}

/** The library's signals have only what it needs of one. */
function standardSignal(given: PipelineRequest['abortSignal']): Disposable & { readonly value: AbortSignal } {
  if (given instanceof AbortSignal) return { value: given, [Symbol.dispose]: () => undefined };
  const controller = new AbortController();
  const onAbort = () => controller.abort();
  if (given?.aborted === true) onAbort();
  given?.addEventListener('abort', onAbort);
  return { value: controller.signal, [Symbol.dispose]: () => given?.removeEventListener('abort', onAbort) };
}

/** The answer's headers as the library reads them. */
class AnswerHeaders {
  readonly #values: Map<string, string>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#values = new Map(Object.entries(headers));
  }

  get(name: string): string | undefined {
    return this.#values.get(name.toLowerCase());
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string | number | boolean): void {
    this.#values.set(name.toLowerCase(), String(value));
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  toJSON(): Record<string, string> {
    return Object.fromEntries(this.#values);
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#values[Symbol.iterator]();
  }
}
