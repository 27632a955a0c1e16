/** 68 years. What is said beyond it means that a token does not end. */
const LONGEST_SECONDS = 2 ** 31 - 1;

/**
 * `expires_in` of a token answer, seconds (RFC 6749 §5.1). A number; some providers write its digits as text.
 * Undefined for everything else, as if the provider did not say.
 */
export function lifetimeSeconds(said: unknown): number | undefined {
  const seconds = typeof said === 'string' && /^\d+$/.test(said) ? Number(said) : said;
  if (typeof seconds !== 'number') return undefined;
  return seconds >= 0 && seconds <= LONGEST_SECONDS ? seconds : undefined;
}

/** A token is not used in its last minute, nor in the last half of a shorter life. */
const SKEW_MS = 60_000;

/** Until when a token is used that is `lifetimeMs` from `now` on, both in milliseconds. */
export function usableUntil(now: number, lifetimeMs: number): number {
  return now + lifetimeMs - Math.min(SKEW_MS, lifetimeMs / 2);
}
