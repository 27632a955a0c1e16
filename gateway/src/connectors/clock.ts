/** Time as this room uses it; tests set it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs once after the time, milliseconds; the function given back takes it away. Keeps no process alive. */
  after(ms: number, run: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
