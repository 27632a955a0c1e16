import { headerText } from '../operations/http/header-text.ts';
import type { DestinationCheck } from './destination.ts';
import { EgressFailure, type Sent } from './egress.ts';
import type { WireRequest } from './wire-request.ts';

const REDIRECT_STATUS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** What another origin may see; everything else (credentials, custom headers) stays with the first origin. */
const PORTABLE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'accept-encoding',
  'user-agent',
]);

export function isRedirect(status: number, location: string | undefined): location is string {
  return location !== undefined && REDIRECT_STATUS.has(status);
}

/**
 * How far a redirected request got, whatever its method: 307 and 308 say that nothing was done yet (RFC 9110 §15.4.8),
 * after 301 to 303 it may have been carried out. There are services that write by GET.
 */
export function sentBefore(status: number): Sent {
  return status === 307 || status === 308 ? 'none' : 'all';
}

/**
 * The next hop (RFC 9110 §15.4, methods as in the Fetch standard): 303 and a POST's 301 or 302 become GET.
 * A write, or anything with a body, is never repeated at another origin: `redirect`. The target is checked
 * like any URL: `egress_blocked`.
 */
export function redirected(
  request: WireRequest,
  answer: { readonly status: number; readonly location: string },
  check: DestinationCheck,
): WireRequest {
  const { status } = answer;
  const url = check.parse(headerText(answer.location), request.url);
  const becomesGet =
    (status === 303 && request.method !== 'HEAD' && request.method !== 'GET') ||
    (request.method === 'POST' && (status === 301 || status === 302));
  const method = becomesGet ? 'GET' : request.method;
  const body = becomesGet ? undefined : request.body;
  const sameOrigin = url.origin === request.url.origin;
  if (!sameOrigin && (body !== undefined || !SAFE_METHODS.has(method))) {
    throw new EgressFailure(
      'redirect',
      'none',
      `${request.url.host} redirects the ${method} to ${url.host} (${status}); a write is not repeated at another origin`,
      { status },
    );
  }
  const keep = (name: string) =>
    sameOrigin
      ? !(becomesGet && name.startsWith('content-'))
      : PORTABLE_HEADERS.has(name) && !request.credentialHeaders.includes(name);
  const tls = sameOrigin ? request.tls : undefined;
  const socketPath = sameOrigin ? request.socketPath : undefined;
  return { ...request, url, method, body, tls, socketPath, headers: filterHeaders(request.headers, keep) };
}

function filterHeaders(headers: readonly string[], keep: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string;
    if (keep(name.toLowerCase())) kept.push(name, headers[at + 1] as string);
  }
  return kept;
}
