import { expect, it } from 'vitest';
import { isDay } from '../../../src/components/time/is-day.ts';
import { dayBefore, everyDay } from '../../../src/pages/usage/days.ts';

const row = (key: string, calls: number) => ({ key, calls, errors: 0, durationMs: 1, meanMs: 1, maxMs: 1 });

it('has a row for every day of a range, across a leap day and the end of summer time', () => {
  const days = everyDay([row('2028-02-29', 3)], '2028-02-28', '2028-03-01');
  expect(days.map(({ key, calls }) => [key, calls])).toEqual([
    ['2028-02-28', 0],
    ['2028-02-29', 3],
    ['2028-03-01', 0],
  ]);
  expect(everyDay([], '2026-10-24', '2026-10-27')).toHaveLength(4);
  expect(everyDay([], '2026-10-27', '2026-10-24')).toEqual([]);
});

it('never makes more rows than a chart can show', () => {
  expect(everyDay([], '0001-01-01', '2026-01-01')).toHaveLength(1000);
});

it('counts days in UTC', () => {
  expect(dayBefore(0, Date.UTC(2026, 2, 1, 0, 30))).toBe('2026-03-01');
  expect(dayBefore(1, Date.UTC(2026, 2, 1, 0, 30))).toBe('2026-02-28');
});

it.each([
  ['2026-11-22', true],
  ['2026-13-01', false],
  ['22.11.2026', false],
  ['', false],
  [null, false],
])('%j is a day: %j', (text, known) => {
  expect(isDay(text)).toBe(known);
});
