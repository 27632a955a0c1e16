import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The program that a name means by a PATH, absolute; undefined where there is none. Relative folders do not count. */
export async function findProgram(
  name: string,
  path: string | undefined,
  cwd: string,
): Promise<string | undefined> {
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const candidates = name.includes('/') ? [resolve(cwd, name)] : folders.map((folder) => join(folder, name));
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
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
