import type { EventLog } from '../events/event-log.ts';
import type { Store } from '../store/store.ts';

/** A store and its log, for one command beside the gateways that may run. */
export interface EventStore extends AsyncDisposable {
  readonly store: Store;
  readonly events: EventLog;
}

interface EventStoreOptions {
  /** Also ends the calls of gateways that are gone. Default: false. */
  readonly recover?: boolean;
}

/** Throws `store_unavailable`. */
export async function openEventStore(
  address: string,
  { recover = false }: EventStoreOptions = {},
): Promise<EventStore> {
  const [{ openStore }, { createDurableEvents }] = await Promise.all([
    import('../store/open-store.ts'),
    import('../events/durable-events.ts'),
  ]);
  const store = await openStore(address);
  const events = createDurableEvents({ store, recover });
  return {
    store,
    events,
    async [Symbol.asyncDispose]() {
      try {
        await events.close();
      } finally {
        await store.close();
      }
    },
  };
}
