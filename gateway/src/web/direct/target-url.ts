import { isIP } from 'node:net';
import { checkUrl, type Resolve } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { type AllowList, canonicalHost, parseAllowList } from '../../operations/http/allow-list.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';

/** Names that no public resolver answers (RFC 6761, 6762, 7686, 8375, 9476, ICANN's `internal`). */
const PRIVATE_ZONES: ReadonlySet<string> = new Set([
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'onion',
  'alt',
  'test',
  'invalid',
]);

/**
 * The address of a page that a caller may name: http or https, a public host name, no literal address in any notation,
 * no user information. What the operator allows for pages is exempt. Throws `arguments_invalid`, `egress_blocked`.
 */
export function targetUrl(text: string, allowed: AllowList = parseAllowList([])): URL {
  const url = URL.parse(text);
  if (url === null) {
    throw new ToolcribError('arguments_invalid', `"${printable(text)}" is no absolute URL.`, {
      pointer: '/url',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw blocked(`Only http and https pages are read, not ${url.protocol.slice(0, -1)}`);
  }
  if (includesCredentials(url)) throw blocked('The address holds user information');
  url.hash = '';
  if (allowed.permits(url)) return url;
  const host = canonicalHost(url.hostname);
  if (isIP(host) !== 0) throw blocked(`${host} is a literal address; pages are read by name`);
  const labels = host.split('.');
  if (labels.length < 2 || PRIVATE_ZONES.has(labels.at(-1)!)) {
    throw blocked(`${printable(host)} is no public host name`);
  }
  return url;
}

/**
 * The same, with every address that the name resolves to. For services that fetch the page themselves.
 * @param unknown a name without an address here: one that its service fetches through a proxy may be known there
 */
export async function publicTarget(
  text: string,
  resolve?: Resolve,
  unknown: 'refused' | 'taken' = 'refused',
): Promise<URL> {
  const url = targetUrl(text);
  const verdict = await checkUrl(url.href, resolve === undefined ? {} : { resolve });
  if (unknown === 'taken' && verdict.kind === 'dns') return url;
  if (!verdict.allow) throw blocked(verdict.reason ?? `${url.hostname} is no public address`);
  return url;
}

function blocked(reason: string): ToolcribError {
  const said = reason.replace(/: refused before anything was sent$/, '');
  return new ToolcribError('egress_blocked', `${said}: refused before anything was sent.`, {
    next: 'Name a page on the public web; where an internal site is meant, the operator lists it in `scrape.allow`.',
  });
}

function printable(text: string): string {
  return text.slice(0, 120).replace(/[^\x20-\x7e]/g, '?');
}
