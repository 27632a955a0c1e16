import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { VERSION } from './version.ts';

/** Rooms whose code decides what becomes of a description. */
const ROOMS = [
  'assembly',
  'catalog',
  'compiler',
  'hints',
  'operations',
  'policy',
  'skills',
  'sources',
  'templates',
] as const;

let ours: string | undefined;

/**
 * Another one for other code, also where the version is the same: a checkout keeps its number for long. What is kept
 * under it is read by the program that wrote it, and by no other.
 */
export function programStamp(): string {
  const { filename } = import.meta;
  ours ??= `${VERSION} ${filename.endsWith('.ts') ? sourceStamp(dirname(filename)) : buildStamp(filename)}`;
  return ours;
}

/** Of a folder of sources that run as they are: name, size and time of every file in its rooms. */
export function sourceStamp(folder: string): string {
  const hash = createHash('sha256');
  const note = (place: string, rooms: readonly string[] | undefined): void => {
    const entries = readdirSync(join(folder, place), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(place, entry.name);
      if (entry.isDirectory()) {
        if (rooms?.includes(entry.name) ?? true) note(path, undefined);
        continue;
      }
      const { size, mtimeMs } = statSync(join(folder, path));
      hash.update(`${path}\0${size}\0${mtimeMs}\n`);
    }
  };
  note('.', ROOMS);
  return hash.digest('hex').slice(0, 32);
}

/** Of one file that a build made: it makes all of them anew, and names those of a bundle by what is in them. */
export function buildStamp(file: string): string {
  const { size, mtimeMs } = statSync(file);
  const names = readdirSync(dirname(file)).sort();
  return createHash('sha256')
    .update(`${names.join('\0')}\n${size}\0${mtimeMs}`)
    .digest('hex')
    .slice(0, 32);
}
