import type { Selectable } from 'kysely';
import { storeClock } from './clock.ts';
import { isGone } from './process-identity.ts';
import type { Store } from './store.ts';
import type { ProcessTable } from './tables.ts';

/** A process that was not seen for so long has ended, milliseconds. */
export const ENDED_AFTER_MS = 15_000;

/** Processes that announced themselves and are no more: not seen for a while, or of this machine and not there. */
export async function endedProcesses(store: Store): Promise<ReadonlyArray<Selectable<ProcessTable>>> {
  const { id, machine } = store.identity;
  const rows = await store.database
    .selectFrom('processes')
    .selectAll()
    .select(storeClock(store.dialect).as('now'))
    .where('id', '<>', id)
    .execute();
  return rows.filter(
    (row) =>
      Number(row.now) - row.seen_at > ENDED_AFTER_MS || (row.machine === machine && isGone(Number(row.pid))),
  );
}

/** Whether a process of this store that has announced itself is no more: it has ended, or taken its row away. */
export async function endedProcess(store: Store, id: string): Promise<boolean> {
  if (id === store.process) return false;
  const row = await store.database
    .selectFrom('processes')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined || (await endedProcesses(store)).some((one) => one.id === id);
}
