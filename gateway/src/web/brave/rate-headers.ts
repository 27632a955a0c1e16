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
  const remaining = numbers(headers['x-ratelimit-remaining']);
  const reset = numbers(headers['x-ratelimit-reset']);
  const waits = remaining.map((left, index) => (left === 0 ? reset[index] || 0 : 0));
  const [shortest] = policy(headers['x-ratelimit-policy']).sort((a, b) => a.windowMs - b.windowMs);
  return {
    ...(shortest === undefined ? {} : { shortest }),
    resetMs: Math.max(0, ...waits) * 1000,
  };
}

function policy(header: string | undefined): RateWindow[] {
  return (header ?? '').split(',').flatMap((entry) => {
    const [, limit, seconds] = /^\s*(\d+)\s*;\s*w=(\d+)\s*$/.exec(entry) ?? [];
    return limit === undefined || Number(seconds) === 0
      ? []
      : [{ limit: Number(limit), windowMs: Number(seconds) * 1000 }];
  });
}

/** `NaN` for what is no number, so that windows keep their places. */
function numbers(header: string | undefined): number[] {
  return header === undefined ? [] : header.split(',').map((entry) => Number.parseInt(entry, 10));
}
