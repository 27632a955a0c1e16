import { sql } from 'kysely';
import { storeClock } from '../store/clock.ts';
import type { Store } from '../store/store.ts';
import type { TaintRecords } from './taint-records.ts';

/** A mark is written ahead by this part of its time, so that a busy session does not write at every read. */
const AHEAD = 0.1;
/** Marks that this process remembers having written. */
const MAX_WRITTEN = 10_000;

/** Shared by all processes of a store, by the database's clock; lasts through restarts. */
export function storeTaints(store: Store, now: () => number, maxWritten = MAX_WRITTEN): TaintRecords {
  const clock = storeClock(store.dialect);
  /** Until when a mark of this process needs no other. */
  const written = new Map<string, number>();
  return {
    async mark({ principal, run }, source, forMs) {
      const key = JSON.stringify([principal, run, source, forMs]);
      if ((written.get(key) ?? 0) > now()) return;
      const ahead = Math.round(forMs * AHEAD);
      const until = sql<number>`${clock} + ${sql.lit(forMs + ahead)}`;
      await store.database
        .insertInto('taints')
        .values({ principal_id: principal, run_id: run, source, ends_at: until })
        .onConflict((conflict) =>
          conflict
            .columns(['principal_id', 'run_id', 'source'])
            .doUpdateSet({ ends_at: until })
            .where((on) => on('taints.ends_at', '<', on.ref('excluded.ends_at'))),
        )
        .execute();
      if (written.size >= maxWritten) {
        written.clear();
        await store.database.deleteFrom('taints').where('ends_at', '<=', clock).execute();
      }
      written.set(key, now() + ahead);
    },
    async find({ principal, run }) {
      let query = store.database
        .selectFrom('taints')
        .select('source')
        .where('principal_id', '=', principal)
        .where('ends_at', '>', clock)
        .orderBy('ends_at', 'desc')
        .limit(1);
      if (run !== '') query = query.where('run_id', 'in', [run, '']);
      return (await query.executeTakeFirst())?.source;
    },
  };
}
