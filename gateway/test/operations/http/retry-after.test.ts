import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/operations/http/retry-after.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const DAY_MS = 24 * 3_600_000;

test.each([
  ['0', 0],
  ['120', 120_000],
  ['2592000', 30 * DAY_MS],
  ['Sat, 28 Nov 2026 12:01:00 GMT', 60_000],
  ['Sat, 28 Nov 2020 12:01:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  // no delay that anybody means
  ['2592001', 30 * DAY_MS],
  ['100000000000000000000', 30 * DAY_MS],
  ['9'.repeat(400), 30 * DAY_MS],
  ['Sat, 28 Nov 2099 12:01:00 GMT', 30 * DAY_MS],
])('Retry-After: %s asks for %s ms', (value, expected) => {
  expect(retryAfterMs({ 'retry-after': value }, NOW)).toBe(expected);
});
