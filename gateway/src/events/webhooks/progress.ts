import { type Kysely, sql } from 'kysely';
import { storeClock } from '../../store/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { newestSequence } from '../presence.ts';

/** How far a webhook has come, as its row says. */
export interface HookState {
  readonly cursor: number;
  readonly attempts: number;
  /** Milliseconds until an attempt may be made. */
  readonly waitMs: number;
}

/** The row of one webhook: who holds its lease is the only one that changes it. */
export interface HookProgress {
  /** Takes or renews the lease; where another process holds it, says how long at most. */
  lease(): Promise<HookState | { readonly heldForMs: number }>;
  /** Everything up to there is delivered or is none for it. False where the lease was lost. */
  passed(sequence: number): Promise<boolean>;
  failed(attempts: number, error: string, pauseMs: number, state: 'active' | 'failing'): Promise<void>;
  /** The event is set aside for good, and the next one is due. */
  setAside(sequence: number, attempts: number, error: string): Promise<void>;
  release(): Promise<void>;
}

/** Longer than one delivery may take: nobody else delivers what is still under way. */
export const LEASE_MS = 45_000;

export function hookProgress(store: Store, name: string): HookProgress {
  const { database } = store;
  const now = storeClock(store.dialect);
  const until = sql<number>`${now} + ${sql.lit(LEASE_MS)}`;
  const mine = (on: Kysely<Tables> = database) =>
    on
      .updateTable('webhooks')
      .set({ leased_until: until, updated_at: now })
      .where('name', '=', name)
      .where('leased_by', '=', store.process)
      // a lease that ran out may be another's by now, or was in between
      .where('leased_until', '>', now);

  /** A new webhook begins with what comes after it. */
  const begin = async () => {
    await database
      .insertInto('webhooks')
      .values({
        name,
        cursor: await newestSequence(store),
        attempts: 0,
        next_at: 0,
        state: 'active',
        error: null,
        leased_by: null,
        leased_until: 0,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };

  const read = () =>
    database
      .selectFrom('webhooks')
      .selectAll()
      .select(now.as('now'))
      .where('name', '=', name)
      .executeTakeFirst();

  return {
    async lease() {
      if ((await read()) === undefined) await begin();
      const { numUpdatedRows } = await database
        .updateTable('webhooks')
        .set({ leased_by: store.process, leased_until: until, updated_at: now })
        .where('name', '=', name)
        .where((on) => on.or([on('leased_by', '=', store.process), on('leased_until', '<=', now)]))
        .executeTakeFirst();
      const row = (await read())!;
      if (numUpdatedRows === 0n) {
        return { heldForMs: Math.max(0, Number(row.leased_until) - Number(row.now)) };
      }
      return {
        cursor: Number(row.cursor),
        attempts: Number(row.attempts),
        waitMs: Math.max(0, Number(row.next_at) - Number(row.now)),
      };
    },
    async passed(sequence) {
      const { numUpdatedRows } = await mine()
        .set({ cursor: sequence, attempts: 0, next_at: 0, state: 'active', error: null })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async failed(attempts, error, pauseMs, state) {
      await mine()
        .set({ attempts, error: error.slice(0, 300), next_at: sql<number>`${now} + ${pauseMs}`, state })
        .execute();
    },
    setAside: (sequence, attempts, error) =>
      store.transaction(async (open) => {
        const { numUpdatedRows } = await mine(open)
          .set({ cursor: sequence, attempts: 0, next_at: 0, state: 'active', error: null })
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        await open
          .insertInto('webhook_dead_letters')
          .values({ webhook: name, sequence, attempts, error: error.slice(0, 300), created_at: now })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),
    async release() {
      await database
        .updateTable('webhooks')
        .set({ leased_by: null, leased_until: 0 })
        .where('name', '=', name)
        .where('leased_by', '=', store.process)
        .execute();
    },
  };
}
