import { ToolcribError } from '../errors.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions {
  /** False: a store that is not at this program's version is refused instead of migrated. Default: true. */
  readonly migrate?: boolean;
  /** True: a database that can only be read, as a standby, is refused. Default: false. */
  readonly write?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Opens `sqlite:/absolute/path` or a postgres: URL at the version of this program. Throws `store_unavailable` or
 * `store_version`.
 */
export async function openStore(address: string, options: OpenStoreOptions = {}): Promise<Store> {
  const { signal, ...rest } = options;
  signal?.throwIfAborted();
  const store = await open(address, rest);
  if (signal?.aborted === true) {
    await store.close();
    signal.throwIfAborted();
  }
  return store;
}

async function open(address: string, options: Omit<OpenStoreOptions, 'signal'>): Promise<Store> {
  const file = sqliteFile(address);
  if (file !== undefined) {
    const { openSqlite } = await import('./sqlite.ts');
    return openSqlite(file, options);
  }
  if (!/^postgres(?:ql)?:\/\//.test(address)) {
    throw new ToolcribError('configuration_invalid', 'The store must be sqlite:PATH or a postgres:// URL.', {
      pointer: '#/store',
    });
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(address, options);
}

/** The file of a `sqlite:` address; undefined for any other. */
export function sqliteFile(address: string): string | undefined {
  return address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : undefined;
}
