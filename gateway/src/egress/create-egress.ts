import { includesCredentials } from '../operations/http/includes-credentials.ts';
import { type Connections, openConnections, openSocketConnections } from './connections.ts';
import { contentCodings, DecodingError, decodeContent } from './content-decoding.ts';
import { createDestinationCheck, type DestinationCheck } from './destination.ts';
import {
  type BecameGet,
  type Egress,
  EgressFailure,
  type EgressLimits,
  type EgressOptions,
  type EgressResponse,
  type LocalDestination,
  NO_CONNECTION,
  type OutgoingRequest,
  type Sent,
  type TlsIdentity,
} from './egress.ts';
import { exchange, type RawAnswer } from './exchange.ts';
import { createForeignCheck, type ForeignCheck } from './foreign-address.ts';
import { createIdentified } from './identified.ts';
import { type Lifetime, startLifetime } from './lifetime.ts';
import { localExchange } from './local-exchange.ts';
import { isReadingMethod } from './outcome.ts';
import { isRedirect, redirected, sentBefore } from './redirects.ts';
import { sharedLookups } from './shared-lookups.ts';
import { streamingFetch } from './streaming-fetch.ts';
import { systemResolve } from './system-resolve.ts';
import { type WireRequest, wireRequest } from './wire-request.ts';

/** Opens the one door. undici is loaded with the first request that leaves the process. */
export function createEgress(options: EgressOptions = {}): Egress {
  const check = createDestinationCheck(options.allow);
  const local = new Map<string, LocalDestination>(
    Object.entries(options.local ?? {}).map(([origin, destination]) => [new URL(origin).origin, destination]),
  );
  let opening: Promise<Connections> | undefined;
  let opened: Connections | undefined;
  let closed = false;
  const resolve = sharedLookups(options.resolve ?? systemResolve);
  const foreign = createForeignCheck(options, resolve);
  const identified = createIdentified((tls: TlsIdentity) =>
    openConnections(check, resolve, options.proxy, tls),
  );

  const sockets = createIdentified(({ id }: { readonly id: string }) => openSocketConnections(id));

  const connections = async (): Promise<Connections> => {
    opening ??= openConnections(check, resolve, options.proxy);
    opened = await opening;
    return opened;
  };

  const connectionsOf = (tls: TlsIdentity | undefined) =>
    tls === undefined ? connections() : identified.of(tls);

  /** One hop. A local destination is reached by the first request, or from itself; never by a foreign redirect. */
  const hop: Hop = (request, from, outgoing, maxBytes, lifetime) => {
    if (request.socketPath !== undefined) {
      const through = sockets.of({ id: request.socketPath });
      return through.then((own) => exchange(own, request, maxBytes, lifetime));
    }
    const destination = local.size === 0 ? undefined : local.get(request.url.origin);
    if (destination !== undefined && (from === undefined || from.origin === request.url.origin)) {
      return localExchange(destination, request, outgoing, maxBytes, lifetime);
    }
    if (request.tls !== undefined) {
      return identified.of(request.tls).then((own) => exchange(own, request, maxBytes, lifetime));
    }
    if (opened !== undefined) return exchange(opened, request, maxBytes, lifetime);
    return connections().then((first) => exchange(first, request, maxBytes, lifetime));
  };

  return {
    async request(outgoing, limits, signal) {
      if (closed) throw new EgressFailure('cancelled', 'none', 'The gateway is shutting down');
      const lifetime = startLifetime(limits.timeoutMs, signal);
      try {
        const inside = localOr(check, insideOf(outgoing, local));
        return await follow(outgoing, limits, lifetime, inside, foreign, hop);
      } finally {
        lifetime.release();
      }
    },
    async fetch(input, init, limits, terms) {
      if (closed) throw new EgressFailure('cancelled', 'none', 'The gateway is shutting down');
      const room = { check: localOr(check, local), foreign, connections: connectionsOf, local };
      return streamingFetch(room, input, init, limits, terms);
    },
    async close() {
      closed = true;
      const own = await opening?.catch(() => undefined);
      await Promise.all([own?.close(), identified.close(), sockets.close()]);
    },
  };
}

/** Origins that need no public address: those of this process, and one behind a socket for the request that goes there. */
function insideOf(
  { url, socketPath }: OutgoingRequest,
  local: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const origin = socketPath === undefined ? undefined : URL.parse(url)?.origin;
  return origin === undefined ? local : new Map([[origin, true]]);
}

type Hop = (
  request: WireRequest,
  from: URL | undefined,
  outgoing: OutgoingRequest,
  maxBytes: number,
  lifetime: Lifetime,
) => Promise<RawAnswer>;

/** The check for a request's first URL and its redirects: origins of this process need no public address. */
function localOr(check: DestinationCheck, local: ReadonlyMap<string, unknown>): DestinationCheck {
  if (local.size === 0) return check;
  return {
    ...check,
    parse(text, base) {
      const url = URL.parse(text, base?.href);
      const inside =
        url !== null && local.has(url.origin) && (base === undefined || base.origin === url.origin);
      if (!inside || includesCredentials(url)) return check.parse(text, base);
      url.hash = '';
      return url;
    },
  };
}

async function follow(
  outgoing: OutgoingRequest,
  limits: EgressLimits,
  lifetime: Lifetime,
  check: DestinationCheck,
  foreign: ForeignCheck,
  hop: Hop,
): Promise<EgressResponse> {
  const { named } = outgoing;
  let request = wireRequest(outgoing, check.parse(outgoing.url));
  const asking = request.socketPath === undefined ? foreign(request.url, { named }) : undefined;
  if (asking !== undefined) await asking;
  let from: URL | undefined;
  let earlier: Sent = 'none';
  let becameGet: BecameGet | undefined;
  for (let redirects = 0; ; redirects++) {
    try {
      const answer = await hop(request, from, outgoing, limits.maxBytes, lifetime);
      const { status, location } = answer;
      if (outgoing.redirect === 'manual' || !isRedirect(status, location)) {
        const encoded = answer.body.byteLength > 0 && answer.headers['content-encoding'] !== undefined;
        const response = {
          ...(encoded ? await decoded(request, answer, limits.maxBytes) : asAnswered(request, answer)),
          ...(earlier === 'none' ? {} : { afterRedirect: true as const }),
          ...(becameGet === undefined ? {} : { becameGet }),
        };
        return outgoing.cookies === 'keep' ? { ...response, cookies: answer.cookies } : response;
      }
      if (earlier === 'none') earlier = sentBefore(status);
      if (redirects >= limits.maxRedirects) throw tooManyRedirects(request.url, limits.maxRedirects, answer);
      from = request.url;
      const { method } = request;
      request = redirected(request, { status, location }, check);
      if (request.method !== method) becameGet = { method, url: from.href, status };
      await foreign(request.url, { named, from });
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      const failure = from === undefined ? error : ofRedirect(error, from);
      throw failure.sent === 'none' && earlier !== 'none'
        ? afterEarlierHop(failure, earlier, outgoing.method)
        : failure;
    }
  }
}

function asAnswered({ url }: WireRequest, { status, headers, body }: RawAnswer): EgressResponse {
  return { status, headers, body, url: url.href };
}

async function decoded(request: WireRequest, answer: RawAnswer, maxBytes: number): Promise<EgressResponse> {
  const { status, headers, body } = answer;
  try {
    const codings = contentCodings(headers['content-encoding']);
    if (codings === undefined && body.byteLength > maxBytes) throw new DecodingError('too_large');
    if (codings === undefined) return asAnswered(request, answer);
    const content = await decodeContent(body, codings, maxBytes);
    if (content.byteLength > maxBytes) throw new DecodingError('too_large');
    const { 'content-encoding': _undone, 'content-length': _encodedLength, ...rest } = headers;
    return asAnswered(request, { ...answer, headers: rest, body: content });
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    const { host } = request.url;
    const options = { status, cause: error };
    if (error.reason === 'too_large') {
      const message = `${host} answered ${status} with more than ${maxBytes} bytes once decoded`;
      throw new EgressFailure('too_large', 'all', message, options);
    }
    const kind = error.reason === 'truncated' ? 'body_truncated' : 'malformed';
    const message = `${host} answered ${status} with a body that cannot be decoded (${headers['content-encoding']})`;
    throw new EgressFailure(kind, 'all', message, options);
  }
}

function tooManyRedirects(url: URL, most: number, { status, location }: RawAnswer): EgressFailure {
  const target = URL.parse(location ?? '', url.href)?.origin ?? 'an address that is none';
  const message =
    most === 0
      ? `${url.host} redirects to ${target} (${status})`
      : `${url.host} redirects once more (${status}), to ${target}, after ${most} redirects`;
  return new EgressFailure('redirect', 'none', message, { status });
}

/** Whoever looks for the address finds it nowhere in the configuration: the service named it. */
function ofRedirect(failure: EgressFailure, from: URL): EgressFailure {
  const { kind, sent, message, status } = failure;
  const isBlocked = kind === 'egress_blocked';
  if (!isBlocked && !NO_CONNECTION.has(kind)) return failure;
  const options = { cause: failure, ...(status === undefined ? {} : { status }) };
  const what = isBlocked ? 'is not followed' : 'leads nowhere';
  return new EgressFailure(kind, sent, `A redirect of ${from.host} ${what}: ${message}`, options);
}

/** The last hop sent nothing, but an earlier one may have carried out what was asked. */
function afterEarlierHop(failure: EgressFailure, sent: Sent, method: string): EgressFailure {
  const { kind, message, status } = failure;
  const told = isReadingMethod(method) ? message : `${message}, after a redirect that answered the write`;
  return new EgressFailure(kind, sent, told, {
    cause: failure,
    ...(status === undefined ? {} : { status }),
  });
}
