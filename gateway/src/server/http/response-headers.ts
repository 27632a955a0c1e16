import type { Answer } from '../whole-answer.ts';
import type { Guards } from './guards.ts';

const SECURITY_HEADERS: ReadonlyArray<readonly [string, string]> = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ['cross-origin-resource-policy', 'same-origin'],
];

/** A page of ours may need its own: no answer of a service ever sets them. */
const OWN: ReadonlySet<string> = new Set([
  'content-security-policy',
  'referrer-policy',
  'cross-origin-resource-policy',
]);

/** Security headers, and CORS for the origins that the configuration names. */
export function finish(response: Answer, request: Request, guards: Guards): Answer {
  for (const [name, value] of SECURITY_HEADERS) {
    if (!(OWN.has(name) && response.headers.has(name))) response.headers.set(name, value);
  }
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  const origin = request.headers.get('origin');
  if (origin !== null && guards.allowsPages(origin)) {
    response.headers.set('access-control-allow-origin', origin);
    response.headers.set(
      'access-control-expose-headers',
      'mcp-session-id, mcp-protocol-version, www-authenticate, etag, content-range, accept-ranges',
    );
    response.headers.set('cross-origin-resource-policy', 'cross-origin');
    const vary = response.headers.get('vary');
    response.headers.set('vary', vary ? `${vary}, origin` : 'origin');
  }
  return response;
}

/** Answers a CORS preflight of an allowed page; undefined when this is none. */
export function preflight(request: Request, guards: Guards): Response | undefined {
  const origin = request.headers.get('origin');
  const asked = request.headers.get('access-control-request-method');
  if (request.method !== 'OPTIONS' || asked === null || origin === null || !guards.allowsPages(origin))
    return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '',
      'access-control-max-age': '600',
    },
  });
}
