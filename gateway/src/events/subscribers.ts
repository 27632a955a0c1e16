import type { Event } from '../operations/index.ts';

export type EventListener = (event: Event) => void;

export interface Subscribers {
  readonly add: (listener: EventListener) => () => void;
  tell(event: Event): void;
}

/** Tells everybody every event in one order, also when a subscriber appends another in between. */
export function createSubscribers(onError: (error: unknown) => void): Subscribers {
  const subscriptions = new Set<{ readonly listener: EventListener }>();
  const undelivered: Event[] = [];
  let delivering = false;
  return {
    add(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    tell(event) {
      if (subscriptions.size === 0) return;
      undelivered.push(event);
      if (delivering) return;
      delivering = true;
      try {
        for (let next = undelivered.shift(); next !== undefined; next = undelivered.shift()) {
          for (const subscription of [...subscriptions]) {
            if (subscriptions.has(subscription)) notify(subscription.listener, next, onError);
          }
        }
      } finally {
        delivering = false;
      }
    },
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
