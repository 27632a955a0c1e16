import type { Insertable, Kysely, Transaction } from 'kysely';
import type { ProcessIdentity } from './process-identity.ts';
import type { EventTable, Tables, UsageTable } from './tables.ts';

export type Database = Kysely<Tables>;

/** One event to append. */
export interface EventEntry {
  readonly event: Insertable<EventTable>;
  readonly usage?: Insertable<UsageTable>;
}

/** What organisations, connections, events and limits are kept in, shared by all processes that open it. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** Id of this process in the store, 128 random bits in hex. */
  readonly process: string;
  /** The same with what tells others on this machine whether it still runs. */
  readonly identity: ProcessIdentity;
  readonly database: Database;
  /** For reads that must see one state. Nested use is an error. */
  snapshot<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** For writes that need no notice; each statement sees what others have committed before it. Nested use is an error. */
  transaction<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * One transaction that also raises the revision of each scope. Those of one scope follow each other: what one reads
   * stands until it is committed. Then every process is told: this one at once, others within a second.
   */
  change<T>(scopes: readonly string[], work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * The scope's revision as it is in the store now, other processes' commits included; 0 for a new scope. Cheap:
   * SQLite looks at `data_version` first. A promise only where waiting is needed.
   */
  revision(scope: string): number | Promise<number>;
  /** Called with each scope that changed, whoever changed it; with `*` when notices may have been lost. */
  onChange(listener: (scope: string) => void): () => void;
  /**
   * Commits events, each with its call's usage row, in this order and in one transaction. Answers with their
   * sequences; undefined where the call has such an event already, and then nothing of it is written.
   */
  append(entries: readonly EventEntry[]): Promise<readonly (number | undefined)[]>;
  /** Told within a second that some process appended events; also when that may have been missed. */
  onAppend(listener: () => void): () => void;
  close(): Promise<void>;
}
