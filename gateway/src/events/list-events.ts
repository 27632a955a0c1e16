import { sql } from 'kysely';
import type { Event } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import type { EventQuery } from './event-log.ts';
import { eventOf, isCallEnd, isCallStart } from './event-rows.ts';

/** From the store, whichever process appended them. Oldest first; the newest ones without `after`. */
export async function listEvents(
  store: Store,
  after: number | undefined,
  { limit = 1000, type, organisation, principal, call, ...members }: EventQuery = {},
): Promise<readonly Event[]> {
  let query = store.database
    .selectFrom('events')
    .select(['sequence', 'time', 'body'])
    .orderBy('sequence', after === undefined ? 'desc' : 'asc')
    .limit(limit);
  if (after !== undefined) query = query.where('sequence', '>', after);
  const types = type === undefined ? [] : [type].flat();
  if (type !== undefined) query = query.where('type', 'in', types);
  // there is an index of what is not a call
  if (types.length > 0 && types.every((one) => !one.startsWith('call-')))
    query = query.where('call_id', 'is', null);
  if (organisation !== undefined) query = query.where('organisation_id', '=', organisation);
  if (principal !== undefined) query = query.where('principal_id', '=', principal);
  // an approval names its call in the body only
  if (call !== undefined)
    query = query.where((on) => on.or([on('call_id', '=', call), on(member(store, 'call'), '=', call)]));
  for (const name of ['tool', 'source', 'run'] as const) {
    const value = members[name];
    if (value !== undefined) query = query.where(member(store, name), '=', value);
  }
  const events = (await query.execute()).map(eventOf);
  return after === undefined ? events.reverse() : events;
}

/** A member of the event's body. */
function member({ dialect }: Store, name: 'tool' | 'source' | 'run' | 'call') {
  return dialect === 'sqlite'
    ? sql<string>`json_extract(events.body, ${sql.lit(`$.${name}`)})`
    : sql<string>`events.body::json ->> ${sql.lit(name)}`;
}

/** The end of a call, where it has one. */
export async function endOfCall(store: Store, call: string): Promise<Event | undefined> {
  const row = await store.database
    .selectFrom('events')
    .select(['sequence', 'time', 'body'])
    .where('call_id', '=', call)
    .where(isCallEnd())
    .executeTakeFirst();
  return row === undefined ? undefined : eventOf(row);
}

/** Those of the calls that have a start. */
export async function startedCalls(store: Store, calls: readonly string[]): Promise<readonly string[]> {
  const rows = await store.database
    .selectFrom('events')
    .select('call_id')
    .where(isCallStart())
    .where('call_id', 'in', calls)
    .execute();
  return rows.map(({ call_id }) => call_id!);
}
