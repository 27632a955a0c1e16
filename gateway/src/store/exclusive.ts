/** One user at a time, in the order of asking. */
export interface Exclusive {
  /** Takes it when nobody holds it or waits for it. */
  tryAcquire(): boolean;
  acquire(): Promise<void>;
  /** Exactly once for each time it was taken. */
  release(): void;
}

export function createExclusive(): Exclusive {
  const waiting: Array<() => void> = [];
  let held = false;
  return {
    tryAcquire() {
      if (held) return false;
      held = true;
      return true;
    },
    acquire() {
      if (!held) {
        held = true;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    release() {
      const next = waiting.shift();
      // it changes hands, so that nobody who comes later can take it
      if (next === undefined) held = false;
      else next();
    },
  };
}
