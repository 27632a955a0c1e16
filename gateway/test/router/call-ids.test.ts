import { describe, expect, it } from 'vitest';
import { createCallIds } from '../../src/router/call-ids.ts';

describe('correlation ids', () => {
  it('are 128 bits in hex and never the same', () => {
    const next = createCallIds();
    const ids = Array.from({ length: 2000 }, next);
    expect(new Set(ids).size).toBe(2000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('sort in the order of time', () => {
    let now = 1_763_000_000_000;
    const next = createCallIds(() => now++);
    const ids = Array.from({ length: 50 }, next);
    expect(ids.toSorted()).toEqual(ids);
  });
});
