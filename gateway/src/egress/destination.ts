import { type AllowList, canonicalHost, parseAllowList } from '../operations/http/allow-list.ts';
import { includesCredentials } from '../operations/http/includes-credentials.ts';
import { type AddressGuard, createAddressGuard, familyOf } from './address-guard.ts';
import { EgressFailure, type Resolve } from './egress.ts';

/** Names that cloud platforms give their metadata service; their subdomains count too. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'api.metadata.cloud.ibm.com',
  'instance-data',
  'instance-data.ec2.internal',
  'rancher-metadata',
]);

/** Names of this machine (RFC 6761 §6.3 and the usual hosts files), whatever a resolver says. */
const LOCAL_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost6',
  'localhost6.localdomain6',
  'ip6-localhost',
  'ip6-loopback',
  'loopback',
]);

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Which URLs may be reached, and at which addresses. Every refusal is an EgressFailure with nothing sent. */
export interface DestinationCheck {
  /** Scheme, user information, host name and literal address; no DNS. */
  parse(url: string, base?: URL): URL;
  /** The addresses a connection to this URL may use: every DNS answer is checked. */
  addresses(url: URL, resolve: Resolve): Promise<readonly CheckedAddress[]>;
}

/** Origins whose host was found in order are remembered, up to this many. */
const MAX_ORIGINS = 1000;

export function createDestinationCheck(allow: readonly string[] = []): DestinationCheck {
  const allowed = parseAllowList(allow);
  const guard = createAddressGuard();
  const passed = new Set<string>();
  const checkHost = (url: URL): void => {
    if (!allowed.permits(url)) refuseByName(url);
    const host = canonicalHost(url.hostname);
    if (familyOf(host) !== undefined) checkAddress(url, host, allowed, guard);
  };
  return {
    parse(text, base) {
      const url = parseHttpUrl(text, base);
      const { origin } = url;
      if (passed.has(origin)) return url;
      checkHost(url);
      if (passed.size >= MAX_ORIGINS) passed.clear();
      passed.add(origin);
      return url;
    },
    async addresses(url, resolve) {
      const host = canonicalHost(url.hostname);
      const literal = familyOf(host);
      const answers = literal === undefined ? await answersOf(host, resolve) : [{ address: host }];
      for (const { address } of answers) checkAddress(url, address, allowed, guard);
      return answers.map(({ address }) => ({ address, family: familyOf(address) === 'ipv6' ? 6 : 4 }));
    },
  };
}

function parseHttpUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw blocked(`"${printable(text)}" is no URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw blocked(`Only http and https URLs are called, not ${url.protocol.slice(0, -1)}`);
  }
  if (includesCredentials(url) || hasEmptyUser(text, url)) {
    throw blocked(`The URL for ${url.host} contains user information, which is never sent`);
  }
  url.hash = '';
  return url;
}

/** The URL parser forgets an empty user ("http://@host/"); the text still shows it. */
function hasEmptyUser(text: string, url: URL): boolean {
  if (!text.includes('@')) return false;
  const written = text.replace(/[\t\n\r]/g, '').replace(/^[\x00-\x20]+/, '');
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}([^/\\?#]*)/i.exec(written)?.[1];
  const short = /^https?:[/\\]?([^/\\?#]*)/i.exec(written)?.[1];
  return (
    (authority ?? (written.toLowerCase().startsWith(url.protocol) ? short : undefined))?.includes('@') ??
    false
  );
}

function refuseByName(url: URL): void {
  const host = canonicalHost(url.hostname);
  if (familyOf(host) !== undefined) return;
  const labels = host.split('.');
  if (host.length > 253 || labels.some((label) => label === '' || label.length > 63)) {
    throw blocked(`"${printable(host)}" is no host name`);
  }
  if (LOCAL_NAMES.has(host) || host.endsWith('.localhost')) {
    throw blocked(`${host} means this machine`);
  }
  for (let first = 0; first < labels.length; first++) {
    const suffix = labels.slice(first).join('.');
    const single = !suffix.includes('.') && first > 0;
    if (!single && METADATA_NAMES.has(suffix)) throw blocked(`${host} is a cloud metadata service`);
  }
}

function checkAddress(url: URL, address: string, allowed: AllowList, guard: AddressGuard): void {
  const host = canonicalHost(url.hostname);
  const shown = address === host ? host : `${host} (${printable(address)})`;
  if (familyOf(address) === undefined) throw blocked(`The resolver's answer for ${shown} is no address`);
  if (guard.isMetadata(address)) {
    if (allowed.permits(url) && allowed.names(address)) return;
    throw blocked(`${shown} is a link-local or cloud metadata address`);
  }
  if (!guard.isPublic(address) && !allowed.permits(url)) throw blocked(`${shown} is no public address`);
}

async function answersOf(host: string, resolve: Resolve): Promise<ReadonlyArray<{ address: string }>> {
  let answers: ReadonlyArray<{ address: string }>;
  try {
    answers = await resolve(host);
  } catch (cause) {
    const code = (cause as { code?: unknown } | null)?.code;
    const reason = typeof code === 'string' ? ` (${code})` : '';
    throw new EgressFailure('dns', 'none', `The name ${host} cannot be resolved${reason}`, { cause });
  }
  if (answers.length === 0) throw new EgressFailure('dns', 'none', `The name ${host} has no address`);
  return answers;
}

function blocked(reason: string): EgressFailure {
  return new EgressFailure('egress_blocked', 'none', `${reason}: refused before anything was sent`);
}

function printable(text: string): string {
  return text.slice(0, 120).replace(/[^\x20-\x7e]/g, '?');
}
