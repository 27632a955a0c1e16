import { createHash } from 'node:crypto';
import { access, constants, type FileHandle, open, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { ToolcribError } from '../../errors.ts';
import { renameFile } from '../../files/rename-file.ts';
import { PACKAGE_FOLDER } from '../../version.ts';

/** The configuration file as it was read. */
export interface ReadFile {
  /** Where it was named, which may be a link. */
  readonly path: string;
  readonly text: string;
  /** Tells one content from another. */
  readonly revision: string;
}

/** The operator's own file that counts now; undefined where there is none, or it comes with the package. */
export function ownFile({ file }: Pick<Configuration, 'file'>): string | undefined {
  if (file === undefined || isShipped(file)) return undefined;
  return file;
}

/** The quickstart is everybody's: nothing is written there. */
function isShipped(file: string): boolean {
  const folder = dirname(resolve(file)) + sep;
  return [PACKAGE_FOLDER, join(PACKAGE_FOLDER, '..', 'examples', 'quickstart')].some((shipped) =>
    folder.startsWith(resolve(shipped) + sep),
  );
}

/** Whether this process could replace it. */
export async function isWritable(file: string): Promise<boolean> {
  try {
    const place = await realpath(file);
    await Promise.all([access(place, constants.W_OK), access(dirname(place), constants.W_OK)]);
    return true;
  } catch {
    return false;
  }
}

/** Throws `source_unreadable`. */
export async function readConfigurationFile(file: string): Promise<ReadFile> {
  try {
    const text = await readFile(file, 'utf8');
    return { path: file, text, revision: revisionOf(text) };
  } catch (error) {
    throw new ToolcribError('source_unreadable', `Cannot read ${file}: ${(error as Error).message}.`, {
      location: file,
      cause: error,
    });
  }
}

/**
 * Puts another text in place of what was read: written beside it and renamed, with its mode; a link keeps pointing to
 * it. Throws `record_conflict` when it has changed since, `file_conflict` when it cannot be written.
 */
export async function replaceConfigurationFile(read: ReadFile, text: string): Promise<void> {
  const place = await realpath(read.path);
  // one name for all processes: whoever has the file looks and renames before the next one looks
  const temporary = `${place}.toolcrib.tmp`;
  let isOwn = false;
  try {
    const { mode } = await stat(place);
    await using handle = await openAlone(temporary, read.path, mode & 0o777);
    isOwn = true;
    await handle.chmod(mode & 0o777);
    await handle.writeFile(text);
    await handle.sync();
    requireRevision(await readConfigurationFile(read.path), read.revision);
    await renameFile(temporary, place);
  } catch (error) {
    if (isOwn) await rm(temporary, { force: true });
    if (error instanceof ToolcribError) throw error;
    throw new ToolcribError('file_conflict', `${read.path} cannot be written: ${(error as Error).message}.`, {
      location: read.path,
      cause: error,
      next: 'Give the gateway the right to write it, or change it by hand.',
    });
  }
}

/** What a process left that ended meanwhile, milliseconds. */
const LEFT_MS = 60_000;

/** Throws `record_conflict` while another process writes the same configuration. */
async function openAlone(temporary: string, path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(temporary, 'wx', mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const left = await stat(temporary).catch(() => undefined);
  if (left !== undefined && Date.now() - left.mtimeMs > LEFT_MS) {
    await rm(temporary, { force: true });
    return open(temporary, 'wx', mode);
  }
  throw new ToolcribError('record_conflict', `${path} is being written by somebody else.`, {
    location: path,
    next: 'Look at the change again, then save it.',
  });
}

/** Throws `record_conflict` unless the file is as it was looked at. */
export function requireRevision({ path, revision }: ReadFile, looked: string | undefined): void {
  if (looked === revision) return;
  throw new ToolcribError('record_conflict', `${path} has changed since it was looked at.`, {
    location: path,
    next: 'Look at the change again, then save it.',
  });
}

function revisionOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
