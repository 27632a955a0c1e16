import { sql } from 'kysely';
import { storeClock } from '../store/clock.ts';
import type { Store } from '../store/store.ts';

export interface Retention {
  readonly eventDays: number;
  readonly usageDays: number;
}

export interface Pruned {
  readonly events: number;
  readonly usage: number;
}

const DAY_MS = 86_400_000;
/** Rows of one transaction: nobody waits long for the end of it. */
const BATCH = 500;

/** Deletes what is older than the days to keep, oldest first and in small transactions. */
export async function prune(
  store: Store,
  { eventDays, usageDays }: Retention,
  { now = Date.now, signal }: { readonly now?: () => number; readonly signal?: AbortSignal } = {},
): Promise<Pruned> {
  const events = await inBatches(signal, () => pruneEvents(store, now() - eventDays * DAY_MS));
  const usage = await inBatches(signal, () => pruneUsage(store, now() - usageDays * DAY_MS));
  if (signal?.aborted !== true) await pruneSlots(store);
  return { events, usage };
}

async function inBatches(signal: AbortSignal | undefined, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  while (signal?.aborted !== true) {
    const deleted = await batch();
    total += deleted;
    if (deleted < BATCH) break;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return total;
}

/** By sequence, which time follows closely enough: the oldest rows, as far as they are old. */
async function pruneEvents(store: Store, before: number): Promise<number> {
  const { numDeletedRows } = await store.database
    .deleteFrom('events')
    .where('sequence', 'in', ({ selectFrom }) =>
      selectFrom(
        selectFrom('events').select(['sequence', 'time']).orderBy('sequence').limit(BATCH).as('oldest'),
      )
        .select('oldest.sequence')
        .where('oldest.time', '<', before),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function pruneUsage(store: Store, before: number): Promise<number> {
  const { numDeletedRows } = await store.database
    .deleteFrom('skill_usage_logs')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom(
        selectFrom('skill_usage_logs').select(['id', 'time']).orderBy('id').limit(BATCH).as('oldest'),
      )
        .select('oldest.id')
        .where('oldest.time', '<', before),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Slots of connections that nobody has used for a day; who comes back gets new ones. */
async function pruneSlots(store: Store): Promise<void> {
  const used = sql<number>`${storeClock(store.dialect)} - ${DAY_MS}`;
  await store.database
    .deleteFrom('rate_slots')
    .where('connection', 'in', ({ selectFrom }) =>
      selectFrom('rate_slots')
        .select('connection')
        .groupBy('connection')
        .having((on) => on(on.fn.max('admitted_at'), '<', used)),
    )
    .execute();
}
