import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ToolcribError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { renameFile } from '../files/rename-file.ts';
import { singleQuoted } from '../operations/text/single-quoted.ts';
import { addressForPrograms } from './address.ts';
import { copyDatabase } from './backup.ts';
import { checkBackup } from './check-backup.ts';
import { sqliteFile } from './open-store.ts';
import { isBusy, isDamaged, storeError } from './store-errors.ts';

export interface Restored {
  readonly file: string;
  readonly bytes: number;
  /** Of the backup: the next start brings an older one forward. */
  readonly version: number;
  /** Where the store is now that was there. */
  readonly kept?: string;
}

/** What SQLite has beside a file that is in use: what is not yet in it, and an index of that. */
const JOURNAL = '-wal';
const INDEX = '-shm';

/** More events than are written between two backups. */
const LEFT_OUT = 1_000_000;

/**
 * Puts a copy of a backup in the place of a SQLite store. What was there is kept beside it, also where it is damaged.
 * Throws `usage` for PostgreSQL, with the command that does it, and where the backup is no whole store; `store_version`
 * where a newer program made it, `file_conflict` while gateways use the store, `store_unavailable`, `file_unusable`.
 */
export async function restoreStore(address: string, backup: string): Promise<Restored> {
  const file = sqliteFile(address);
  if (file === undefined) throw notHere(address, backup);
  const version = await checkBackup(backup);
  if (existsSync(file)) await requireUnused(file);
  const now = new Date();
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const fresh = `${file}.${stamp}.restoring`;
  try {
    await makeFolder(dirname(file));
    await copyDatabase(backup, fresh);
    await countOn(fresh, file);
    await endOpenApprovals(fresh, now.getTime());
    const kept = await setAside(file, `${file}.${stamp}.before-restore`);
    await renameFile(fresh, file);
    return { file, bytes: statSync(file).size, version, ...(kept === undefined ? {} : { kept }) };
  } catch (error) {
    rmSync(fresh, { force: true });
    throw fileError(error) ?? storeError(error);
  }
}

/**
 * Leaving the WAL mode takes that nobody else has the file open, and leaves no journal beside it. A damaged file tells
 * nothing of who uses it.
 */
async function requireUnused(file: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    const database = new DatabaseSync(file, { timeout: 1000 });
    try {
      database.exec('pragma journal_mode = delete');
    } finally {
      database.close();
    }
  } catch (error) {
    if (isDamaged(error)) return;
    if (!isBusy(error)) throw storeError(error);
    throw new ToolcribError('file_conflict', 'A gateway or another program has this store open.', {
      location: file,
      next: 'Stop every gateway of it first, and what reads it, such as `toolcrib events --follow`.',
      cause: error,
    });
  }
}

/**
 * Sequences that were given after the backup are not given again: receivers of webhooks and readers of streams know
 * events by them. Where the store that was there did not go on from the backup, enough are left out.
 */
async function countOn(fresh: string, replaced: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(fresh);
  try {
    const last = lastSequence(database);
    const given = await sequenceIn(replaced);
    const next = given >= last ? given : last + LEFT_OUT;
    database.exec(`delete from sqlite_sequence where name = 'events'`);
    database.prepare(`insert into sqlite_sequence (name, seq) values ('events', ?)`).run(next);
  } finally {
    database.close();
  }
}

/**
 * What was agreed to when the backup was made may have been used since, and what was asked may have been refused: each
 * counts once, so that callers ask again. The next start records their end. No call goes on with what it had used.
 */
async function endOpenApprovals(fresh: string, now: number): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(fresh);
  try {
    const isThere = database.prepare(`select 1 from sqlite_master where name = 'approvals'`).get();
    if (isThere === undefined) return;
    database
      .prepare(
        `update approvals set expires_at = min(expires_at, ?), rounds = case state when 'executing' then -1 else rounds end
         where state in ('pending', 'approved', 'executing')`,
      )
      .run(now);
  } finally {
    database.close();
  }
}

/** -1 where nobody can tell. */
async function sequenceIn(file: string): Promise<number> {
  if (!existsSync(file)) return -1;
  const { DatabaseSync } = await import('node:sqlite');
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return lastSequence(database);
    } finally {
      database.close();
    }
  } catch {
    return -1;
  }
}

function lastSequence(database: DatabaseSync): number {
  const row = database.prepare(`select max(seq) as last from sqlite_sequence where name = 'events'`).get();
  return Number(row?.['last'] ?? 0);
}

/** Answers with the name that it has now; undefined where nothing was there. */
async function setAside(file: string, kept: string): Promise<string | undefined> {
  rmSync(`${file}${INDEX}`, { force: true });
  // the journal first: beside another file it would be taken for that one's
  if (existsSync(`${file}${JOURNAL}`)) await renameFile(`${file}${JOURNAL}`, `${kept}${JOURNAL}`);
  if (!existsSync(file)) return undefined;
  await renameFile(file, kept);
  return kept;
}

/** What a SQLite store gets by itself: later events have later sequences, and what was decided counts no second time. */
const AFTERWARDS = [
  "select setval(pg_get_serial_sequence('events', 'sequence'), (select coalesce(max(sequence), 0) + 1000000 from events))",
  "update approvals set expires_at = 0, rounds = -1 where state in ('pending', 'approved', 'executing')",
];

function notHere(address: string, backup: string): ToolcribError {
  if (!/^postgres(?:ql)?:/.test(address))
    return new ToolcribError('usage', 'The configuration says store: none; there is nothing to restore.');
  const place = singleQuoted(addressForPrograms(address));
  const command = `pg_restore --no-owner --dbname ${place} ${singleQuoted(backup)}`;
  const statements = AFTERWARDS.map((statement) => `-c "${statement}"`).join(' ');
  return new ToolcribError('usage', `PostgreSQL restores itself, into an empty database: ${command}`, {
    next: `Stop every gateway of the store first, and before one starts again: psql ${place} ${statements}`,
  });
}
