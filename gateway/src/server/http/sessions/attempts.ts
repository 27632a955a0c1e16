import { ToolcribError } from '../../../errors.ts';

const BURST = 10;
/** One more attempt after each, milliseconds. */
const REFILL_MS = 6_000;

/**
 * Failed sign-ins of this process. One-time codes and keys are not counted: they cannot be guessed, and whoever fails on
 * purpose must not keep anybody out who has one.
 */
export interface Attempts {
  /** Throws `rate_limited` after too many failures, whatever is shown now. */
  check(): void;
  failed(): void;
}

export function createAttempts(now: () => number = Date.now): Attempts {
  let left = BURST;
  let at = now();
  const refill = () => {
    const gained = Math.max(0, now() - at) / REFILL_MS;
    left = Math.min(BURST, left + gained);
    at = now();
  };
  return {
    check() {
      refill();
      if (left >= 1) return;
      const seconds = Math.ceil(((1 - left) * REFILL_MS) / 1000);
      throw new ToolcribError('rate_limited', 'Too many sign-ins failed.', {
        next: `Try again in ${seconds} s, or sign in with the link that \`toolcrib console\` prints.`,
      });
    },
    failed() {
      refill();
      left = Math.max(0, left - 1);
    },
  };
}
