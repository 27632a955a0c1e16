import type { Connections } from './connections.ts';
import type { TlsIdentity } from './egress.ts';

/** Certificates that are in use at once; beyond, what was used longest ago is closed. */
const MOST = 50;

export interface Identified {
  of(tls: TlsIdentity): Promise<Connections>;
  close(): Promise<void>;
}

/** Connections for each TLS identity: no request goes over one that was opened as somebody else. */
export function createIdentified(open: (tls: TlsIdentity) => Promise<Connections>): Identified {
  const known = new Map<string, Promise<Connections>>();
  return {
    of(tls) {
      const own = known.get(tls.id) ?? open(tls);
      known.delete(tls.id);
      known.set(tls.id, own);
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
