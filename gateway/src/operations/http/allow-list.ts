import { isIPv6 } from 'node:net';
import { ToolcribError } from '../../errors.ts';
import { includesCredentials } from './includes-credentials.ts';

/** Destinations that the operator named, and only those. */
export interface AllowList {
  permits(url: URL): boolean;
  /** True when an entry is exactly this address, so that even a metadata endpoint is meant. */
  names(address: string): boolean;
}

/**
 * Reads `host` (every port), `host:port` (http and https) and origins; an URL counts by its origin.
 * Throws `configuration_invalid` for anything else.
 */
export function parseAllowList(entries: readonly string[], place = 'egress.allow'): AllowList {
  const hosts = new Set<string>();
  const authorities = new Set<string>();
  const origins = new Set<string>();
  const literals = new Set<string>();
  for (const entry of entries) {
    const { url, scheme, port } = parseEntry(entry, place);
    const host = canonicalHost(url.hostname);
    literals.add(host);
    if (scheme) origins.add(`${url.protocol}//${host}:${portOf(url)}`);
    else if (port) authorities.add(`${host}:${port}`);
    else hosts.add(host);
  }
  return {
    permits(url) {
      if (literals.size === 0) return false;
      const host = canonicalHost(url.hostname);
      const port = portOf(url);
      return (
        hosts.has(host) ||
        authorities.has(`${host}:${port}`) ||
        origins.has(`${url.protocol}//${host}:${port}`)
      );
    },
    names: (address) =>
      literals.has(isIPv6(address) ? canonicalHost(new URL(`http://[${address}]/`).hostname) : address),
  };
}

/** Lower case, without the root dot, IPv6 without brackets. */
export function canonicalHost(hostname: string): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return bare.endsWith('.') ? bare.slice(0, -1) : bare;
}

/** Also where it is the scheme's own. */
export function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

/** What each entry has to be. */
export const DESTINATION = 'host, host:port or origin such as http://127.0.0.1:3000';

export function isDestination(entry: string): boolean {
  return read(entry) !== undefined;
}

interface Entry {
  readonly url: URL;
  readonly scheme: boolean;
  readonly port: string;
}

function parseEntry(entry: string, place: string): Entry {
  const found = read(entry);
  if (found !== undefined) return found;
  throw new ToolcribError('configuration_invalid', `${place}: "${entry}" is no ${DESTINATION}.`, {
    pointer: `#/${place.replaceAll('.', '/')}`,
  });
}

function read(entry: string): Entry | undefined {
  const text = entry.trim();
  const scheme = /^https?:\/\//i.test(text);
  const authority = isIPv6(text) ? `[${text}]` : text;
  const url = URL.parse(scheme ? text : `http://${authority}`);
  const plain = scheme || /^(\[[^\]]+\]|[^\s/\\?#@:]+)(:\d+)?$/.test(authority);
  if (!url || !plain || includesCredentials(url) || url.hostname.includes('*')) return undefined;
  return {
    url,
    scheme,
    port: scheme ? '' : (/:(\d+)$/.exec(authority.replace(/^\[[^\]]+\]/, ''))?.[1] ?? ''),
  };
}
