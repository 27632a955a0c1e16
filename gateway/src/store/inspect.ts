import { existsSync, statSync } from 'node:fs';
import { sql } from 'kysely';
import { describeAddress } from './address.ts';
import { storeClock } from './clock.ts';
import { type ConnectedStore, withConnection } from './connect.ts';
import { keepsSessions } from './keeps-sessions.ts';
import { NEWEST_VERSION, storedTables, storeVersion } from './migrate.ts';
import { sqliteFile } from './open-store.ts';
import type { Fault } from './postgres-faults.ts';
import { isGone, processIdentity } from './process-identity.ts';
import type { Database } from './store.ts';
import { TABLES } from './table-names.ts';
import { tablesWithout, whyUnwritable } from './writing.ts';

export interface StoreStatus {
  /** Without password. */
  readonly address: string;
  readonly dialect: 'sqlite' | 'postgres';
  /** False: a SQLite file that nobody has made yet. */
  readonly exists: boolean;
  readonly version: number;
  /** The version that this program needs. */
  readonly needed: number;
  readonly bytes: number;
  /** Rows by table, of the tables that this version has and that may be read; empty before the first migration. */
  readonly rows: Readonly<Record<string, number>>;
  /** Gateways that run: they were seen within the last 15 seconds. */
  readonly processes: number;
  /** False: a pooler before PostgreSQL lets nobody listen, so that processes hear of each other's changes late. */
  readonly sessions: boolean;
  /** False: a standby, or a role that lacks rights. A SQLite file that cannot be written is refused. */
  readonly writable: boolean;
  /** Why it cannot be written. */
  readonly unwritable?: Fault;
}

const ALIVE_MS = 15_000;

/** Looks and changes nothing. Throws `store_unavailable`, also where a SQLite file could not be made or written. */
export async function inspectStore(address: string): Promise<StoreStatus> {
  const file = sqliteFile(address);
  const base = { address: describeAddress(address), needed: NEWEST_VERSION };
  if (file !== undefined) {
    const { requireSqlitePlace, requireSqliteRoom } = await import('./sqlite.ts');
    await requireSqliteRoom(file);
    if (!existsSync(file)) {
      requireSqlitePlace(file);
      return {
        ...base,
        dialect: 'sqlite',
        exists: false,
        version: 0,
        bytes: 0,
        rows: {},
        processes: 0,
        sessions: true,
        writable: true,
      };
    }
  }
  return withConnection(address, async ({ dialect, database }) => {
    const version = await storeVersion(database, dialect);
    const known = version > 0;
    const closed = dialect === 'sqlite' ? [] : await tablesWithout(database, ['select']);
    const unwritable = dialect === 'sqlite' ? undefined : await whyUnwritable(database);
    return {
      ...base,
      dialect,
      exists: true,
      version,
      bytes: file === undefined ? await databaseBytes(database) : fileBytes(file),
      rows: known ? await countRows({ dialect, database }, closed) : {},
      processes: known && !closed.includes('processes') ? await countAlive({ dialect, database }) : 0,
      sessions: dialect === 'sqlite' || (await keepsSessions(database)),
      writable: unwritable === undefined,
      ...(unwritable === undefined ? {} : { unwritable }),
    };
  });
}

async function countRows(
  { dialect, database }: ConnectedStore,
  closed: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const stored = await storedTables(database, dialect);
  for (const table of TABLES) {
    if (!stored.has(table) || closed.includes(table)) continue;
    const { count } = await database
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    counts[table] = Number(count);
  }
  return counts;
}

/** Gateways that were seen within the last 15 seconds, without those of this machine that have ended since. */
async function countAlive({ dialect, database }: ConnectedStore): Promise<number> {
  const { machine } = processIdentity();
  const seen = await database
    .selectFrom('processes')
    .select(['machine', 'pid'])
    .where('seen_at', '>', sql<number>`${storeClock(dialect)} - ${ALIVE_MS}`)
    .execute();
  return seen.filter((one) => one.machine !== machine || !isGone(Number(one.pid))).length;
}

/** With the journal, which holds what is not yet in the file itself. */
function fileBytes(file: string): number {
  return [file, `${file}-wal`].reduce(
    (sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

async function databaseBytes(database: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    database,
  );
  return Number(rows[0]?.bytes ?? 0);
}
