const FIRST_MS = 100;
const EARLY_MAX_MS = 1_500;
const LATE_MAX_MS = 30_000;
/** After this long without success, patience grows. */
const LATE_AFTER_MS = 60_000;
/** A session that lived this long, or answered something, was a success. */
export const PROVEN_MS = 5_000;

/** When to try again: 100 ms, doubled up to 1.5 s; after a minute without success doubled on up to 30 s. */
export interface BackOff {
  /** Notes a failure and gives the milliseconds until the next attempt. */
  failed(now: number): number;
  succeeded(): void;
  readonly failures: number;
}

export function createBackOff(): BackOff {
  let failures = 0;
  let since = 0;
  let waitMs = 0;
  return {
    failed(now) {
      if (failures === 0) since = now;
      failures += 1;
      const max = now - since < LATE_AFTER_MS ? EARLY_MAX_MS : LATE_MAX_MS;
      waitMs = Math.min(failures === 1 ? FIRST_MS : waitMs * 2, max);
      return waitMs;
    },
    succeeded() {
      failures = 0;
    },
    get failures() {
      return failures;
    },
  };
}
