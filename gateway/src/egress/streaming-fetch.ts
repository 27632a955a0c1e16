import type { Connections } from './connections.ts';
import { contentCodings } from './content-decoding.ts';
import { decodedStream } from './decoded-stream.ts';
import type { DestinationCheck } from './destination.ts';
import {
  EgressFailure,
  type FetchLimits,
  type FetchTerms,
  type LocalDestination,
  type OutgoingRequest,
  type TlsIdentity,
} from './egress.ts';
import type { ForeignCheck } from './foreign-address.ts';
import { isRedirect, redirected, sentBefore } from './redirects.ts';
import { type StreamedAnswer, streamExchange } from './stream-exchange.ts';
import { type WireRequest, wireRequest } from './wire-request.ts';

/** A server that thinks for a minute, or is silent for one in the middle of its answer, is given up. */
const DEFAULT_LIMITS: FetchLimits = { headersTimeoutMs: 60_000, idleTimeoutMs: 60_000, maxRedirects: 3 };

const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'dpop', 'mcp-session-id'];

export interface FetchRoom {
  readonly check: DestinationCheck;
  readonly foreign: ForeignCheck;
  readonly connections: (tls: TlsIdentity | undefined) => Promise<Connections>;
  readonly local: ReadonlyMap<string, LocalDestination>;
}

/**
 * `fetch` of the web standard through the guarded door; the body is a stream. `redirect` is honoured: `follow` goes
 * by hand with each hop checked, `error` rejects, `manual` returns the redirect. Rejects, and errors the body, with
 * EgressFailure. Cookies are neither kept nor shown.
 */
export async function streamingFetch(
  room: FetchRoom,
  input: string | URL,
  init: RequestInit = {},
  limits: Partial<FetchLimits> = {},
  terms: FetchTerms = {},
): Promise<Response> {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const outgoing = { ...(await outgoingOf(input, init)), ...terms };
  const { named } = terms;
  const signal = init.signal ?? undefined;
  let request = wireRequest(outgoing, room.check.parse(outgoing.url));
  await room.foreign(request.url, { named });
  let from: URL | undefined;
  for (let redirects = 0; ; redirects++) {
    const answer = await hop(room, request, from, outgoing, bounds, signal);
    const { status, location } = answer;
    if (!isRedirect(status, location) || init.redirect === 'manual')
      return responseOf(request, answer, bounds);
    answer.cancel();
    if (init.redirect === 'error' || redirects >= bounds.maxRedirects)
      throw refused(request, status, redirects);
    from = request.url;
    request = redirected(request, { status, location }, room.check);
    await room.foreign(request.url, { named, from });
  }
}

/** A destination of this process is reached by the first request or from itself, never by a foreign redirect. */
async function hop(
  { local, connections }: FetchRoom,
  request: WireRequest,
  from: URL | undefined,
  outgoing: OutgoingRequest,
  limits: FetchLimits,
  signal: AbortSignal | undefined,
): Promise<StreamedAnswer> {
  const inside = local.get(request.url.origin);
  if (inside !== undefined && (from === undefined || from.origin === request.url.origin)) {
    return insideAnswer(inside, request, outgoing, signal);
  }
  return streamExchange(await connections(request.tls), request, limits, signal);
}

async function insideAnswer(
  destination: LocalDestination,
  { url, method, headers: flat, body }: WireRequest,
  outgoing: OutgoingRequest,
  signal: AbortSignal | undefined,
): Promise<StreamedAnswer> {
  const headers = new Headers();
  for (let at = 0; at < flat.length; at += 2) headers.append(flat[at]!, flat[at + 1]!);
  const init = { method, headers, ...(signal ? { signal } : {}) };
  const whole = body === undefined ? init : { ...init, body: body as Uint8Array<ArrayBuffer> };
  const response = await destination(new Request(url, whole), outgoing);
  const shown: Record<string, string> = {};
  for (const [name, value] of response.headers) if (name !== 'set-cookie') shown[name] = value;
  return {
    status: response.status,
    headers: shown,
    location: shown['location'],
    cookies: [],
    body: response.body ?? undefined,
    cancel: () => void response.body?.cancel(),
  };
}

function responseOf(request: WireRequest, answer: StreamedAnswer, { maxBytes }: FetchLimits): Response {
  const { status } = answer;
  const headers = new Headers(answer.headers);
  const bodiless = request.method === 'HEAD' || status === 204 || status === 205 || status === 304;
  if (bodiless) answer.cancel();
  const body = bodiless ? null : decodedStream(answer, request.url.host, maxBytes);
  const isAsSent = body === null || body === answer.body;
  if (!isAsSent && contentCodings(answer.headers['content-encoding']) !== undefined) {
    headers.delete('content-encoding');
    headers.delete('content-length');
  }
  const response = new Response(body ?? null, { status, headers });
  Object.defineProperty(response, 'url', { value: request.url.href });
  return response;
}

function refused({ url }: WireRequest, status: number, redirects: number): EgressFailure {
  const what = redirects === 0 ? 'redirects' : `redirects once more after ${redirects} redirects`;
  const message = `${url.host} ${what} (${status}), which this request does not follow`;
  return new EgressFailure('redirect', sentBefore(status), message, { status });
}

async function outgoingOf(input: string | URL, init: RequestInit): Promise<OutgoingRequest> {
  const url = String(input);
  const headers = new Headers(init.headers);
  const { body, type } = await bodyOf(init.body, url);
  if (type !== undefined && !headers.has('content-type')) headers.set('content-type', type);
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
  return {
    method: (init.method ?? 'GET').toUpperCase(),
    url,
    headers: [...headers],
    credentialHeaders: CREDENTIAL_HEADERS,
    ...(body === undefined ? {} : { body }),
  };
}

/** Bodies that can be sent a second time, for a redirect that asks for it. */
async function bodyOf(
  body: RequestInit['body'],
  url: string,
): Promise<{ body?: string | Uint8Array; type?: string }> {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string') return { body, type: 'text/plain;charset=UTF-8' };
  if (body instanceof URLSearchParams) {
    return { body: String(body), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  }
  if (body instanceof Blob) return { body: await body.bytes(), ...(body.type ? { type: body.type } : {}) };
  if (body instanceof ArrayBuffer) return { body: new Uint8Array(body) };
  if (ArrayBuffer.isView(body))
    return { body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) };
  throw new EgressFailure('request_invalid', 'none', `A stream cannot be the body of a request to ${url}`);
}
