import { type Selectable, sql, type Transaction } from 'kysely';
import { ERRORS } from '../errors.ts';
import type { ApprovalState, CallEvent, Event } from '../operations/index.ts';
import { endOfStopped } from '../operations/work/gateway-stops.ts';
import { lockAppends, noteAppends } from '../store/postgres-append.ts';
import type { Store } from '../store/store.ts';
import type { EventTable, ProcessTable, Tables } from '../store/tables.ts';
import { entryOf, eventOf, isCallEnd, isCallStart } from './event-rows.ts';

type OpenCall = Pick<Selectable<EventTable>, 'sequence' | 'time' | 'body'>;

/** Calls ended in one transaction. */
const BATCH = 500;

/**
 * Gives every call of a process that ended its terminal event and its usage row: `outcome_unknown` where something
 * may have been changed, else `interrupted`, as for what only waited for a person. Any process may do it at any time;
 * each call is ended once. Resolves with the events appended.
 * @param hasEnded of a process that announced itself, by its id
 */
export async function recoverOpenCalls(
  store: Store,
  hasEnded: (id: string) => Promise<boolean>,
): Promise<readonly Event[]> {
  const appended: Event[] = [];
  const announced = await store.database.selectFrom('processes').selectAll().execute();
  for (const process of announced) {
    if (!(await hasEnded(process.id))) continue;
    let more = true;
    while (more) {
      const events = await store.transaction((transaction) => endCalls(store, transaction, process));
      appended.push(...events);
      more = events.length === BATCH;
    }
  }
  return appended;
}

async function endCalls(
  store: Store,
  transaction: Transaction<Tables>,
  process: Selectable<ProcessTable>,
): Promise<readonly Event[]> {
  await lockAppends(transaction, store.dialect);
  // it may have been seen again, or somebody else was here first
  const still = await transaction
    .selectFrom('processes')
    .select('id')
    .where('id', '=', process.id)
    .where('seen_at', '=', process.seen_at)
    .executeTakeFirst();
  if (still === undefined) return [];
  const open = await openCalls(transaction, process);
  const events: Event[] = [];
  const waited = await onlyWaited(transaction, open);
  for (const call of open) {
    const event = await endCall(store, transaction, call, process, waited);
    if (event !== undefined) events.push(event);
  }
  if (open.length < BATCH) await transaction.deleteFrom('processes').where('id', '=', process.id).execute();
  if (events.length > 0) await noteAppends(transaction, store.dialect);
  return events;
}

function openCalls(
  transaction: Transaction<Tables>,
  process: Selectable<ProcessTable>,
): Promise<readonly OpenCall[]> {
  return transaction
    .selectFrom('events as start')
    .select(['start.sequence', 'start.time', 'start.body'])
    .where('start.process_id', '=', process.id)
    .where(isCallStart('start'))
    .where('start.sequence', '>=', process.open_from)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('events as end')
            .select(sql`1`.as('one'))
            .whereRef('end.call_id', '=', 'start.call_id')
            .where(isCallEnd('end')),
        ),
      ),
    )
    .orderBy('start.sequence')
    .limit(BATCH)
    .execute();
}

/** An approval in one of these was not used by any call. One that went void may have made way for its call. */
const UNUSED: ReadonlySet<string> = new Set([
  'pending',
  'approved',
  'denied',
  'expired',
] satisfies ApprovalState[]);

/** Calls of which nothing was sent: each asked a person, and no approval that it asked for was used or went void. */
async function onlyWaited(
  transaction: Transaction<Tables>,
  open: readonly OpenCall[],
): Promise<ReadonlySet<string>> {
  const started = open.map(({ body }) => JSON.parse(body) as CallEvent);
  const calls = started.filter(({ access }) => access !== 'read').map(({ call }) => call);
  if (calls.length === 0) return new Set();
  const approvals = await transaction
    .selectFrom('approvals')
    .select(['call_id', 'used_call', 'state'])
    .where((where) => where.or([where('call_id', 'in', calls), where('used_call', 'in', calls)]))
    .execute();
  const went = approvals.flatMap(({ call_id: asked, used_call: used, state }) =>
    UNUSED.has(state) && used === null ? [] : [asked, used],
  );
  const asked = new Set(approvals.map(({ call_id: call }) => call));
  return new Set(calls.filter((call) => asked.has(call) && !went.includes(call)));
}

async function endCall(
  store: Store,
  transaction: Transaction<Tables>,
  open: OpenCall,
  process: Selectable<ProcessTable>,
  waited: ReadonlySet<string>,
): Promise<Event | undefined> {
  const start = JSON.parse(open.body) as CallEvent;
  const { code, message } = endOfStopped(start.access === 'read' || waited.has(start.call));
  const end: CallEvent = {
    ...start,
    type: 'call-failed',
    // it ran at least until its process was last seen
    durationMs: Math.max(0, process.seen_at - Number(open.time)),
    code,
    next: ERRORS[code].next,
    message,
  };
  const { event, usage } = entryOf(end, Date.now(), store.process);
  const row = await transaction
    .insertInto('events')
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['sequence', 'time', 'body'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await transaction.insertInto('skill_usage_logs').values(usage!).execute();
  return eventOf(row);
}
