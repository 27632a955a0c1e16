import { type RawBuilder, sql } from 'kysely';

/** The database's own clock, milliseconds since the epoch: one clock for all processes. Rounded down. */
export function storeClock(dialect: 'sqlite' | 'postgres'): RawBuilder<number> {
  return dialect === 'sqlite'
    ? sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`
    : sql<number>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`;
}
