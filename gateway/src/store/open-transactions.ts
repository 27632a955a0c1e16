import { AsyncLocalStorage } from 'node:async_hooks';
import type { IsolationLevel, Transaction } from 'kysely';
import { ToolcribError } from '../errors.ts';
import type { Database } from './store.ts';
import type { Tables } from './tables.ts';

/** Knows whether the code that runs stands inside a transaction: waiting for another there would never end. */
export interface OpenTransactions {
  /** Throws `internal`: a fault of ours, found at once and not by a hanging process. */
  refuseNested(): void;
  /** @param isolation default: the database's own */
  run<T>(
    database: Database,
    work: (transaction: Transaction<Tables>) => Promise<T>,
    isolation?: IsolationLevel,
  ): Promise<T>;
}

export function openTransactions(): OpenTransactions {
  const holder = new AsyncLocalStorage<{ open: boolean }>();
  const refuseNested = () => {
    if (holder.getStore()?.open !== true) return;
    throw new ToolcribError('internal', 'The store was used beside the transaction that is open.');
  };
  return {
    refuseNested,
    async run(database, work, isolation) {
      refuseNested();
      const held = { open: true };
      try {
        const begun = database.transaction();
        return await (isolation === undefined ? begun : begun.setIsolationLevel(isolation)).execute(
          (transaction) => holder.run(held, () => work(transaction)),
        );
      } finally {
        // what the work left running may use the store again
        held.open = false;
      }
    },
  };
}
