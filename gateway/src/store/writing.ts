import { sql } from 'kysely';
import { type Fault, missingRights, READ_ONLY } from './postgres-faults.ts';
import type { Database } from './store.ts';
import { TABLES } from './table-names.ts';

/**
 * Of PostgreSQL: why no gateway can use it, where that is so. A standby, a role that may only read
 * (`default_transaction_read_only`), or one that lacks rights to rows: of all tables, or of one that an upgrade made.
 */
export async function whyUnwritable(database: Database): Promise<Fault | undefined> {
  const { rows } = await sql<{
    closed: string;
  }>`select current_setting('transaction_read_only') as closed`.execute(database);
  if (rows[0]?.closed !== 'off') return READ_ONLY;
  const tables = await tablesWithout(database, ['select', 'insert', 'update', 'delete']);
  return tables.length === 0 ? undefined : missingRights(tables);
}

/** Those of our tables to whose rows this role lacks one of these rights. */
export async function tablesWithout(
  database: Database,
  rights: ReadonlyArray<'select' | 'insert' | 'update' | 'delete'>,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema() and tablename in (${sql.join([...TABLES])}) and exists (
      select from unnest(string_to_array(${rights.join()}, ',')) as needed(name)
      where not has_table_privilege(format('%I.%I', schemaname, tablename), needed.name))
    order by tablename`.execute(database);
  return rows.map(({ name }) => name);
}
