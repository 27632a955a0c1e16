import type { UsageRow } from './queries.ts';

const DAY_MS = 86_400_000;
/** Days that a chart can show. */
const MOST = 1_000;

/** `2026-11-21`, of now and so many days before, in UTC as the usage log counts. */
export function dayBefore(days: number, now: number = Date.now()): string {
  return new Date(now - days * DAY_MS).toISOString().slice(0, 10);
}

/** One row for every day of the range: a day without calls has none in the log. */
export function everyDay(rows: readonly UsageRow[], from: string, to: string): readonly UsageRow[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const last = Date.parse(to);
  const days: UsageRow[] = [];
  for (let day = Date.parse(from); day <= last && days.length < MOST; day += DAY_MS) {
    const key = new Date(day).toISOString().slice(0, 10);
    days.push(known.get(key) ?? { key, calls: 0, errors: 0, durationMs: 0, meanMs: 0, maxMs: 0 });
  }
  return days;
}
