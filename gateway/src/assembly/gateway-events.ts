import { createEventLog, type EventLog, type EventQuery } from '../events/event-log.ts';
import type { Event, EventBody } from '../operations/index.ts';
import type { Report } from './faults-told.ts';
import type { GatewayStore } from './gateway-store.ts';
import { lazily } from './lazily.ts';

/** Facts kept until the log is opened. */
const MAX_WAITING = 1000;
const UPKEEP_FAILED = 'The store could not be told that this gateway runs, or asked which others do.';

export interface GatewayEvents {
  /** Opens the log. Rejects with `store_unavailable`. */
  append(body: EventBody): Promise<Event>;
  /** For what is no call: kept until somebody opens the log, since looking at tools needs none. */
  note(body: EventBody): void;
  /** Opens the log too: who listens wants to hear. */
  subscribe(listener: (event: Event) => void): () => void;
  /** Told that this or another process appended events. */
  onNews(listener: () => void): () => void;
  list(after?: number, query?: EventQuery): Promise<readonly Event[]>;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The event log in the store, or in memory where there is none. */
export function createGatewayEvents(store: GatewayStore, tell: Report): GatewayEvents {
  const report = (error: unknown) => tell(error, 'An event could not be recorded.');
  const listeners = new Set<(event: Event) => void>();
  let waiting: EventBody[] = [];
  let log: EventLog | undefined;
  let begun: Promise<unknown> | undefined;
  const open = lazily(async () => {
    const opened = await openLog(store, report, (error) => tell(error, UPKEEP_FAILED));
    opened.subscribe((event) => {
      for (const listener of [...listeners]) listener(event);
    });
    log = opened;
    const kept = waiting;
    waiting = [];
    for (const body of kept) opened.append(body).catch(report);
    return opened;
  });
  const opening = () => {
    const opened = open();
    begun ??= opened.catch(() => undefined);
    return opened;
  };
  return {
    append: (body) =>
      log === undefined ? opening().then((opened) => opened.append(body)) : log.append(body),
    note(body) {
      if (log !== undefined) log.append(body).catch(report);
      else if (waiting.push(body) > MAX_WAITING) waiting.shift();
    },
    subscribe(listener) {
      listeners.add(listener);
      opening().catch(report);
      return () => listeners.delete(listener);
    },
    onNews(listener) {
      listeners.add(listener);
      let stop: (() => void) | undefined;
      let stopped = false;
      opening()
        .then(() => {
          if (!stopped) stop = store.current?.onAppend(listener);
        })
        .catch(report);
      return () => {
        stopped = true;
        listeners.delete(listener);
        stop?.();
      };
    },
    list: async (after, query) => (await opening()).list(after, query),
    open: async () => void (await opening()),
    async close() {
      await begun;
      await log?.close();
    },
  };
}

async function openLog(
  store: GatewayStore,
  report: (error: unknown) => void,
  upkeepFailed: (error: unknown) => void,
): Promise<EventLog> {
  const opened = await store.open();
  if (opened === undefined) return createEventLog({ onListenerError: report });
  const [{ createDurableEvents }, { endsCall }] = await Promise.all([
    import('../events/durable-events.ts'),
    import('../events/event-rows.ts'),
  ]);
  return createDurableEvents({
    store: opened,
    onListenerError: report,
    onError(error, body) {
      if (body === undefined) upkeepFailed(error);
      // of a call the router tells, with its id
      else if (body.type !== 'call-started' && !endsCall(body)) report(error);
    },
  });
}
