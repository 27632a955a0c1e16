import type { Connections } from './connections.ts';

/** Certificates or sockets that are in use at once; beyond, what was used longest ago is closed. */
const MOST = 50;

export interface Identified<T> {
  of(way: T): Promise<Connections>;
  close(): Promise<void>;
}

/** Connections for each TLS identity or socket: no request goes over one that was opened as somebody else. */
export function createIdentified<T extends { readonly id: string }>(
  open: (way: T) => Promise<Connections>,
): Identified<T> {
  const known = new Map<string, Promise<Connections>>();
  return {
    of(way) {
      const own = known.get(way.id) ?? open(way);
      known.delete(way.id);
      known.set(way.id, own);
      const [oldest] = known;
      if (known.size > MOST && oldest !== undefined) {
        known.delete(oldest[0]);
        void oldest[1].then((unused) => unused.retire()).catch(() => undefined);
      }
      return own;
    },
    async close() {
      await Promise.all([...known.values()].map(async (own) => (await own.catch(() => undefined))?.close()));
    },
  };
}
