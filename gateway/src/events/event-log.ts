import type { Event, EventBody } from '../operations/index.ts';
import { type EventQuery, matches, pageOf } from './event-query.ts';
import { followEvents } from './follow.ts';
import { createSubscribers, type EventListener } from './subscribers.ts';

export { areBesideCalls, type EventQuery, matches } from './event-query.ts';

/** Committed facts, in the order in which they were committed. */
export interface EventLog {
  /**
   * Numbers and dates a fact, commits it, and tells every subscriber before it resolves. Rejects with
   * `store_unavailable` where it could not be committed.
   */
  append(body: EventBody): Promise<Event>;
  /** What this process appends. Returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void;
  /**
   * Oldest first: the first events with a sequence above `after`; without it, or with `query.before`, the newest ones.
   */
  list(after?: number, query?: EventQuery): Promise<readonly Event[]>;
  /**
   * Events above `after` (default: only what is still to come), every process's, until the signal ends, without an
   * error. A reader slower than a log that forgets loses the oldest events: a gap in `sequence` shows it.
   */
  follow(signal: AbortSignal, after?: number): AsyncGenerator<Event, void, undefined>;
  /** Commits what is pending. */
  close(): Promise<void>;
}

export interface EventLogOptions {
  /** Events kept; older ones are forgotten. */
  readonly capacity?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** A subscriber threw or rejected; the others were told all the same. */
  readonly onListenerError?: (error: unknown) => void;
}

/** The newest facts of this process, in memory: for a gateway without a store. */
export function createEventLog({
  capacity = 1000,
  now = Date.now,
  onListenerError = () => {},
}: EventLogOptions = {}): EventLog {
  const ring = new EventRing(capacity);
  const subscribers = createSubscribers(onListenerError);
  return {
    async append(body) {
      const event: Event = Object.freeze({
        ...body,
        sequence: ring.last + 1,
        time: new Date(now()).toISOString(),
      });
      ring.push(event);
      subscribers.tell(event);
      return event;
    },
    subscribe: subscribers.add,
    list: async (after, query) => select(ring.since(after ?? 0), after, query),
    follow: (signal, after = ring.last) =>
      followEvents(
        {
          read: async (seen) => ring.since(seen),
          onNews: (wake) => subscribers.add(wake),
        },
        signal,
        async () => after,
      ),
    close: async () => {},
  };
}

function select(
  events: readonly Event[],
  after: number | undefined,
  query: EventQuery = {},
): readonly Event[] {
  return pageOf(events.filter(matches(query)), after, query);
}

/** Keeps the newest `capacity` events; sequences are dense, so a sequence is a position. */
class EventRing {
  readonly #slots: (Event | undefined)[];
  #last = 0;

  constructor(capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new RangeError(`the event log needs a capacity of at least 1, not ${capacity}`);
    }
    this.#slots = new Array(capacity);
  }

  get last(): number {
    return this.#last;
  }

  push(event: Event): void {
    this.#slots[event.sequence % this.#slots.length] = event;
    this.#last = event.sequence;
  }

  since(after: number): readonly Event[] {
    const first = Math.max(1, Math.floor(after) + 1, this.#last - this.#slots.length + 1);
    const events: Event[] = [];
    for (let sequence = first; sequence <= this.#last; sequence++) {
      const event = this.#slots[sequence % this.#slots.length];
      if (event !== undefined) events.push(event);
    }
    return events;
  }
}
