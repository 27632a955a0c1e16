import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import type { DestinationCheck } from './destination.ts';
import type { Resolve } from './egress.ts';

/** TCP and TLS handshake together, milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Connections by origin, kept alive and reused, HTTP/1.1. A connection goes only to an address that was
 * checked for its origin: names pass through our lookup, literal addresses were checked with the URL.
 * Environment proxies play no part.
 */
export async function openConnections(check: DestinationCheck, resolve: Resolve): Promise<Agent> {
  const { Agent, Pool, buildConnector } = await import('undici');
  return new Agent({
    maxHeaderSize: MAX_HEADER_BYTES,
    factory(origin, options) {
      const url = check.parse(String(origin));
      const connect = buildConnector({
        allowH2: false,
        timeout: CONNECT_TIMEOUT_MS,
        lookup: checkedLookup(url, check, resolve),
      } as Parameters<typeof buildConnector>[0]);
      return new Pool(origin, { ...options, connect });
    },
  });
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
