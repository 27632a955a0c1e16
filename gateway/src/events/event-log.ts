import type { Event, EventBody } from '../operations/index.ts';

export type EventListener = (event: Event) => void;

/** The newest committed facts of this process, in the order in which they happened. */
export interface EventLog {
  /** Numbers and dates a fact, keeps it, and tells every subscriber before it returns. */
  append(body: EventBody): Event;
  /** Returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void;
  /** Events kept with a sequence above `after`, oldest first; all of them without it. */
  list(after?: number): readonly Event[];
  /**
   * Events above `after` (default: only what is still to come) until the signal ends, without an error.
   * A reader slower than the log loses the oldest events: a gap in `sequence` shows it.
   */
  follow(signal: AbortSignal, after?: number): AsyncGenerator<Event, void, undefined>;
}

export interface EventLogOptions {
  /** Events kept; older ones are forgotten. */
  readonly capacity?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** A subscriber threw or rejected; the others were told all the same. */
  readonly onListenerError?: (error: unknown) => void;
}

export function createEventLog({
  capacity = 1000,
  now = Date.now,
  onListenerError = () => {},
}: EventLogOptions = {}): EventLog {
  const ring = new EventRing(capacity);
  const subscriptions = new Set<{ readonly listener: EventListener }>();
  const undelivered: Event[] = [];
  let delivering = false;

  const subscribe = (listener: EventListener) => {
    const subscription = { listener };
    subscriptions.add(subscription);
    return () => void subscriptions.delete(subscription);
  };

  /** An append from inside a listener waits its turn: everybody sees the same order. */
  const deliver = () => {
    if (delivering) return;
    delivering = true;
    try {
      for (let event = undelivered.shift(); event !== undefined; event = undelivered.shift()) {
        for (const subscription of [...subscriptions]) {
          if (subscriptions.has(subscription)) notify(subscription.listener, event, onListenerError);
        }
      }
    } finally {
      delivering = false;
    }
  };

  return {
    append(body) {
      const event: Event = Object.freeze({
        ...body,
        sequence: ring.last + 1,
        time: new Date(now()).toISOString(),
      });
      ring.push(event);
      if (subscriptions.size > 0) {
        undelivered.push(event);
        deliver();
      }
      return event;
    },
    subscribe,
    list: (after = 0) => ring.since(after),
    follow: (signal, after = ring.last) => follow(ring, subscribe, signal, after),
  };
}

function notify(listener: (event: Event) => unknown, event: Event, onError: (error: unknown) => void): void {
  try {
    const returned = listener(event);
    if (returned instanceof Promise) returned.catch(onError);
  } catch (error) {
    onError(error);
  }
}

/** Reads from the ring by sequence, so that a follower holds no queue of its own. */
async function* follow(
  ring: EventRing,
  subscribe: EventLog['subscribe'],
  signal: AbortSignal,
  after: number,
): AsyncGenerator<Event, void, undefined> {
  let seen = after;
  let wake = Promise.withResolvers<void>();
  const unsubscribe = subscribe(() => wake.resolve());
  const onAbort = () => wake.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>();
      for (const event of ring.since(seen)) {
        if (signal.aborted) return;
        seen = event.sequence;
        yield event;
      }
      if (!signal.aborted && ring.last <= seen) await wake.promise;
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', onAbort);
  }
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
