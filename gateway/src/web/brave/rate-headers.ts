import type { RateWindow } from '../rate-gate.ts';

type Headers = Readonly<Record<string, string>>;

/** What the rate headers of an answer say; each is a list with one entry a window. */
export interface RateFacts {
  /** Shortest window of `X-RateLimit-Policy` (`1;w=1, 15000;w=2592000`). */
  readonly shortest?: RateWindow;
  /** Milliseconds until every used-up window begins anew; 0 when none is used up. */
  readonly resetMs: number;
}

export function rateFacts(headers: Headers): RateFacts {
  const windows = policy(headers['x-ratelimit-policy']);
  const remaining = numbers(headers['x-ratelimit-remaining']);
  const reset = numbers(headers['x-ratelimit-reset']);
  const waits = remaining.map((left, index) =>
    left === 0 && windows[index]?.limit !== 0 ? reset[index] || 0 : 0,
  );
  const [shortest] = windows
    .flatMap(({ limit, windowMs }) => (limit > 0 && windowMs > 0 ? [{ limit, windowMs }] : []))
    .sort((a, b) => a.windowMs - b.windowMs);
  return {
    ...(shortest === undefined ? {} : { shortest }),
    resetMs: Math.max(0, ...waits) * 1000,
  };
}

/** As they stand, so that windows keep their places. A limit of 0 is none: plans without a monthly quota say so. */
function policy(header: string | undefined): RateWindow[] {
  return (header ?? '').split(',').map((entry) => {
    const [, limit, seconds] = /^\s*(\d+)\s*;\s*w=(\d+)\s*$/.exec(entry) ?? [];
    return { limit: Number(limit), windowMs: Number(seconds) * 1000 };
  });
}

/** `NaN` for what is no number, so that windows keep their places. */
function numbers(header: string | undefined): number[] {
  return header === undefined ? [] : header.split(',').map((entry) => Number.parseInt(entry, 10));
}
