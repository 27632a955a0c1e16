import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gatewayNow, heardDate } from '../../../src/api/gateway-clock.ts';

const NOON = Date.parse('2026-11-30T12:00:00Z');
/** An answer that took so many milliseconds, of a gateway whose clock is so far ahead. */
const hear = (ahead: number, took = 20) => {
  const asked = Date.now();
  vi.setSystemTime(asked + took);
  heardDate(new Date(asked + took / 2 + ahead).toUTCString(), asked);
};
const ahead = () => gatewayNow() - Date.now();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  // as the next file expects it
  hear(0, 0);
  vi.useRealTimers();
});

it('is the clock of this machine while that is within what answers say', () => {
  expect(ahead()).toBe(0);
  for (const took of [0, 20, 900, 30_000]) hear(0, took);
  expect(ahead()).toBe(0);
});

it.each([660_000, -660_000])(
  'is within a second of a gateway’s that is %i ms ahead, and a slow answer changes nothing',
  (off) => {
    hear(off);
    expect(Math.abs(ahead() - off)).toBeLessThanOrEqual(1_000);
    const before = ahead();
    hear(off, 40_000);
    expect(ahead()).toBe(before);
  },
);

it('goes back when a clock was set, and does not mind an answer without a date', () => {
  hear(660_000);
  heardDate(null, Date.now());
  heardDate('soon', Date.now());
  expect(ahead()).toBeGreaterThan(600_000);
  hear(0);
  expect(Math.abs(ahead())).toBeLessThanOrEqual(1_000);
});
