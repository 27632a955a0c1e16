import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { ToolcribError } from '../../errors.ts';
import { replaceFile } from '../../files/replace-file.ts';

const MAX_BYTES = 256 * 1024;

/**
 * The sign-in that the operator wants kept at `path`; undefined where there is no file. A file that others can read,
 * a symbolic link, or what `read` takes for no record: `configuration_invalid`.
 */
export async function readTokenFile<T>(
  path: string,
  read: (value: unknown) => T | undefined,
): Promise<T | undefined> {
  const file = await openOwn(path);
  if (file === undefined) return undefined;
  try {
    const record = read(JSON.parse(await file.readFile('utf8')));
    if (record !== undefined) return record;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  } finally {
    await file.close();
  }
  throw unusable(path, 'holds no sign-in', 'Remove it and sign in again: `toolcrib login NAME`.');
}

/** Whole or not at all: a new file with mode 0600, synchronised, then renamed. Refuses to replace one that is not ours alone. The folder exists. */
export async function writeTokenFile(path: string, record: object): Promise<void> {
  await (await openOwn(path))?.close();
  try {
    await replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, { synced: true });
  } catch (cause) {
    throw unusable(path, 'cannot be written', 'Check the folder, or choose another `tokenFile`.', cause);
  }
}

/** Another one says that somebody wrote the file; undefined where it cannot be looked at, and reading it says why. */
export async function tokenFileStamp(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, ino, size } = await stat(path);
    return `${mtimeMs} ${ino} ${size}`;
  } catch {
    return undefined;
  }
}

async function openOwn(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const what = code === 'ELOOP' ? 'is a symbolic link' : 'cannot be read';
    throw unusable(path, what, 'Name a plain file of your own in `tokenFile`.', cause);
  }
  try {
    const { mode, uid, size } = await file.stat();
    const isPosix = process.platform !== 'win32';
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || size > MAX_BYTES) {
      throw unusable(path, 'is no small plain file', 'Name another file in `tokenFile`.');
    }
    if (isPosix && (mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8);
      throw unusable(
        path,
        `can be read by others (mode ${shown})`,
        `chmod 600 ${path}, or remove it and sign in anew.`,
      );
    }
    if (isPosix && uid !== process.getuid?.()) {
      throw unusable(path, 'belongs to another user', 'Name a file of your own in `tokenFile`.');
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function unusable(path: string, what: string, next: string, cause?: unknown): ToolcribError {
  return new ToolcribError('configuration_invalid', `The token file ${path} ${what}.`, {
    location: path,
    next,
    cause,
  });
}
