import type { Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { ActivatedTools } from './activated-tools.ts';
import { type Activation, sourceOf, UNUSED_MS, used } from './activation.ts';
import { KnownActivations } from './known-activations.ts';

/** Rows that are read at the start, newest first; what is older comes back when its principal finds something. */
const MAX_ROWS = 100_000;
/** Starts the scope of a principal's revision. */
const SCOPE = 'activated:';

/** Kept in the store, known by every process of it within a second. Times are those of the processes. */
export function storeActivations(store: Store, now: () => number): ActivatedTools {
  const known = new KnownActivations(now);
  let opening: Promise<void> | undefined;
  let unsubscribe: (() => void) | undefined;
  /** One reading after the other: an older one never replaces what a newer one found. */
  let reading = Promise.resolve();

  const readAgain = (read: () => Promise<void>): void => {
    // what cannot be read stays as it was known; the store tells of everything once it can be read again
    reading = reading.then(read).catch(() => undefined);
  };
  const follow = (scope: string): void => {
    if (scope === '*') readAgain(readAll);
    else if (scope.startsWith(SCOPE)) {
      const principal = scope.slice(SCOPE.length);
      readAgain(async () => known.set(principal, await rowsOf(store.database, principal)));
    }
  };
  const readAll = async (): Promise<void> => {
    const rows = await store.database
      .selectFrom('activated_tools')
      .selectAll()
      .where('used_at', '>', now() - UNUSED_MS)
      .orderBy('used_at', 'desc')
      .limit(MAX_ROWS)
      .execute();
    const lists = Map.groupBy(rows, ({ principal_id: principal }) => principal);
    for (const principal of known.principals) if (!lists.has(principal)) known.set(principal, []);
    for (const [principal, list] of lists) known.set(principal, list.map(activationOf));
  };
  const start = async (): Promise<void> => {
    await store.database
      .deleteFrom('activated_tools')
      .where('used_at', '<=', now() - UNUSED_MS)
      .execute();
    unsubscribe ??= store.onChange(follow);
    await readAll();
  };
  const open = (): Promise<void> => {
    opening ??= start().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    known: (principal) => known.operations(principal),
    async activate(principal, operations, maxPerSource) {
      await open();
      if (known.fresh(principal, operations)) return true;
      await store.change([SCOPE + principal], (transaction) =>
        noteUse(transaction, principal, operations, maxPerSource, now()),
      );
      // the change was told at once: it is being read
      await reading;
      return known.has(principal, operations);
    },
    onChange: (listener) => known.onChange(listener),
    open,
    async close() {
      unsubscribe?.();
      await opening?.catch(() => undefined);
      await reading;
    },
  };
}

async function noteUse(
  transaction: Transaction<Tables>,
  principal: string,
  operations: readonly string[],
  maxPerSource: number,
  now: number,
): Promise<void> {
  const before = await rowsOf(transaction, principal);
  const after = used(before, operations, maxPerSource, now);
  const staying = new Set(after.map(({ operation }) => operation));
  const leaving = before.map(({ operation }) => operation).filter((operation) => !staying.has(operation));
  if (leaving.length > 0) {
    await transaction
      .deleteFrom('activated_tools')
      .where('principal_id', '=', principal)
      .where('operation', 'in', leaving)
      .execute();
  }
  const named = new Set(operations);
  const changed = after.filter(({ operation }) => named.has(operation));
  if (changed.length === 0) return;
  await transaction
    .insertInto('activated_tools')
    .values(
      changed.map(({ operation, activatedAt, usedAt }) => ({
        principal_id: principal,
        operation,
        source: sourceOf(operation),
        activated_at: activatedAt,
        used_at: usedAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['principal_id', 'operation']).doUpdateSet((on) => ({
        used_at: on.ref('excluded.used_at'),
      })),
    )
    .execute();
}

async function rowsOf(
  database: Pick<Transaction<Tables>, 'selectFrom'>,
  principal: string,
): Promise<Activation[]> {
  const rows = await database
    .selectFrom('activated_tools')
    .selectAll()
    .where('principal_id', '=', principal)
    .execute();
  return rows.map(activationOf);
}

function activationOf(row: { operation: string; activated_at: number; used_at: number }): Activation {
  return {
    operation: row.operation,
    activatedAt: Number(row.activated_at),
    usedAt: Number(row.used_at),
  };
}
