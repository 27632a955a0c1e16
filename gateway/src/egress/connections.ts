import type { Agent, Dispatcher, Pool } from 'undici';
import type { ProxySettings } from '../operations/index.ts';
import { type Connectors, openConnectors, openSocket } from './connectors.ts';
import type { DestinationCheck } from './destination.ts';
import type { Resolve, TlsIdentity } from './egress.ts';

const MAX_HEADER_BYTES = 64 * 1024;

/** Kept-alive connections, and when one that has just answered may be used again. */
export interface Connections {
  readonly dispatcher: Dispatcher;
  /** Undefined: send now. Else every connection of the origin is taken, and one is free once this resolves. */
  freed(origin: string): Promise<void> | undefined;
  /** An answer is complete; undici frees its connection one turn of the event loop later. */
  answered(): void;
  /** Ends when what is under way has ended. */
  retire(): void;
  close(): Promise<void>;
}

/** Connections by origin that go where the egress door leads. */
export async function openConnections(
  check: DestinationCheck,
  resolve: Resolve,
  proxy?: ProxySettings,
  tls?: TlsIdentity,
): Promise<Connections> {
  const secure = tls === undefined ? {} : { secureContext: tls.context };
  const connectors = await openConnectors(check, resolve, proxy, secure);
  return poolConnections(connectors, (origin) => check.parse(origin));
}

/** The same through a socket, whatever the origin is called. */
export async function openSocketConnections(socketPath: string): Promise<Connections> {
  return poolConnections(await openSocket(socketPath), (origin) => new URL(origin));
}

/**
 * Connections by origin, kept alive and reused, HTTP/1.1. A connection goes only to an address that was
 * checked for its origin: names by their connector, literal addresses were checked with the URL.
 */
async function poolConnections(connectors: Connectors, parse: (origin: string) => URL): Promise<Connections> {
  const { Agent, Pool } = await import('undici');
  const pools = new Map<string, Pool>();
  const agent: Agent = new Agent({
    maxHeaderSize: MAX_HEADER_BYTES,
    factory(origin, options) {
      const connect = connectors.to(parse(String(origin)));
      return keptIn(pools, String(origin), new Pool(origin, { ...options, connect }));
    },
  });
  let freeing: Promise<void> | undefined;
  return {
    dispatcher: agent,
    freed: (origin) => (freeing !== undefined && pools.get(origin)?.stats.free === 0 ? freeing : undefined),
    answered() {
      freeing ??= afterThisTurn().then(() => {
        freeing = undefined;
      });
    },
    retire() {
      void agent.close().then(() => connectors.close());
    },
    async close() {
      await agent.destroy();
      await connectors.close();
    },
  };
}

/** In the map as long as it has connections: so long undici keeps it too. */
function keptIn(pools: Map<string, Pool>, origin: string, pool: Pool): Pool {
  pool.on('connect', () => pools.set(origin, pool));
  pool.on('disconnect', () => {
    if (pool.stats.connected === 0 && pools.get(origin) === pool) pools.delete(origin);
  });
  return pool;
}

/** Behind what undici schedules when it has told us of the answer's end. */
function afterThisTurn(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => setImmediate(resolve)));
}
