import type { Configuration } from '../config/configuration.ts';
import type { Store } from '../store/store.ts';
import { lazily } from './lazily.ts';

/** The store of a gateway: opened when it is first needed, since looking at tools needs none. */
export interface GatewayStore {
  /** Undefined with `store: none`. Throws `store_unavailable`, `store_version`. */
  open(): Promise<Store | undefined>;
  /** What is open already. */
  readonly current: Store | undefined;
  close(): Promise<void>;
}

export function createGatewayStore({ store: address }: Configuration): GatewayStore {
  let current: Store | undefined;
  const opening = lazily(async () => {
    if (address === 'none') return undefined;
    const { openStore } = await import('../store/open-store.ts');
    current = await openStore(address);
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
