import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { watchedPlaces } from './watched-places.ts';

/** Editors write a file in several steps; changes within this time are one change. Milliseconds. */
const SETTLE_MS = 60;

/**
 * Calls back when one of the files may have changed. Folders are watched, not files, since editors replace files; so
 * are the links on the way, which a mounted configuration is swapped by, and a folder that went away is waited for.
 * Whether the content really differs is for the caller to see (content hash, not time).
 */
export function watchFiles(files: readonly string[], changed: () => void): () => void {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const watchAnew = () => {
    // until nothing moved between the look and the watch
    for (let places: Places | undefined, now = placesOf(files); !isDeepStrictEqual(places, now); ) {
      places = now;
      for (const watcher of watchers) watcher.close();
      watchers = [...places].flatMap(([folder, names]) => watchFolder(folder, names, settle));
      now = placesOf(files);
    }
  };
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // first: what changes from now on is seen, what changed before is read
      watchAnew();
      changed();
    }, SETTLE_MS);
    timer.unref();
  };
  watchAnew();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
}

/** macOS and Windows find a file by another case or composition, and tell its change by the name that it has there. */
function oneForm(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Names by folder, in one form. */
type Places = ReadonlyMap<string, ReadonlySet<string>>;

function placesOf(files: readonly string[]): Places {
  const wanted = new Map<string, Set<string>>();
  for (const [folder, name] of files.flatMap(watchedPlaces)) {
    // a folder that is moved or removed is told under its own name
    const names = wanted.get(folder) ?? new Set([oneForm(basename(folder))]);
    wanted.set(folder, names.add(oneForm(name)));
  }
  return wanted;
}

function watchFolder(folder: string, names: ReadonlySet<string>, changed: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || names.has(oneForm(name))) changed();
    });
    watcher.on('error', () => {
      watcher.close();
      changed();
    });
    return [watcher];
  } catch {
    return [];
  }
}
