import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors write a file in several steps; changes within this time are one change. Milliseconds. */
const SETTLE_MS = 60;

/**
 * Calls back when one of the files may have changed. Folders are watched, not files, since editors replace
 * files; whether the content really differs is for the caller to see (content hash, not time).
 */
export function watchFiles(files: readonly string[], changed: () => void): () => void {
  const wanted = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = dirname(file);
    wanted.set(folder, (wanted.get(folder) ?? new Set()).add(basename(file)));
  }
  let timer: NodeJS.Timeout | undefined;
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
    timer.unref();
  };
  const watchers = [...wanted].flatMap(([folder, names]) => watchFolder(folder, names, settle));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

function watchFolder(folder: string, names: ReadonlySet<string>, changed: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || names.has(name)) changed();
    });
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
