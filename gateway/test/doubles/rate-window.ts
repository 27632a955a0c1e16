/** What a limiter says to one request: how many are left, and when the caller may come again. */
export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the window that counts now ends, milliseconds since the epoch. */
  readonly resetAt: number;
  /** Until a request is let through again; 0 when allowed. */
  readonly waitMs: number;
}

/** Counts the requests of one key. Refused requests do not count. */
export type RateLimiter = (key: string, now?: number) => RateVerdict;

/** At most `requests` in any stretch of `windowMs`. */
export function rollingWindow(requests: number, windowMs: number): RateLimiter {
  const taken = new Map<string, number[]>();
  return (key, now = Date.now()) => {
    const recent = (taken.get(key) ?? []).filter((at) => at > now - windowMs);
    const allowed = recent.length < requests;
    if (allowed) recent.push(now);
    taken.set(key, recent);
    const resetAt = recent[0]! + windowMs;
    return verdict(allowed, requests, requests - recent.length, resetAt, now);
  };
}

/** At most `requests` in each window; windows begin at multiples of `windowMs`. */
export function fixedWindow(requests: number, windowMs: number): RateLimiter {
  const taken = new Map<string, { start: number; count: number }>();
  return (key, now = Date.now()) => {
    const start = now - (now % windowMs);
    const known = taken.get(key);
    const window = known?.start === start ? known : { start, count: 0 };
    taken.set(key, window);
    const allowed = window.count < requests;
    if (allowed) window.count++;
    return verdict(allowed, requests, requests - window.count, start + windowMs, now);
  };
}

/** A bucket of `burst` tokens, filled again at `requests` a `windowMs`. */
export function tokenBucket(requests: number, windowMs: number, burst: number): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const perMs = requests / windowMs;
  return (key, now = Date.now()) => {
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perMs);
    const allowed = tokens >= 1;
    buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
    const left = allowed ? tokens - 1 : tokens;
    return verdict(allowed, burst, Math.floor(left), now + Math.ceil((1 - Math.min(left, 1)) / perMs), now);
  };
}

function verdict(
  allowed: boolean,
  limit: number,
  remaining: number,
  resetAt: number,
  now: number,
): RateVerdict {
  return { allowed, limit, remaining, resetAt, waitMs: allowed ? 0 : Math.max(1, resetAt - now) };
}
