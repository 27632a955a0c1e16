import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ToolcribError } from '../../errors.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { readRecord, type TokenRecord } from './token-record.ts';

const MAX_BYTES = 256 * 1024;

/**
 * The sign-in that the operator wants kept at `path`; undefined where there is no file. A file that others can read,
 * a symbolic link, or what is no record: `configuration_invalid`.
 */
export async function readTokenFile(path: string): Promise<TokenRecord | undefined> {
  const file = await openOwn(path);
  if (file === undefined) return undefined;
  try {
    const record = readRecord(JSON.parse(await file.readFile('utf8')));
    if (record !== undefined) return record;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  } finally {
    await file.close();
  }
  throw unusable(path, 'holds no sign-in', 'Remove it and sign in again: `toolcrib upstream login NAME`.');
}

/** Whole or not at all: a new file with mode 0600, synchronised, then renamed. Refuses to replace one that is not ours alone. The folder exists. */
export async function writeTokenFile(path: string, record: TokenRecord): Promise<void> {
  await (await openOwn(path))?.close();
  try {
    await replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, { synced: true });
  } catch (cause) {
    throw unusable(
      path,
      'cannot be written',
      'Check the folder, or choose another `oauth.tokenFile`.',
      cause,
    );
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
    throw unusable(path, what, 'Name a plain file of your own in `oauth.tokenFile`.', cause);
  }
  try {
    const { mode, uid, size } = await file.stat();
    const isPosix = process.platform !== 'win32';
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || size > MAX_BYTES) {
      throw unusable(path, 'is no small plain file', 'Name another file in `oauth.tokenFile`.');
    }
    if (isPosix && (mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8);
      throw unusable(path, `can be read by others (mode ${shown})`, `chmod 600 ${path}, or sign in anew.`);
    }
    if (isPosix && uid !== process.getuid?.()) {
      throw unusable(path, 'belongs to another user', 'Name a file of your own in `oauth.tokenFile`.');
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
