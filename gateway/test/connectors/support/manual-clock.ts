import type { Clock } from '../../../src/connectors/index.ts';

export interface ManualClock extends Clock {
  /** Lets time pass: what is due meanwhile runs, in order, and sees its own time. */
  advance(ms: number): void;
  /** Milliseconds until each timer, the next first. */
  readonly waits: readonly number[];
}

/** Time stands still until a test moves it. */
export function manualClock(start = Date.UTC(2026, 0, 5, 12)): ManualClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const due = () => [...timers].sort((a, b) => a.at - b.at);
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let next = due()[0]; next !== undefined && next.at <= end; next = due()[0]) {
        timers.delete(next);
        now = next.at;
        next.run();
      }
      now = end;
    },
    get waits() {
      return due().map(({ at }) => at - now);
    },
  };
}
