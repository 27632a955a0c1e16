import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { acceptedEncodings, type Encoding } from './accepted-encodings.ts';

/** The bytes of one file as they go out. */
export interface ConsoleFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding['name'] | undefined;
}

/** Names as a build makes them: no dots in front, no signs that mean something in a path, one folder at most. */
const FILE = /^\/(?:assets\/)?[\w-][\w.-]*\.[a-z0-9]+$/;

/** Whether this can be a file of the console at all. Everything that is escaped in a URL is none. */
export function isConsoleFile(pathname: string): boolean {
  return FILE.test(pathname);
}

/**
 * Reads a file of the built console, or the compressed copy beside it where the client takes it. Undefined where there
 * is none, and where a link leads out of the folder. `pathname`: `isConsoleFile` said yes to it.
 */
export async function readConsoleFile(
  folder: string,
  pathname: string,
  acceptEncoding: string | null,
): Promise<ConsoleFile | undefined> {
  for (const { name, suffix } of acceptedEncodings(acceptEncoding)) {
    const bytes = await readWithin(folder, `${pathname}${suffix}`);
    if (bytes !== undefined) return { bytes, encoding: name };
  }
  const bytes = await readWithin(folder, pathname);
  return bytes && { bytes, encoding: undefined };
}

async function readWithin(folder: string, path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, path));
    return file.startsWith(`${root}${sep}`) ? await readFile(file) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // a folder of that name, or a link that leads to itself, is no file either
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}
