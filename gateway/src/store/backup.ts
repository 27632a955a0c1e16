import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolcribError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { renameFile } from '../files/rename-file.ts';
import { singleQuoted } from '../operations/text/single-quoted.ts';
import { addressForPrograms } from './address.ts';
import { sqliteFile } from './open-store.ts';
import { isFull, storeError } from './store-errors.ts';

export interface Backup {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Writes a whole copy of a SQLite store while gateways go on using it; the file is for this user only. Throws
 * `usage` for PostgreSQL, with the command that does it, `file_conflict`, `file_unusable`, `store_unavailable`.
 */
export async function backupStore(address: string, file: string): Promise<Backup> {
  const source = sqliteFile(address);
  if (source === undefined) throw notHere(address, file);
  if (!existsSync(source)) {
    throw new ToolcribError('store_unavailable', 'There is no store yet to back up.', { location: source });
  }
  if (existsSync(file)) {
    throw new ToolcribError('file_conflict', 'A backup overwrites nothing, and this file is there.', {
      location: file,
      next: 'Name another file, or remove this one.',
    });
  }
  if (!existsSync(dirname(file))) {
    throw new ToolcribError('usage', 'The folder of the backup is not there.', {
      location: dirname(file),
      next: 'Make it first, or name a file in a folder that is there.',
    });
  }
  // under its own name only when it is whole: a backup may be broken off
  const partial = `${file}.${randomBytes(4).toString('hex')}.writing`;
  try {
    await copyDatabase(source, partial);
    await renameFile(partial, file);
    return { file, bytes: statSync(file).size };
  } catch (error) {
    if (existsSync(partial)) rmSync(partial);
    throw fileError(error) ?? storeError(error);
  }
}

/**
 * A whole copy of a SQLite file as of one moment, whoever uses it; for this user only. The target may not be there. Throws
 * `file_unusable` where it finds no room.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  closeSync(openSync(target, 'wx', 0o600));
  const database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
  try {
    database.prepare('vacuum into ?').run(target);
  } catch (cause) {
    if (!isFull(cause)) throw cause;
    throw new ToolcribError('file_unusable', 'There is no room for the copy: the disk is full.', {
      location: dirname(target),
      next: 'Make room there, then try again.',
      cause,
    });
  } finally {
    database.close();
  }
}

function notHere(address: string, file: string): ToolcribError {
  if (!/^postgres(?:ql)?:/.test(address))
    return new ToolcribError('usage', 'The configuration says store: none; there is nothing to back up.');
  const command = `pg_dump --format=custom --file=${singleQuoted(file)} ${singleQuoted(addressForPrograms(address))}`;
  return new ToolcribError('usage', `PostgreSQL backs itself up: ${command}`, {
    next: 'Run it as the owner of the tables: a role that may only read and write rows cannot read their sequences.',
  });
}
