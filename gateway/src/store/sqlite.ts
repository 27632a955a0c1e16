import { accessSync, chmodSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Kysely, type Transaction } from 'kysely';
import { asToolcribError, ToolcribError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { requireRoom } from '../files/require-room.ts';
import { holdFile } from './held-file.ts';
import { checkVersion, migrate } from './migrate.ts';
import { type OpenTransactions, openTransactions } from './open-transactions.ts';
import { processIdentity } from './process-identity.ts';
import { raiseRevisions } from './revisions.ts';
import { createCheckpoints, WRITER_CHECKPOINT_PAGES } from './sqlite-checkpoints.ts';
import { SqliteConnection, whileBusy } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { ANY_SCOPE, SqliteWatch } from './sqlite-watch.ts';
import type { Database, EventEntry, Store } from './store.ts';
import { isDamaged, storeError, withStoreErrors } from './store-errors.ts';
import type { Tables } from './tables.ts';

export interface OpenSqlite {
  readonly connection: SqliteConnection;
  readonly database: Database;
  readonly transactions: OpenTransactions;
}

/** Without the command that looks at the store: it may be the one that says so. */
const SQLITE_ADVICE =
  'Make it a SQLite file in a folder that this user may write, or name another with `store:`; `store: none` keeps nothing.';

/** The file was one once, or another's journal was left beside a copy that was put in its place. */
const DAMAGED_ADVICE =
  'Stop every gateway of it, then put a backup in its place: `toolcrib store restore FILE`.';

/** Opens or makes the file; its folder and itself are for this user only. Throws `store_unavailable`. */
export async function connectSqlite(file: string): Promise<OpenSqlite> {
  try {
    await makePrivate(file);
    const connection = new SqliteConnection(file);
    try {
      await whileBusy(() => connection.run('pragma journal_mode = wal'));
      // survives the end of the process at any moment; a power cut may cost the last transactions
      connection.run('pragma synchronous = normal');
      connection.run(`pragma wal_autocheckpoint = ${WRITER_CHECKPOINT_PAGES}`);
      connection.run('pragma journal_size_limit = 33554432');
    } catch (error) {
      connection.close();
      throw error;
    }
    const transactions = openTransactions();
    const database = new Kysely<Tables>({
      dialect: withStoreErrors(sqliteDialect(connection, transactions)),
    });
    return { connection, database, transactions };
  } catch (error) {
    await requireSqliteRoom(file);
    throw cannotBeOpened(file, error);
  }
}

function cannotBeOpened(file: string, error: unknown): ToolcribError {
  const { syscall, code } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  // the folder was to be made, or closed to others: no database has been asked yet
  const why = syscall === undefined ? storeError(error).message : `Its folder cannot be used (${code}).`;
  return new ToolcribError('store_unavailable', `The store at ${file} cannot be opened. ${why}`, {
    location: file,
    next: isDamaged(error) ? DAMAGED_ADVICE : SQLITE_ADVICE,
    cause: error,
  });
}

/**
 * Throws `store_unavailable` where the disk takes no more: SQLite reads on there, or tells of an input or output error.
 * Says nothing of a folder that is missing or another user's.
 */
export async function requireSqliteRoom(file: string): Promise<void> {
  try {
    await requireRoom(dirname(file));
  } catch (cause) {
    const { code, message, next } = asToolcribError(cause);
    if (code !== 'file_unusable') return;
    throw new ToolcribError('store_unavailable', `The store at ${file} cannot be written. ${message}`, {
      location: file,
      next,
      cause,
    });
  }
}

export async function openSqlite(file: string, { migrate: migrating = true } = {}): Promise<Store> {
  const open = await connectSqlite(file);
  try {
    if (migrating) await migrate(open.database, 'sqlite');
    else await checkVersion(open.database, 'sqlite');
    return sqliteStore(file, open);
  } catch (error) {
    await open.database.destroy();
    throw error;
  }
}

function sqliteStore(file: string, { connection, database, transactions }: OpenSqlite): Store {
  const requireFile = holdFile(file);
  const watch = new SqliteWatch(file, requireFile);
  const checkpoints = createCheckpoints(file);
  const identity = processIdentity();
  let closed: Promise<void> | undefined;
  const transact = async <T>(work: (open: Transaction<Tables>) => Promise<T>): Promise<T> => {
    requireFile();
    return transactions.run(database, work);
  };

  return {
    dialect: 'sqlite',
    process: identity.id,
    identity,
    database,
    snapshot: transact,
    transaction: transact,
    async change(scopes, work) {
      const raising = scopes.length === 0 ? [] : [...scopes, ANY_SCOPE];
      const [done, raised] = await transact(async (open) => {
        const done = await work(open);
        return [done, await raiseRevisions(open, 'sqlite', raising)] as const;
      });
      watch.tell(raised);
      return done;
    },
    revision: (scope) => watch.revision(scope),
    onChange: (listener) => watch.onChange(listener),
    onAppend: (listener) => watch.onAppend(listener),
    async append(entries) {
      requireFile();
      const { exclusive } = connection;
      if (!exclusive.tryAcquire()) {
        transactions.refuseNested();
        await exclusive.acquire();
      }
      try {
        const sequences = await whileBusy(() => connection.atOnce(() => insertAll(connection, entries)));
        checkpoints.committed();
        return sequences;
      } catch (error) {
        throw storeError(error);
      } finally {
        exclusive.release();
      }
    },
    close() {
      closed ??= (async () => {
        await connection.exclusive.acquire();
        await checkpoints.close();
        watch.close();
        await database.destroy();
      })();
      return closed;
    },
  };
}

const INSERT_EVENT = `insert into events
  (time, type, organisation_id, principal_id, call_id, process_id, body)
  values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`;
const INSERT_USAGE = `insert into skill_usage_logs
  (time, day, slug, organisation_id, user_id, source, operation, duration_ms, error_code)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function insertAll(connection: SqliteConnection, entries: readonly EventEntry[]): Array<number | undefined> {
  const events = connection.prepare(INSERT_EVENT);
  return entries.map(({ event, usage }) => {
    const { changes, lastInsertRowid } = events.run(
      event.time,
      event.type,
      event.organisation_id ?? null,
      event.principal_id ?? null,
      event.call_id ?? null,
      event.process_id,
      event.body,
    );
    if (Number(changes) === 0) return undefined;
    if (usage !== undefined) {
      connection
        .prepare(INSERT_USAGE)
        .run(
          usage.time,
          usage.day,
          usage.slug,
          usage.organisation_id ?? null,
          usage.user_id ?? null,
          usage.source,
          usage.operation,
          usage.duration_ms,
          usage.error_code ?? null,
        );
    }
    return Number(lastInsertRowid);
  });
}

/** Throws `store_unavailable` where a file that is not there yet could not be made. Makes nothing. */
export function requireSqlitePlace(file: string): void {
  let folder = dirname(file);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    // with the separator a file in its place is refused, too
    accessSync(join(folder, sep), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotBeOpened(file, error);
  }
}

/** SQLite gives its journal files the mode of the database. */
async function makePrivate(file: string): Promise<void> {
  await makeFolder(dirname(file));
  if (existsSync(file)) return;
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}
