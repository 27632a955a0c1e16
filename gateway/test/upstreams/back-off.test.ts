import { expect, test } from 'vitest';
import { createBackOff } from '../../src/upstreams/back-off.ts';

test('waits grow from 100 ms to 1.5 s, after a minute up to 30 s, and start anew after a success', () => {
  const backOff = createBackOff();
  let now = 7_000_000;
  const fail = () => {
    const waitMs = backOff.failed(now);
    now += waitMs;
    return waitMs;
  };
  expect(Array.from({ length: 7 }, fail)).toEqual([100, 200, 400, 800, 1_500, 1_500, 1_500]);
  while (now < 7_060_000) fail();
  expect(Array.from({ length: 6 }, fail)).toEqual([3_000, 6_000, 12_000, 24_000, 30_000, 30_000]);
  backOff.succeeded();
  expect(fail()).toBe(100);
});
