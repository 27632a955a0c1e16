import { createHash } from 'node:crypto';
import { chmod, copyFile, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { renameFile } from '../../files/rename-file.ts';

/** What `connect` remembers, so that `disconnect` can bring back the very bytes. */
export interface ConnectRecord {
  readonly file: string;
  readonly name: string;
  /** `sha256` of the file after we wrote it. */
  readonly written: string;
  /** The file as it was; absent when there was none, or when it already held our entry. */
  readonly backup?: string;
  readonly created: boolean;
}

/**
 * Text of a client's file with symbolic links followed; undefined when there is none. What is no UTF-8 is refused: it
 * could not be written back as it was.
 */
export async function readClientFile(file: string): Promise<{ path: string; text: string | undefined }> {
  try {
    const path = await realpath(file);
    return {
      path,
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path)),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { path: await meantBy(file), text: undefined };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new ToolcribError('file_conflict', 'The file is no UTF-8.', {
        location: file,
        next: 'Save it as UTF-8 and try again, or write the entry by hand: `connect CLIENT --print` shows it.',
        cause: error,
      });
    }
    throw new ToolcribError('file_conflict', `The file cannot be read: ${(error as Error).message}.`, {
      location: file,
      cause: error,
    });
  }
}

/** Where a link leads to that leads to nothing yet: what is written stands there, and the link stays. */
async function meantBy(file: string): Promise<string> {
  const target = await readlink(file).catch(() => undefined);
  return target === undefined ? file : meantBy(resolve(dirname(file), target));
}

/** Replaces the file in one step; its mode stays, a new one is for the user alone. One made read-only stays as it is. */
export async function writeClientFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const mode = await writableMode(file);
  try {
    await makeFolder(dirname(file));
    await writeFile(temporary, text, { mode });
    await chmod(temporary, mode);
    await renameFile(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw writeFailure(file, error);
  }
}

/** Putting another file in the place of one needs no right to write into it: what somebody made read-only is refused. */
async function writableMode(file: string): Promise<number> {
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  if ((mode & 0o200) !== 0) return mode;
  throw new ToolcribError('file_unusable', 'The file is read-only.', {
    location: file,
    next: 'Make it writable and try again, or write the entry by hand: `connect CLIENT --print` shows it.',
  });
}

/** Copies the file beside itself; the name says when. */
export async function backUp(file: string, now: Date): Promise<string> {
  await writableMode(file);
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  for (let number = 0; ; number += 1) {
    const backup = `${file}.${stamp}${number === 0 ? '' : `-${number}`}.toolcrib-backup`;
    try {
      await copyFile(file, backup, 1 /* COPYFILE_EXCL */);
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writeFailure(backup, error);
    }
  }
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function recordFile(stateDirectory: string, file: string, name: string): string {
  return join(stateDirectory, 'connected', `${digest(`${file}\0${name}`).slice(0, 24)}.json`);
}

export async function readRecord(
  stateDirectory: string,
  file: string,
  name: string,
): Promise<ConnectRecord | undefined> {
  try {
    return JSON.parse(await readFile(recordFile(stateDirectory, file, name), 'utf8')) as ConnectRecord;
  } catch {
    return undefined;
  }
}

export async function writeRecord(stateDirectory: string, record: ConnectRecord): Promise<void> {
  await writeClientFile(
    recordFile(stateDirectory, record.file, record.name),
    `${JSON.stringify(record, null, 2)}\n`,
  );
}

export async function removeRecord(stateDirectory: string, record: ConnectRecord): Promise<void> {
  await rm(recordFile(stateDirectory, record.file, record.name), { force: true });
}

function writeFailure(file: string, error: unknown): ToolcribError {
  return new ToolcribError('file_unusable', `The file cannot be written: ${(error as Error).message}.`, {
    location: file,
    cause: error,
  });
}
