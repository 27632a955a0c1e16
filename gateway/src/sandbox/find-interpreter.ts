import { win32 } from 'node:path';
import type { ScriptInterpreter } from '../operations/index.ts';
import { findProgram, isExecutable } from './find-program.ts';

type Found = Exclude<ScriptInterpreter, 'node'>;

/** The program that runs scripts of this kind, by a PATH, absolute; undefined where there is none. */
export async function findInterpreter(
  name: Found,
  path: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  if (platform !== 'win32') return findProgram(name, path, '/');
  for (const candidate of windowsCandidates(name, path ?? '')) {
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

/** Links of the Microsoft Store; that of Python may lead to nothing but an offer to install it. */
const STORE = /\\WindowsApps\\?$/i;
/** The bash in there is that of a Linux beside Windows, which knows no path of ours. */
const SYSTEM = /\\System32\\?$/i;
/** The one folder of Git that its installer puts on the PATH; its shells lie beside. */
const GIT = /^(.*\\)cmd\\?$/i;

/** Where it may be on Windows, in order. Batch files are left out: only a shell starts them. */
export function windowsCandidates(name: Found, path: string): string[] {
  const folders = path.split(win32.delimiter).filter((folder) => win32.isAbsolute(folder));
  const own = folders.filter((folder) => !STORE.test(folder));
  if (name !== 'python3') {
    const git = own.flatMap((folder) => GIT.exec(folder)?.[1] ?? []).map((folder) => `${folder}bin`);
    return [...own.filter((folder) => !SYSTEM.test(folder)), ...git].map((folder) =>
      win32.join(folder, `${name}.exe`),
    );
  }
  // what python.org installs has no python3.exe
  return [own, folders.filter((folder) => STORE.test(folder))].flatMap((places) =>
    ['python3.exe', 'python.exe'].flatMap((file) => places.map((folder) => win32.join(folder, file))),
  );
}
