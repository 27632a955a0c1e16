import type { Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftOut } from './entry-path.ts';
import { IMPORT_LIMITS } from './import-limits.ts';
import { refused } from './refuse.ts';

/** Lists what is in a folder, by its path within the package; empty for the package itself. */
export type ListFolder = (path: string) => Promise<ReadonlyArray<{ name: string; isFolder: boolean }>>;

/**
 * Paths of all folders that hold a SKILL.md, sorted, empty for the package itself. What lies in a skill belongs to it
 * and is not looked through. Throws `archive_refused` where there is none.
 */
export async function findSkills(list: ListFolder): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  for (let depth = 0; depth <= IMPORT_LIMITS.skillDepth && level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      const inside = await list(path);
      if (inside.some(({ name, isFolder }) => name === 'SKILL.md' && !isFolder)) found.push(path);
      else {
        const folders = inside.filter(({ name, isFolder }) => isFolder && isLookedThrough(name));
        for (const { name } of folders) next.push(path === '' ? name : `${path}/${name}`);
        // one tree of git can stand for thousands of folders, each with as many
        if (next.length > IMPORT_LIMITS.entries)
          throw refused(`It has more than ${IMPORT_LIMITS.entries} folders.`);
      }
    }
    level = next;
  }
  if (found.length === 0)
    throw refused(`It holds no SKILL.md, down to ${IMPORT_LIMITS.skillDepth} folders deep.`);
  if (found.length > IMPORT_LIMITS.skills)
    throw refused(`It holds more than ${IMPORT_LIMITS.skills} skills: choose a folder of it.`);
  return found.sort();
}

function isLookedThrough(name: string): boolean {
  return name !== 'node_modules' && !isLeftOut(name);
}

export function listOnDisk(folder: string): ListFolder {
  return async (path) => {
    const entries: Dirent[] = await readdir(join(folder, path), { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  };
}

const NAME = /^name:[ \t]*(["']?)([a-z0-9][a-z0-9-]{0,63})\1[ \t]*\r?$/m;
const LOOK_BYTES = 4096;

/** The name that a SKILL.md gives itself, where that can be a folder's; no judgement of the rest. */
export async function nameIn(document: string): Promise<string | undefined> {
  await using handle = await open(document);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, 0);
  const [matter = ''] = buffer
    .toString('utf8', 0, bytesRead)
    .split(/^---\r?$/m)
    .slice(1);
  return NAME.exec(matter)?.[2];
}
