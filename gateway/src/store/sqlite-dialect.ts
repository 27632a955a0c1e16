import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { ToolcribError } from '../errors.ts';
import type { OpenTransactions } from './open-transactions.ts';
import { type SqliteConnection, whileBusy } from './sqlite-connection.ts';

/** Kysely over one connection of node:sqlite. */
export function sqliteDialect(connection: SqliteConnection, transactions: OpenTransactions): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => sqliteDriver(connection, transactions),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The driver lets one user in at a time; Kysely's own lock would not know of ours. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function sqliteDriver(connection: SqliteConnection, transactions: OpenTransactions): Driver {
  const only = databaseConnection(connection);
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      transactions.refuseNested();
      await connection.exclusive.acquire();
      return only;
    },
    async beginTransaction(_, { accessMode }) {
      // a transaction that reads first and writes later could not get the lock in between
      const begin = accessMode === 'read only' ? 'begin' : 'begin immediate';
      await whileBusy(() => connection.run(begin));
    },
    commitTransaction: async () => void connection.run('commit'),
    rollbackTransaction: async () => connection.rollback(),
    releaseConnection: async () => connection.exclusive.release(),
    destroy: async () => connection.close(),
  };
}

function databaseConnection(connection: SqliteConnection): DatabaseConnection {
  return {
    async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const outcome = connection.inTransaction
        ? connection.run(sql, parameters)
        : await whileBusy(() => connection.run(sql, parameters));
      return {
        rows: outcome.rows as R[],
        ...(outcome.changes === undefined ? {} : { numAffectedRows: BigInt(outcome.changes) }),
        ...(outcome.rowid === undefined ? {} : { insertId: BigInt(outcome.rowid) }),
      };
    },
    streamQuery() {
      throw new ToolcribError('internal', 'The store reads page by page; it has no streams.');
    },
  };
}
