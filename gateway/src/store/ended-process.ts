import { storeClock } from './clock.ts';
import { isGone } from './process-identity.ts';
import type { Store } from './store.ts';
import type { ProcessTable } from './tables.ts';

/** A process that was not seen for so long has ended, milliseconds. */
const ENDED_AFTER_MS = 15_000;

/** A process that lives says so again within that time, also after the store was away, milliseconds. */
const SAYS_SO_WITHIN_MS = 10_000;

/**
 * Whether a process of this store that has announced itself is no more. While the store is away nobody can say that
 * they live, and what is silent when it comes back may be about to: only what is found so twice, some time apart, has
 * ended. Nothing is waited for where it said so itself, or is of this machine and not there.
 */
export function createEndedProcess(
  store: Store,
  now: () => number = Date.now,
): (id: string) => Promise<boolean> {
  /** When it was first found silent, and what it had said last. */
  const found = new Map<string, { readonly seenAt: number | undefined; readonly at: number }>();
  return async (id) => {
    if (id === store.process) return false;
    const row = await announced(store).where('id', '=', id).executeTakeFirst();
    const seenAt = row && Number(row.seen_at);
    if (row !== undefined && (seenAt === 0 || isGoneHere(store, row))) return true;
    if (row !== undefined && !isSilent(row)) {
      found.delete(id);
      return false;
    }
    const before = found.get(id);
    if (before !== undefined && before.seenAt === seenAt) return now() - before.at >= SAYS_SO_WITHIN_MS;
    found.set(id, { seenAt, at: now() });
    return false;
  };
}

function announced(store: Store) {
  return store.database.selectFrom('processes').selectAll().select(storeClock(store.dialect).as('now'));
}

function isSilent({ now, seen_at }: Pick<ProcessTable, 'seen_at'> & { readonly now: unknown }): boolean {
  return Number(now) - seen_at > ENDED_AFTER_MS;
}

function isGoneHere({ identity }: Store, { machine, pid }: Pick<ProcessTable, 'machine' | 'pid'>): boolean {
  return machine === identity.machine && isGone(Number(pid));
}
