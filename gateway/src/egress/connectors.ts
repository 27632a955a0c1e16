import type { LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { buildConnector } from 'undici';
import type { ProxySettings } from '../operations/index.ts';
import type { DestinationCheck } from './destination.ts';
import { EgressFailure, type Resolve } from './egress.ts';
import { openTunnels } from './proxy-tunnel.ts';
import { isAlert } from './tls-fault.ts';

type Connector = ReturnType<typeof buildConnector>;

/** TCP and TLS handshake together, milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface Connectors {
  /** Connects to this origin, and to addresses only that were checked for it: names pass through our lookup. */
  to(url: URL): Connector;
  close(): Promise<void>;
}

/** Ways to origins, HTTP/1.1. Environment proxies play no part; the operator's own does where there is one. */
export async function openConnectors(
  check: DestinationCheck,
  resolve: Resolve,
  proxy: ProxySettings | undefined,
  tls: Pick<ConnectionOptions, 'secureContext' | 'ca' | 'cert' | 'key'> = {},
): Promise<Connectors> {
  const { buildConnector } = await import('undici');
  const tunnels = proxy === undefined ? undefined : await openTunnels(proxy, check, resolve);
  const settings = { ...tls, allowH2: false, timeout: CONNECT_TIMEOUT_MS };
  return {
    to(url) {
      const direct = buildConnector({
        ...settings,
        lookup: checkedLookup(url, check, resolve),
      } as Parameters<typeof buildConnector>[0]);
      const connector = tunnels?.connector(url, direct, buildConnector(settings)) ?? direct;
      return url.protocol === 'https:' ? withAlerts(connector) : connector;
    },
    close: async () => tunnels?.close(),
  };
}

/**
 * In TLS 1.3 a server may refuse our certificate, or want one, when the request is on its way. Its alert is why the
 * connection ends, though undici would only say that it did.
 */
function withAlerts(connector: Connector): Connector {
  return (options, callback) =>
    connector(options, (...[error, socket]: Parameters<typeof callback>) => {
      if (error !== null) return callback(error, null);
      socket?.once('error', (alert) => {
        if (isAlert((alert as NodeJS.ErrnoException).code ?? '')) socket.destroy(alert);
      });
      callback(null, socket!);
    });
}

/** The way to whatever listens at a Unix domain socket or named pipe. */
export async function openSocket(socketPath: string): Promise<Connectors> {
  const { buildConnector } = await import('undici');
  const connect = buildConnector({ socketPath, timeout: CONNECT_TIMEOUT_MS });
  const connector: Connector = (options, callback) =>
    connect(options, (...[error, socket]: Parameters<typeof callback>) =>
      error === null ? callback(null, socket!) : callback(socketFailure(socketPath, error), null),
    );
  return { to: () => connector, close: async () => undefined };
}

/** The host that a request names is no part of it. */
function socketFailure(socketPath: string, error: Error): EgressFailure {
  const code = 'code' in error ? String(error.code) : '';
  const what =
    code === 'ENOENT'
      ? `There is no socket ${socketPath}`
      : code === 'EACCES' || code === 'EPERM'
        ? `The socket ${socketPath} may not be opened by the user that runs the gateway`
        : `Nothing listens at the socket ${socketPath}`;
  return new EgressFailure('connect_refused', 'none', `${what} (${code || error.name})`, { cause: error });
}

/** `dns.lookup` for one origin, with every answer checked; an error from here reaches the request unchanged. */
function checkedLookup(url: URL, check: DestinationCheck, resolve: Resolve): LookupFunction {
  return (_hostname, options, callback) => {
    check.addresses(url, resolve).then(
      (addresses) => {
        if (options.all)
          callback(
            null,
            addresses.map((entry) => ({ ...entry })),
          );
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 4),
    );
  };
}
