import { posix } from 'node:path';
import { isLeftOut } from '../entry-path.ts';
import type { GitObjects } from './pack.ts';
import { readTree, type TreeEntry } from './tree.ts';

/** Longer ones are no path that a system takes. */
const MAX_PATH = 4096;

/**
 * What a symbolic link of a commit leads to, where that is a file or folder of the same commit that an import writes,
 * and no link is on the way; undefined otherwise. A folder that the link itself lies in is none of them.
 *
 * @param link path of the link, from the top of the commit
 * @param target what the link says
 */
export function linkedEntry(
  objects: GitObjects,
  top: string,
  link: string,
  target: string,
): TreeEntry | undefined {
  if (target === '' || target.length > MAX_PATH || target.startsWith('/')) return undefined;
  const from = posix.join('.', link).replace(/^\//, '');
  const path = posix.join(posix.dirname(from), target).replace(/\/$/, '');
  if (path === '.' || path === '..' || path.startsWith('../') || from.startsWith(`${path}/`))
    return undefined;
  let entry: TreeEntry | undefined;
  for (const name of path.split('/')) {
    if (isLeftOut(name)) return undefined;
    if (entry !== undefined && entry.kind !== 'folder') return undefined;
    entry = readTree(objects, entry?.id ?? top).find((one) => one.name === name);
    if (entry === undefined) return undefined;
  }
  return entry?.kind === 'link' || entry?.kind === 'submodule' ? undefined : entry;
}
