/** Messages a second, answers aside, that one server is listened to; what comes faster waits where it is. */
const MESSAGES_A_SECOND = 1000;

/**
 * How fast the messages of one server are taken: a second's worth at once (or another time's), then no faster than
 * that. Nothing is lost, the server finds its line full; others' calls find the event loop free.
 */
export interface Pace {
  /** Milliseconds to wait after this many messages. */
  after(messages: number): number;
}

export function createPace(perSecond = MESSAGES_A_SECOND, atOnceMs = 1000): Pace {
  /** When all that came so far would have come at that pace. */
  let paid = Number.NEGATIVE_INFINITY;
  return {
    after(messages) {
      const now = performance.now();
      paid = Math.max(paid, now - atOnceMs) + (messages * 1000) / perSecond;
      return Math.max(0, paid - now);
    },
  };
}
