import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing, for its owner alone unless `mode` says otherwise; others may make
 * the same at the same time. Node's own `recursive` never ends where a file system takes no folder, such as /proc
 * (nodejs/node, `MKDirp`).
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  const first = await attempt(folder, mode);
  if (first === undefined) return;
  if ((first as NodeJS.ErrnoException).code !== 'ENOENT') throw first;
  const above = dirname(folder);
  if (above !== folder && !(await isFolder(above))) await makeFolder(above, mode);
  // what is above may have been made by somebody else since the first attempt
  const error = await attempt(folder, mode);
  if (error !== undefined) throw error;
}

/** Undefined where the folder is there afterwards. */
async function attempt(folder: string, mode: number): Promise<unknown> {
  try {
    await mkdir(folder, { mode });
    return undefined;
  } catch (error) {
    return (await isFolder(folder)) ? undefined : error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
