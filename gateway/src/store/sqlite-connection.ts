import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { createExclusive } from './exclusive.ts';
import { isBusy } from './store-errors.ts';

/** How long a statement blocks this thread while another process writes, milliseconds; after it we wait asleep. */
const BLOCKING_MS = 50;
/** And how long altogether before it fails as `store_unavailable`. */
const BUSY_MS = 10_000;
const STATEMENTS_KEPT = 200;

/**
 * One connection to a SQLite file. Statements are prepared once. Whoever uses it across a turn holds `exclusive`:
 * a transaction never has another's statements in it.
 */
export class SqliteConnection {
  readonly exclusive = createExclusive();
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { timeout: BLOCKING_MS, enableForeignKeyConstraints: true });
    // SQLite's own knows the letters of ASCII alone
    this.#database.function('lower', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    );
    this.#begin = this.#database.prepare('begin immediate');
    this.#commit = this.#database.prepare('commit');
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  prepare(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      const [oldest] = this.#statements.keys();
      if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.delete(oldest!);
    } else {
      this.#statements.delete(text);
    }
    this.#statements.set(text, statement);
    return statement;
  }

  run(text: string, parameters: readonly unknown[] = []): SqliteOutcome {
    const statement = this.prepare(text);
    const values = parameters.map(inputValue);
    if (statement.columns().length > 0) return { rows: statement.all(...values) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changes: Number(changes), rowid: Number(lastInsertRowid) };
  }

  /** One write transaction within this turn. The caller holds `exclusive`. */
  atOnce<T>(work: () => T): T {
    this.#begin.run();
    try {
      const done = work();
      this.#commit.run();
      return done;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** SQLite ends a transaction by itself after some faults: then there is nothing left to roll back. */
  rollback(): void {
    if (this.inTransaction) this.prepare('rollback').run();
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

export interface SqliteOutcome {
  readonly rows: readonly unknown[];
  readonly changes?: number;
  readonly rowid?: number;
}

/** Again while another process holds the file's write lock, without blocking this thread in between. */
export async function whileBusy<T>(attempt: () => T): Promise<T> {
  const end = performance.now() + BUSY_MS;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await delay(pause * (0.5 + Math.random()));
  }
}

function inputValue(value: unknown): SQLInputValue {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
}
