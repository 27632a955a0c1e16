import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from './version.ts';

/** Rooms whose code decides what becomes of a description. */
const ROOMS = [
  'assembly',
  'catalog',
  'compiler',
  'hints',
  'operations',
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
  ours ??= `${VERSION} ${stampOf(import.meta.dirname)}`;
  return ours;
}

/** Of the files of a program by name, size and time: right beside each other in a bundle, else in rooms. */
export function stampOf(folder: string): string {
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
