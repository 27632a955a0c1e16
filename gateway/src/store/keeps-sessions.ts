import { sql } from 'kysely';
import type { Database } from './store.ts';

/**
 * False where a pooler before PostgreSQL gives each transaction another connection (PgBouncer's transaction mode):
 * whoever listens there hears nothing. One holds the server's connection that another has just used, and both look.
 */
export async function keepsSessions(database: Database): Promise<boolean> {
  return database.connection().execute(async (one) => {
    const before = await serverOf(one);
    return database.transaction().execute(async (other) => {
      const held = await serverOf(other);
      return held !== before && (await serverOf(one)) === before;
    });
  });
}

async function serverOf(database: Database): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
  return rows[0]?.pid;
}
