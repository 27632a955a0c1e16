import type { EgressResponse } from '../egress/index.ts';
import { retryAfterMs } from '../operations/http/retry-after.ts';
import type { Clock } from './clock.ts';

/** Without a word on how long, and when Azure says that nothing is left of the budget. */
const REST_MS = 5_000;
const LONGEST_MS = 60 * 60_000;

/** What Azure's answers say of its limits; background work waits, calls of people do not. */
export interface Throttle {
  saw(response: EgressResponse): void;
  /** Milliseconds until requests that nobody waits for may go again. */
  restMs(): number;
}

export function createThrottle(clock: Clock): Throttle {
  let until = 0;
  return {
    saw({ status, headers }) {
      const asked = retryAfterMs(headers, clock.now());
      const limited = status === 429 || (status === 503 && asked !== undefined);
      if (!limited && !usedUp(headers)) return;
      until = Math.max(until, clock.now() + Math.min(asked ?? REST_MS, LONGEST_MS));
    },
    restMs: () => Math.max(0, until - clock.now()),
  };
}

/** `x-ms-ratelimit-remaining-subscription-reads: 0` and its like for resources, tenants and the global limit. */
function usedUp(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(
    ([name, value]) => /^x-ms-ratelimit-remaining-.*-reads$/.test(name) && /^\s*0\s*$/.test(value),
  );
}
