import { hostOf } from '../host-of.ts';

/**
 * Whether a request comes from a page of this very origin, or from no page at all. Stricter than the guards, which let
 * every page of the loopback ask: a cookie goes along with requests from other ports of the same host, too.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = request.headers.get('origin');
  if (origin === null) return true;
  return URL.parse(origin)?.host === hostOf(request);
}
