import type { Configuration } from '../config/configuration.ts';
import { withinTime } from '../operations/work/within-time.ts';
import type { Store } from '../store/store.ts';
import { closeAll } from './close-all.ts';
import { lazily } from './lazily.ts';

/** The store of a gateway: opened when it is first needed, since looking at tools needs none. */
export interface GatewayStore {
  /** Undefined with `store: none`. Throws `store_unavailable`, `store_version`. */
  open(): Promise<Store | undefined>;
  /** What is open already. */
  readonly current: Store | undefined;
  close(): Promise<void>;
}

/** How long the last writes may take; the ends of calls that are not written by then another process writes, milliseconds. */
const ENDING_MS = 10_000;

/** Closes the store behind the last writes. One that does not answer ends what waits for it by being closed. */
export function closeStoreAfter(written: Promise<void>, store: Pick<GatewayStore, 'close'>): Promise<void> {
  return closeAll([() => withinTime(ENDING_MS, written), () => store.close(), () => written]);
}

export function createGatewayStore({ store: address }: Configuration): GatewayStore {
  let current: Store | undefined;
  const opening = lazily(async () => {
    if (address === 'none') return undefined;
    const { openStore } = await import('../store/open-store.ts');
    current = await openStore(address, { write: true });
    return current;
  });
  return {
    open: opening,
    get current() {
      return current;
    },
    close: async () => current?.close(),
  };
}
