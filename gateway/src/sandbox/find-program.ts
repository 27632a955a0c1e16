import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, delimiter, extname, isAbsolute, join, resolve } from 'node:path';

/** In the order of Windows itself, which starts nothing without one: beside a batch file lies a script for other systems. */
const SUFFIXES = ['.com', '.exe', '.cmd', '.bat'];

/**
 * The program that a name means by a PATH, absolute; undefined where there is none. A name with a folder means that file,
 * seen from `cwd`; relative folders of the PATH do not count.
 */
export async function findProgram(
  name: string,
  path: string | undefined,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const named = basename(name) !== name;
  const isWhole = platform !== 'win32' || extname(name) !== '';
  const suffixes = [...(isWhole ? [''] : []), ...(platform === 'win32' ? SUFFIXES : [])];
  const candidates = named ? [resolve(cwd, name)] : folders.map((folder) => join(folder, name));
  for (const candidate of candidates) {
    for (const suffix of suffixes) if (await isExecutable(candidate + suffix)) return candidate + suffix;
  }
  return undefined;
}

/** A file that the system would start. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
