import { type Kysely, sql } from 'kysely';
import { ToolcribError } from '../errors.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { COLUMN_TYPES, type Migration } from './migrations/migration.ts';
import type { Database } from './store.ts';

type Dialect = 'sqlite' | 'postgres';

/** Any constant that nobody else's advisory lock has. */
const MIGRATION_LOCK = 7_166_543_201;

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
  if ((await checkedVersion(database, dialect, migrations.length)) === migrations.length) return [];
  return database.transaction().execute(async (transaction) => {
    if (dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
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
      { details: { version, needed: newest } },
    );
  }
  return version;
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
