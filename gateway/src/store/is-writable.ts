import { sql } from 'kysely';
import type { Database } from './store.ts';

/** Of PostgreSQL. False on a standby, and for a role that may only read (`default_transaction_read_only`). */
export async function isWritable(database: Database): Promise<boolean> {
  const { rows } = await sql<{
    closed: string;
  }>`select current_setting('transaction_read_only') as closed`.execute(database);
  return rows[0]?.closed === 'off';
}
