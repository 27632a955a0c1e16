import { type Kysely, sql } from 'kysely';
import { ToolcribError } from '../errors.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { COLUMN_TYPES, type Migration } from './migrations/migration.ts';
import type { Database } from './store.ts';
import { isBusy } from './store-errors.ts';

type Dialect = 'sqlite' | 'postgres';

/** Any constant that nobody else's advisory lock has. */
const MIGRATION_LOCK = 7_166_543_201;
/** How long a process waits for another that has a SQLite file, in case that one is bringing it forward, milliseconds. */
const WAITING_MS = 10 * 60_000;
/** And how long for a table of PostgreSQL that somebody else uses. */
const TABLE_LOCK_MS = 30_000;

export const NEWEST_VERSION: number = MIGRATIONS.length;

/** How many migrations the store has had; 0 for an empty one. */
export async function storeVersion(database: Database, dialect: Dialect): Promise<number> {
  if (!(await storedTables(database, dialect)).has('store_versions')) return 0;
  const { rows } = await sql<{
    version: number | null;
  }>`select max(version) as version from store_versions`.execute(database);
  return Number(rows[0]?.version ?? 0);
}

/** Names of the tables that the store has: an older one lacks some. */
export async function storedTables(database: Database, dialect: Dialect): Promise<ReadonlySet<string>> {
  const names =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  const { rows } = await names.execute(database);
  return new Set(rows.map(({ name }) => name));
}

/**
 * Brings the store to the newest version and names what was done. Several processes may start at once: one does it,
 * the others wait. Throws `store_version` when the store is newer than this program.
 */
export async function migrate(
  database: Database,
  dialect: Dialect,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  const end = performance.now() + WAITING_MS;
  for (;;) {
    if ((await checkedVersion(database, dialect, migrations.length)) === migrations.length) return [];
    try {
      return await migrateNow(database, dialect, migrations);
    } catch (error) {
      // another process has the file for longer than a write takes: it is likely to bring the store forward
      if (!isBusy((error as Error).cause) || performance.now() > end) throw error;
    }
  }
}

function migrateNow(
  database: Database,
  dialect: Dialect,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  return database.transaction().execute(async (transaction) => {
    if (dialect === 'postgres') await beAlone(transaction);
    const version = await checkedVersion(transaction, dialect, migrations.length);
    if (version === 0) await createVersions(transaction, dialect);
    const missing = migrations.slice(version);
    for (const [index, migration] of missing.entries()) {
      for (const statement of migration.statements(COLUMN_TYPES[dialect])) {
        await sql.raw(statement).execute(transaction);
      }
      await sql`insert into store_versions (version, name, applied_at)
        values (${version + index + 1}, ${migration.name}, ${Date.now()})`.execute(transaction);
    }
    return missing.map(({ name }) => name);
  });
}

/** An index over years of rows takes longer than any statement of a call; who holds a table may not stop us for long. */
async function beAlone(transaction: Database): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  // nor what the role has: who migrates may take long, and the others wait
  await sql`set local lock_timeout = 0`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
  await sql`set local lock_timeout = ${sql.lit(`${TABLE_LOCK_MS}ms`)}`.execute(transaction);
}

/** Throws `store_version` unless the store is exactly as this program needs it. */
export async function checkVersion(database: Database, dialect: Dialect): Promise<void> {
  const version = await checkedVersion(database, dialect, NEWEST_VERSION);
  if (version < NEWEST_VERSION) {
    throw new ToolcribError(
      'store_version',
      `The store is at version ${version}; this program needs version ${NEWEST_VERSION}.`,
      { details: { version, needed: NEWEST_VERSION } },
    );
  }
}

async function checkedVersion(database: Database, dialect: Dialect, newest: number): Promise<number> {
  const version = await storeVersion(database, dialect);
  if (version > newest) {
    throw new ToolcribError(
      'store_version',
      `The store is at version ${version}; this program knows it up to version ${newest}.`,
      { details: { version, needed: newest }, next: versionAdvice(version, newest) },
    );
  }
  return version;
}

/** What to do where the store is not at the version that is needed. */
export function versionAdvice(version: number, needed: number): string {
  return version > needed
    ? 'A newer Toolcrib has changed it: run that one, or put the backup of before the upgrade in its place.'
    : 'The next start brings it there, or `toolcrib store migrate`.';
}

async function createVersions(database: Kysely<never> | Database, dialect: Dialect): Promise<void> {
  const { big, strict } = COLUMN_TYPES[dialect];
  await sql
    .raw(
      `create table if not exists store_versions
        (version ${big} primary key not null, name text not null, applied_at ${big} not null) ${strict}`,
    )
    .execute(database as Database);
}
