import type { Event } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import type { EventQuery } from './event-log.ts';
import { eventOf, isCallEnd, isCallStart } from './event-rows.ts';

/** From the store, whichever process appended them. Oldest first; the newest ones without `after`. */
export async function listEvents(
  store: Store,
  after: number | undefined,
  { limit = 1000, type, organisation }: EventQuery = {},
): Promise<readonly Event[]> {
  let query = store.database
    .selectFrom('events')
    .select(['sequence', 'time', 'body'])
    .orderBy('sequence', after === undefined ? 'desc' : 'asc')
    .limit(limit);
  if (after !== undefined) query = query.where('sequence', '>', after);
  if (type !== undefined) query = query.where('type', '=', type);
  // there is an index of what is not a call
  if (type !== undefined && !type.startsWith('call-')) query = query.where('call_id', 'is', null);
  if (organisation !== undefined) query = query.where('organisation_id', '=', organisation);
  const events = (await query.execute()).map(eventOf);
  return after === undefined ? events.reverse() : events;
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
