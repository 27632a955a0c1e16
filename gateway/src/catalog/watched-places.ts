import { lstatSync, readlinkSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';

/** Linux follows as many (path_resolution(7)). */
const LINKS = 40;

/**
 * The folders and the names in them whose change may be one of this file: its own, that of each link on the way, and
 * where something on the way is missing, the name that it would have. Absolute.
 */
export function watchedPlaces(file: string): ReadonlyArray<readonly [folder: string, name: string]> {
  const places: Array<readonly [string, string]> = [];
  let { folder, names } = steps(resolve(file));
  for (let links = 0; names.length > 0; ) {
    const [name, ...rest] = names as [string, ...string[]];
    const path = join(folder, name);
    const link = links < LINKS ? readLink(path) : 'missing';
    if (link !== undefined || rest.length === 0) places.push([folder, name]);
    if (link === 'missing') break;
    if (link === undefined) {
      folder = path;
      names = rest;
    } else {
      links++;
      const target = steps(resolve(folder, link.target));
      folder = target.folder;
      names = [...target.names, ...rest];
    }
  }
  return places;
}

function readLink(path: string): { readonly target: string } | 'missing' | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? { target: readlinkSync(path) } : undefined;
  } catch {
    return 'missing';
  }
}

function steps(path: string): { folder: string; names: readonly string[] } {
  const { root } = parse(path);
  const names = path
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== '');
  return { folder: root, names };
}
