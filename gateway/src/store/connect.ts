import { ToolcribError } from '../errors.ts';
import { sqliteFile } from './open-store.ts';
import type { Database, Store } from './store.ts';

export interface ConnectedStore {
  readonly dialect: Store['dialect'];
  readonly database: Database;
}

/** The store at whatever version it is: for commands that look at it or bring it forward. */
export async function connectStore(address: string): Promise<ConnectedStore> {
  const file = sqliteFile(address);
  if (file !== undefined) {
    const { connectSqlite } = await import('./sqlite.ts');
    const { database } = await connectSqlite(file);
    return { dialect: 'sqlite', database };
  }
  if (!/^postgres(?:ql)?:\/\//.test(address)) {
    throw new ToolcribError('usage', 'The configuration says store: none; there is nothing to look at.');
  }
  const { connectPostgres } = await import('./postgres.ts');
  const { database } = await connectPostgres(address);
  return { dialect: 'postgres', database };
}

/** Connects for one piece of work and closes again, whatever happens. */
export async function withConnection<T>(
  address: string,
  work: (connected: ConnectedStore) => Promise<T>,
): Promise<T> {
  const connected = await connectStore(address);
  try {
    return await work(connected);
  } finally {
    await connected.database.destroy();
  }
}
