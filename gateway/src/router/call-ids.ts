import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;
const POOL_IDS = 256;

/** Correlation ids: 128 random bits in hex, drawn from the system in batches. */
export function createCallIds(): () => string {
  const pool = Buffer.alloc(ID_BYTES * POOL_IDS);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += ID_BYTES;
    return pool.toString('hex', at - ID_BYTES, at);
  };
}
