import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** What organisations, connections, events and limits are kept in, shared by all processes that open it. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** Id of this process in the store, 128 random bits in hex. */
  readonly process: string;
  readonly database: Database;
  /** For reads that must see one state, and writes that need no notice. Nested use is an error. */
  transaction<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * One transaction that also raises the revision of each scope. When it is committed every process is told:
   * this one at once, others within a second.
   */
  change<T>(scopes: readonly string[], work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * The scope's revision as it is in the store now, other processes' commits included; 0 for a new scope. Cheap:
   * SQLite looks at `data_version` first. A promise only where waiting is needed.
   */
  revision(scope: string): number | Promise<number>;
  /** Called with each scope that changed, whoever changed it; with `*` when notices may have been lost. */
  onChange(listener: (scope: string) => void): () => void;
  close(): Promise<void>;
}
