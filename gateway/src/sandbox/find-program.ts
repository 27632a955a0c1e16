import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';

/** Windows starts nothing without one. */
const SUFFIXES = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];

/**
 * The program that a name means by a PATH, absolute; undefined where there is none. A name with a folder means that file,
 * seen from `cwd`; relative folders of the PATH do not count.
 */
export async function findProgram(
  name: string,
  path: string | undefined,
  cwd: string,
): Promise<string | undefined> {
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const named = basename(name) !== name;
  const candidates = named ? [resolve(cwd, name)] : folders.map((folder) => join(folder, name));
  for (const candidate of candidates) {
    for (const suffix of SUFFIXES) if (await isExecutable(candidate + suffix)) return candidate + suffix;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
