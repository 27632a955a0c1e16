import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ToolcribError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { NEWEST_VERSION } from './migrate.ts';

/** How every SQLite file begins. */
const SQLITE_HEADER = 'SQLite format 3\0';
const ANOTHER = 'Name a file that `toolcrib store backup FILE` wrote.';

/**
 * The version of the store in a backup, when it is whole. Throws `source_unreadable` where none is there, `usage` with what is
 * wrong with the file, `store_version` where a newer program made it, `file_unusable` where it may not be read.
 */
export async function checkBackup(backup: string): Promise<number> {
  const refused = (message: string, next = ANOTHER, cause?: unknown) =>
    new ToolcribError('usage', message, { location: backup, next, cause });
  const kind = read(() => statSync(backup, { throwIfNoEntry: false }));
  if (kind === undefined)
    throw new ToolcribError('source_unreadable', 'The backup is not there.', {
      location: backup,
      next: `${ANOTHER} A relative path counts from here.`,
    });
  if (!kind.isFile()) throw refused('This is a folder or the like, and no backup.');
  if (kind.size === 0) throw refused('The backup is empty.');
  if (read(() => beginningOf(backup)) !== SQLITE_HEADER)
    throw refused(
      'This is no SQLite database, so no backup of a store.',
      `${ANOTHER} A packed one is unpacked first.`,
    );
  const { DatabaseSync } = await import('node:sqlite');
  let version: unknown;
  try {
    const database = new DatabaseSync(backup, { readOnly: true });
    try {
      requireWhole(database);
      version = isStore(database)
        ? database.prepare('select max(version) as version from store_versions').get()?.['version']
        : undefined;
    } finally {
      database.close();
    }
  } catch (cause) {
    const { message } = cause as Error;
    throw refused(
      `The backup is damaged or was cut off: ${message}.`,
      'Take another copy of it, or an older backup.',
      cause,
    );
  }
  if (typeof version !== 'number')
    throw refused('This is a SQLite database, but no store: it has no version of one.');
  if (version <= NEWEST_VERSION) return version;
  throw new ToolcribError(
    'store_version',
    `The backup is at version ${version}; this program knows it up to version ${NEWEST_VERSION}.`,
    { location: backup, next: 'Restore it with the Toolcrib that made it, or a later one.' },
  );
}

function beginningOf(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(SQLITE_HEADER.length);
    readSync(descriptor, bytes, 0, bytes.length, 0);
    return bytes.toString('latin1');
  } finally {
    closeSync(descriptor);
  }
}

function read<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw fileError(error) ?? error;
  }
}

function requireWhole(database: DatabaseSync): void {
  const [{ quick_check: state } = {}] = database.prepare('pragma quick_check(1)').all();
  if (state !== 'ok') throw new Error(String(state).replace(/\s+/g, ' '));
}

function isStore(database: DatabaseSync): boolean {
  return database.prepare(`select 1 from sqlite_master where name = 'store_versions'`).get() !== undefined;
}
