import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import { ToolcribError } from '../errors.ts';
import type { Database } from './store.ts';
import type { Tables } from './tables.ts';

/** Knows whether the code that runs stands inside a transaction: waiting for another there would never end. */
export interface OpenTransactions {
  /** Throws `internal`: a fault of ours, found at once and not by a hanging process. */
  refuseNested(): void;
  run<T>(database: Database, work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
}

export function openTransactions(): OpenTransactions {
  const holder = new AsyncLocalStorage<{ open: boolean }>();
  const refuseNested = () => {
    if (holder.getStore()?.open !== true) return;
    throw new ToolcribError('internal', 'The store was used beside the transaction that is open.');
  };
  return {
    refuseNested,
    async run(database, work) {
      refuseNested();
      const held = { open: true };
      try {
        return await database
          .transaction()
          .execute((transaction) => holder.run(held, () => work(transaction)));
      } finally {
        // what the work left running may use the store again
        held.open = false;
      }
    },
  };
}
