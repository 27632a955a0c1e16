import { sql } from 'kysely';
import type { Event } from '../operations/index.ts';
import { holdsText } from '../store/holds-text.ts';
import { isOneOf } from '../store/one-of.ts';
import type { Store } from '../store/store.ts';
import { bodyMember } from './body-member.ts';
import { areBesideCalls, type EventQuery, TEXT_MEMBERS } from './event-query.ts';
import { eventOf, isCallEnd } from './event-rows.ts';
import { eventsOfCall } from './events-of-call.ts';

/**
 * From the store, whichever process appended them. Oldest first; the newest ones without `after` or with `before`.
 */
export async function listEvents(
  store: Store,
  after: number | undefined,
  asked: EventQuery = {},
): Promise<readonly Event[]> {
  const {
    limit = 1000,
    before,
    through,
    type,
    organisation,
    principal,
    call,
    sources,
    subjects,
    from,
    to,
    text,
    ...members
  } = asked;
  if (call !== undefined) return eventsOfCall(store, call, after, asked);
  const newest = after === undefined || before !== undefined;
  let query = store.database
    .selectFrom('events')
    .select(['sequence', 'time', 'body'])
    .orderBy('sequence', newest ? 'desc' : 'asc')
    .limit(limit);
  if (after !== undefined) query = query.where('sequence', '>', after);
  if (before !== undefined) query = query.where('sequence', '<', before);
  if (through !== undefined) query = query.where('sequence', '<=', through);
  if (type !== undefined) query = query.where('type', 'in', [type].flat());
  if (areBesideCalls(asked)) query = query.where('call_id', 'is', null);
  if (organisation !== undefined) query = query.where('organisation_id', '=', organisation);
  if (principal !== undefined) query = query.where('principal_id', '=', principal);
  if (from !== undefined) query = query.where('time', '>=', from);
  if (to !== undefined) query = query.where('time', '<', to);
  for (const name of ['tool', 'source', 'run', 'approval', 'code', 'access'] as const) {
    const value = members[name];
    if (value !== undefined) query = query.where(bodyMember(store, name), '=', value);
  }
  if (sources !== undefined) query = query.where(isOneOf(bodyMember(store, 'source'), sources));
  if (subjects !== undefined) query = query.where(isOneOf(bodyMember(store, 'subject'), subjects));
  if (text !== undefined) query = query.where(holds(store, text));
  const events = (await query.execute()).map(eventOf);
  return newest ? events.reverse() : events;
}

function holds(store: Pick<Store, 'dialect'>, text: string) {
  const texts = sql.join<string>(
    TEXT_MEMBERS.map((name) => sql`coalesce(${bodyMember(store, name)}, '')`),
    sql` || ' ' || `,
  );
  return holdsText(store, texts, text);
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
