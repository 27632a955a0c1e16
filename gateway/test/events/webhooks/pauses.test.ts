import { describe, expect, it } from 'vitest';
import { pauseAfter } from '../../../src/events/webhooks/pauses.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('pauses between attempts', () => {
  it.each([
    [1, 5000],
    [2, 30_000],
    [3, 2 * MINUTE],
    [4, 10 * MINUTE],
    [5, 30 * MINUTE],
    [6, HOUR],
    [7, 2 * HOUR],
    [8, 4 * HOUR],
    [50, 4 * HOUR],
  ])('after attempt %d: half of it to the whole of %d ms', (failed, step) => {
    expect(pauseAfter(failed, 0, () => 0)).toBe(step / 2);
    expect(pauseAfter(failed, 0, () => 1)).toBe(step);
  });

  it('are as long as the receiver asks, within reason', () => {
    expect(pauseAfter(1, MINUTE, () => 0)).toBe(MINUTE);
    expect(pauseAfter(1, 1000 * HOUR, () => 0)).toBe(4 * HOUR);
  });
});
