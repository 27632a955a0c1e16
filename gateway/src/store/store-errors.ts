import type { DatabaseConnection, Dialect, Driver } from 'kysely';
import { isToolcribError, ToolcribError } from '../errors.ts';
import { type Fault, postgresFault } from './postgres-faults.ts';

/** SQLite's extended result codes (sqlite.org/rescode.html), and PostgreSQL's SQLSTATE (appendix A). */
const UNIQUE: ReadonlySet<unknown> = new Set([1555, 2067, 2579, '23505']);
const CONSTRAINTS: ReadonlySet<unknown> = new Set([275, 787, 1043, 1299, 3091, '23502', '23503', '23514']);
/** PostgreSQL has no U+0000 in its texts. */
const NO_TEXT = '22021';
/** SQLITE_FULL. */
const FULL = 13;

/** What a database throws as one of our errors. Values and statements stay in `cause`. */
export function storeError(error: unknown): ToolcribError {
  if (isToolcribError(error)) return error;
  const code = codeOf(error);
  if (UNIQUE.has(code))
    return new ToolcribError('record_conflict', 'The store has such a record already.', { cause: error });
  if (CONSTRAINTS.has(code)) {
    return new ToolcribError('record_invalid', 'The record names another that the store does not have.', {
      cause: error,
    });
  }
  if (code === NO_TEXT) {
    return new ToolcribError('record_invalid', 'No text of the store can hold U+0000, which one given has.', {
      cause: error,
    });
  }
  if (isFull(error)) {
    return unavailable(error, {
      reason: reasonOf(error),
      next: 'Make room on the disk of the store; a restart is not needed.',
    });
  }
  return unavailable(error, postgresFault(error) ?? { reason: reasonOf(error) });
}

function unavailable(error: unknown, { reason, next }: Fault): ToolcribError {
  return new ToolcribError(
    'store_unavailable',
    `The store ${saidNo(error) ? 'refused' : 'did not answer'}: ${reason}.`,
    { cause: error, ...(next === undefined ? {} : { next }) },
  );
}

/** SQLite's extended code or PostgreSQL's SQLSTATE. */
function codeOf(error: unknown): unknown {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  return errcode ?? code;
}

/** SQLite's result code in its short form; undefined for what PostgreSQL or the system says. */
function sqliteCode(error: unknown): number | undefined {
  const code = codeOf(error);
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** SQLite found no room for what it writes. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === FULL;
}

/** Another connection holds the lock (SQLITE_BUSY in all its forms); nothing was done. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === 5;
}

/** The file is no database, or a damaged one (SQLITE_CORRUPT in all its forms, SQLITE_NOTADB). */
export function isDamaged(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 11 || code === 26;
}

/** PostgreSQL let nobody in: class of the credential, unknown database, too many connections, still starting. */
const NOT_LET_IN = /^(?:28...|3D000|53300|57P03)$/;
/** SQLite: another writes, read-only, full, against a rule of the tables. */
const SQLITE_REFUSALS: ReadonlySet<number> = new Set([5, 8, 13, 19]);

/** Surely nothing was done: the database said so, or was not reached. Whatever else fails may have happened. */
export function wasRefused(error: ToolcribError): boolean {
  const ofSqlite = sqliteCode(error.cause);
  if (ofSqlite !== undefined) return SQLITE_REFUSALS.has(ofSqlite);
  return wasNotReached(error) || saidNo(error.cause);
}

/** Nobody there looked at what was to be done: it may well be taken later, as it is. */
export function wasNotReached({ cause }: ToolcribError): boolean {
  const { syscall } = (cause ?? {}) as { syscall?: unknown };
  const code = codeOf(cause);
  return syscall === 'connect' || syscall === 'open' || (typeof code === 'string' && NOT_LET_IN.test(code));
}

/** PostgreSQL answered, and that it does not do it. */
function saidNo(error: unknown): boolean {
  const { severity } = (error ?? {}) as { severity?: unknown };
  const code = codeOf(error);
  return severity === 'ERROR' || (typeof code === 'string' && NOT_LET_IN.test(code));
}

/** Short and without values: SQLite's standard text, PostgreSQL's SQLSTATE or the system's code. */
function reasonOf(error: unknown): string {
  const { errstr, code, syscall, message } = (error ?? {}) as Record<string, unknown>;
  if (typeof errstr === 'string') return errstr;
  // the system's codes may be as long as a SQLSTATE: EPIPE, EROFS
  if (typeof code === 'string')
    return syscall === undefined && /^[0-9A-Z]{5}$/.test(code) ? `PostgreSQL says ${code}` : code;
  return typeof message === 'string' && /timeout|terminated|ended|closed|destroyed/i.test(message)
    ? message
    : 'an unexpected fault';
}

/** The dialect with every error of its connections turned into one of ours. */
export function withStoreErrors(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => guardedDriver(dialect.createDriver()),
  };
}

function guardedDriver(driver: Driver): Driver {
  const guarded = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const plain = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const inner = (connection: DatabaseConnection) => plain.get(connection) ?? connection;
  return {
    init: (options) => translated(driver.init(options)),
    async acquireConnection(options) {
      const connection = await translated(driver.acquireConnection(options));
      let wrapped = guarded.get(connection);
      if (wrapped === undefined) {
        wrapped = {
          executeQuery: (query, how) => translated(connection.executeQuery(query, how)),
          streamQuery: (query, size, how) => connection.streamQuery(query, size, how),
        };
        guarded.set(connection, wrapped);
        plain.set(wrapped, connection);
      }
      return wrapped;
    },
    beginTransaction: (connection, settings) =>
      translated(driver.beginTransaction(inner(connection), settings)),
    commitTransaction: (connection) => translated(driver.commitTransaction(inner(connection))),
    rollbackTransaction: (connection) => translated(driver.rollbackTransaction(inner(connection))),
    releaseConnection: (connection, options) => driver.releaseConnection(inner(connection), options),
    destroy: (options) => driver.destroy(options),
  };
}

export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw storeError(error);
  }
}
