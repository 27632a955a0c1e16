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
/** Rows looked at, and of one transaction: nobody waits long for the end of it. */
const BATCH = 500;

/** Deletes what is older than the days to keep, oldest first and in small transactions. */
export async function prune(
  store: Store,
  { eventDays, usageDays }: Retention,
  { now = Date.now, signal }: { readonly now?: () => number; readonly signal?: AbortSignal } = {},
): Promise<Pruned> {
  const events = await pruneRows(store, 'events', now() - eventDays * DAY_MS, { now, signal });
  const usage = await pruneRows(store, 'skill_usage_logs', now() - usageDays * DAY_MS, { now, signal });
  if (signal?.aborted !== true) await pruneSlots(store);
  return { events, usage };
}

/**
 * In the order they were written, which time follows but for clocks that were wrong: what is said to be of the future is
 * passed over, and where a batch holds nothing old beside it, nothing old follows.
 */
async function pruneRows(
  { database }: Store,
  table: 'events' | 'skill_usage_logs',
  before: number,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal | undefined },
): Promise<number> {
  const id = table === 'events' ? 'sequence' : 'id';
  let total = 0;
  let passed = 0;
  while (signal?.aborted !== true) {
    const rows = await database
      .selectFrom(table)
      .select([sql.ref<number>(id).as('id'), 'time'])
      .where(sql.ref<number>(id), '>', passed)
      .orderBy(sql.ref(id))
      .limit(BATCH)
      .execute();
    const old = rows.filter(({ time }) => time < before).map((row) => row.id);
    if (old.length > 0) {
      const { numDeletedRows } = await database
        .deleteFrom(table)
        .where(sql.ref<number>(id), 'in', old)
        .executeTakeFirst();
      total += Number(numDeletedRows);
    }
    const isOver = old.length === 0 && rows.every(({ time }) => time <= now());
    if (rows.length < BATCH || isOver) break;
    passed = rows.at(-1)!.id;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return total;
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
