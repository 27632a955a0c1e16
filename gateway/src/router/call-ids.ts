import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 10;
const POOL_IDS = 256;

/**
 * Correlation ids: 128 bits in hex, as a UUID version 7 begins (RFC 9562 §5.7) 48 bits of milliseconds, then 80
 * random ones, drawn from the system in batches. Ids in the order of time keep the store's index of calls in few pages.
 */
export function createCallIds(now: () => number = Date.now): () => string {
  const pool = Buffer.alloc(RANDOM_BYTES * POOL_IDS);
  let at = pool.length;
  let milliseconds = Number.NaN;
  let prefix = '';
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += RANDOM_BYTES;
    const time = now();
    if (time !== milliseconds) {
      milliseconds = time;
      prefix = time.toString(16).padStart(12, '0');
    }
    return prefix + pool.toString('hex', at - RANDOM_BYTES, at);
  };
}
