import { CompiledQuery } from 'kysely';
import type { Repeat, Statement } from './repeated-statement.ts';
import type { Database, EventEntry } from './store.ts';

/** Whoever appends holds it until the commit: sequences are strictly increasing in commit order. */
export const APPEND_LOCK = 7_166_543_202;
/** Tells other processes that there are new events. */
export const APPEND_CHANNEL = 'toolcrib_events';

const EVENT_COLUMNS = `time bigint, type text, organisation_id text, principal_id text, call_id text,
  process_id text, body text`;
const USAGE_COLUMNS = `time bigint, day text, slug text, organisation_id text, user_id text, source text,
  operation text, duration_ms double precision, error_code text`;

/**
 * One statement, one round trip, one transaction: the lock, the events in order, the usage rows of those that are
 * new, the notice. `place` ties an answer to its entry.
 */
const APPEND: Statement = {
  name: 'toolcrib_append',
  text: `
with lock as materialized (select pg_advisory_xact_lock(${APPEND_LOCK})),
given as materialized (
  select entry.* from lock, rows from (json_to_recordset($1::json) as (place int, ${EVENT_COLUMNS})) as entry
  order by entry.place
),
added as (
  insert into events (time, type, organisation_id, principal_id, call_id, process_id, body)
  select time, type, organisation_id, principal_id, call_id, process_id, body from given order by place
  on conflict do nothing
  returning sequence, type, call_id, body
),
used as (
  insert into skill_usage_logs
    (time, day, slug, organisation_id, user_id, source, operation, duration_ms, error_code)
  select time, day, slug, organisation_id, user_id, source, operation, duration_ms, error_code
  from rows from (json_to_recordset($2::json) as (call_id text, ${USAGE_COLUMNS})) as usage
  where exists (
    select 1 from added where added.call_id = usage.call_id and added.type <> 'call-started'
  )
)
select sequence, type, call_id, pg_notify('${APPEND_CHANNEL}', '') from added order by sequence`,
};

interface Added {
  readonly sequence: number;
  readonly type: string;
  readonly call_id: string | null;
}

export async function appendEvents(
  repeat: Repeat,
  entries: readonly EventEntry[],
): Promise<ReadonlyArray<number | undefined>> {
  const events = entries.map(({ event }, place) => ({ place, ...event }));
  const usage = entries.flatMap(({ event, usage }) =>
    usage === undefined ? [] : [{ ...usage, call_id: event.call_id }],
  );
  const rows = await repeat<Added>(APPEND, [JSON.stringify(events), JSON.stringify(usage)]);
  // what was refused is missing in between; the rest stands in the order of the entries
  let next = 0;
  return entries.map(({ event }) => {
    const row = rows[next];
    if (row === undefined || row.type !== event.type || row.call_id !== (event.call_id ?? null))
      return undefined;
    next++;
    return Number(row.sequence);
  });
}

/** For a transaction that appends by itself; SQLite has one writer anyway. */
export async function lockAppends(transaction: Database, dialect: 'sqlite' | 'postgres'): Promise<void> {
  if (dialect === 'sqlite') return;
  await transaction.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${APPEND_LOCK})`));
}

/** Tells the other processes with the commit. */
export async function noteAppends(transaction: Database, dialect: 'sqlite' | 'postgres'): Promise<void> {
  if (dialect === 'sqlite') return;
  await transaction.executeQuery(CompiledQuery.raw(`select pg_notify('${APPEND_CHANNEL}', '')`));
}
