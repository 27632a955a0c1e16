import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { buildConnector, Pool } from 'undici';
import { canonicalHost, parseAllowList, portOf } from '../operations/http/allow-list.ts';
import { percentDecoded } from '../operations/http/percent-decoded.ts';
import { type ProxySettings, proxyAddress } from '../operations/proxy-settings.ts';
import { createAddressGuard, familyOf } from './address-guard.ts';
import type { CheckedAddress, DestinationCheck } from './destination.ts';
import { EgressFailure, type Resolve } from './egress.ts';
import { failureOf } from './failures.ts';

type Connector = ReturnType<typeof buildConnector>;

/** To the proxy, and from its head of the answer on: TCP, TLS and `CONNECT` each, milliseconds. */
const TIMEOUT_MS = 10_000;
/** So long a resolver that knows no names of the internet may take to say so, milliseconds. */
const LOOKUP_MS = 2000;

export interface Tunnels {
  /** Connects to this origin through the proxy, or by `direct` where the proxy is not for it. */
  connector(url: URL, direct: Connector, secure: Connector): Connector;
  close(): Promise<void>;
}

/**
 * Ways through the operator's proxy: one `CONNECT` tunnel (RFC 9110 §9.3.6) a connection, for http and https alike, so
 * that the proxy sees host and port and nothing of a TLS exchange. Names are resolved and checked here, and the proxy is
 * told the checked address. Where it has to resolve them (`resolve: proxy`) it is told the name, unless that leads to a
 * private address from here. Addresses that are not public and `bypass` are reached directly, where they may be at all.
 */
export async function openTunnels(
  proxy: ProxySettings,
  check: DestinationCheck,
  resolve: Resolve,
): Promise<Tunnels> {
  const { Pool, buildConnector } = await import('undici');
  const address = proxyAddress(proxy.url);
  if (address === undefined) {
    throw new EgressFailure('request_invalid', 'none', 'The address of the proxy is no http or https origin');
  }
  const guard = createAddressGuard();
  const bypassed = bypassOf(proxy.bypass ?? []);
  const pool = new Pool(address.origin, {
    connect: buildConnector({ allowH2: false, timeout: TIMEOUT_MS }),
    headersTimeout: TIMEOUT_MS,
  });
  const tunnel = createTunnel(pool, address);

  /** The addresses or the name to ask the proxy for; undefined: not through it. */
  const targets = async (url: URL): Promise<readonly string[] | undefined> => {
    const host = canonicalHost(url.hostname);
    const byName = proxy.resolve === 'proxy' && familyOf(host) === undefined;
    const addresses = byName ? await seenFromHere(url) : await check.addresses(url, resolve);
    if (!addresses.every(({ address }) => guard.isPublic(address))) return undefined;
    if (byName) return [host];
    // many a proxy has no way to IPv6
    return [4, 6].flatMap((family) => addresses.find((one) => one.family === family)?.address ?? []);
  };

  /** What the name leads to from here; none where nobody here knows it, or not soon. Throws `egress_blocked`. */
  const seenFromHere = async (url: URL): Promise<readonly CheckedAddress[]> => {
    try {
      return await check.addresses(url, patiently(resolve));
    } catch (error) {
      if (error instanceof EgressFailure && error.kind === 'dns') return [];
      throw error;
    }
  };

  return {
    connector(url, direct, secure) {
      if (bypassed(url)) return direct;
      return (options, callback) => {
        const open = async () => {
          const asked = await targets(url);
          if (asked === undefined) return direct(options, callback);
          const socket = await tunnel(asked, url);
          if (url.protocol === 'https:') secure({ ...options, httpSocket: socket }, callback);
          else callback(null, socket);
        };
        open().catch((error: Error) => callback(error, null));
      };
    },
    close: () => pool.destroy(),
  };
}

function createTunnel(pool: Pool, address: URL) {
  const called = `The proxy ${address.host}`;
  const authorization = authorizationOf(address);
  const open = async (target: string, { host }: URL) => {
    const headers = authorization === undefined ? {} : { 'proxy-authorization': authorization };
    const answer = await pool
      .connect({ path: target, headers: { host: target, ...headers } })
      .catch((error: unknown) => {
        throw unreachableProxy(error, called);
      });
    const { statusCode: status, socket } = answer;
    // undici types what it gives as any stream
    if (status >= 200 && status < 300) return socket as Socket;
    socket.on('error', () => undefined).destroy();
    throw refused(called, host, status, authorization !== undefined);
  };
  return async (targets: readonly string[], url: URL) => {
    const port = portOf(url);
    for (const [index, target] of targets.entries()) {
      try {
        return await open(`${target.includes(':') ? `[${target}]` : target}:${port}`, url);
      } catch (error) {
        const isLast = index === targets.length - 1;
        if (isLast || !(error instanceof EgressFailure) || error.kind !== 'connect_refused') throw error;
      }
    }
    throw new EgressFailure('dns', 'none', `The name ${url.hostname} has no address`);
  };
}

/** Every fault before the tunnel is there: of the request itself nothing was sent. */
function unreachableProxy(error: unknown, called: string): EgressFailure {
  if ((error as { code?: unknown } | null)?.code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new EgressFailure('proxy_unreachable', 'none', `${called} does not answer in time`, {
      cause: error,
    });
  }
  const failure = failureOf(error, { host: called, sent: 'none', status: undefined });
  const { kind, message } = failure;
  if (kind !== 'connect_refused' && kind !== 'connect_timeout' && kind !== 'reset') return failure;
  return new EgressFailure('proxy_unreachable', 'none', message, { cause: error });
}

function refused(called: string, host: string, status: number, withPassword: boolean): EgressFailure {
  if (status === 407) {
    const what = withPassword
      ? 'does not accept the user and password of its URL'
      : 'asks for a user and a password';
    return new EgressFailure('proxy_refused', 'none', `${called} ${what} (407)`);
  }
  return status >= 500
    ? new EgressFailure('connect_refused', 'none', `${called} cannot reach ${host} (${status})`)
    : new EgressFailure('proxy_refused', 'none', `${called} does not lead to ${host} (${status})`);
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** `host`, `host:port` and origins as `egress.allow` takes them, and `.suffix` for a domain with all below it. */
function bypassOf(entries: readonly string[]): (url: URL) => boolean {
  const suffixes = entries.filter((entry) => entry.startsWith('.')).map((entry) => entry.toLowerCase());
  const named = parseAllowList(
    entries.filter((entry) => !entry.startsWith('.')),
    'egress.proxy.bypass',
  );
  return (url) => {
    const host = `.${canonicalHost(url.hostname)}`;
    return named.permits(url) || suffixes.some((suffix) => host.endsWith(suffix));
  };
}

function patiently(resolve: Resolve): Resolve {
  return async (host) => {
    const silence = setTimeout(LOOKUP_MS, undefined, { ref: false }).then(() => {
      throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
    });
    return Promise.race([resolve(host), silence]);
  };
}
