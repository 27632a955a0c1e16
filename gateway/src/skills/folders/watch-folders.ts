import { existsSync, type FSWatcher, watch } from 'node:fs';
import { ARTIFACT_DRAFT, isCountedFile } from '../frozen/counted.ts';
import { glanceAt } from '../frozen/stamp.ts';
import { SCAN_SHARE } from '../limits.ts';

/** Editors write in several steps; changes within this time are one change. Milliseconds. */
const SETTLE_MS = 60;
/** What is written all the time is told no more often, milliseconds; more seldom where comparing takes long. */
const TELL_EVERY_MS = 250;
/** How often everything is compared where a folder cannot be watched, and what is not there yet is looked for. */
const POLL_MS = 2_000;
/** Folders watched at once: systems allow some thousands. */
const MAX_WATCHED = 4_096;

/** Watching deep costs one watcher here, elsewhere one for every file. */
const WATCHES_DEEP = process.platform === 'darwin' || process.platform === 'win32';

export interface FolderWatch {
  /**
   * Exchanges what is watched; `roots` contain the other folders. True where a folder is watched that was not before:
   * what changed in it since somebody looked is told by nobody.
   */
  follow(roots: readonly string[], folders: () => Iterable<string>): boolean;
  close(): void;
}

interface WatchOptions {
  /** Something may have changed. Never rejects. */
  changed(): unknown;
  readonly pollMs?: number;
  /** For tests: a system that cannot watch. */
  readonly watchFolder?: typeof watch;
}

/**
 * Calls back when something may have changed in folders of skills, some time after it came to rest. What Toolcrib itself
 * writes there is no change. Keeps no process alive.
 */
export function watchFolders({ changed, pollMs = POLL_MS, watchFolder = watch }: WatchOptions): FolderWatch {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: bigint | undefined }>();
  let timer: NodeJS.Timeout | undefined;
  /** Some folder is not watched: only looking tells. */
  let incomplete = false;
  const missing = new Set<string>();
  let toldAt = Number.NEGATIVE_INFINITY;
  let lookedMs = 0;
  let closed = false;

  const tell = () => {
    timer = undefined;
    toldAt = performance.now();
    void changed();
    lookedMs = performance.now() - toldAt;
  };
  const soon = () => {
    if (closed || timer !== undefined) return;
    const rest = toldAt + Math.max(TELL_EVERY_MS, lookedMs * SCAN_SHARE) - performance.now();
    timer = setTimeout(tell, Math.max(rest, SETTLE_MS)).unref();
  };
  const poll = setInterval(() => {
    if (incomplete || [...missing].some((folder) => existsSync(folder))) soon();
  }, pollMs).unref();

  /** True where it is watched from now on. */
  const add = (folder: string): boolean => {
    if (watchers.has(folder)) return false;
    if (watchers.size >= MAX_WATCHED) {
      incomplete = true;
      return false;
    }
    try {
      // before the watch: one that is exchanged in between counts as another
      const inode = glanceAt(folder)?.ino;
      const watcher = watchFolder(folder, { persistent: false, recursive: WATCHES_DEEP }, (_event, name) => {
        if (name === null || isOfInterest(name)) soon();
      });
      const end = () => {
        watcher.close();
        if (watchers.get(folder)?.watcher === watcher) watchers.delete(folder);
        incomplete = true;
      };
      watcher.on('error', end);
      watchers.set(folder, { watcher, inode });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') missing.add(folder);
      else incomplete = true;
      return false;
    }
  };

  return {
    follow(roots, folders) {
      if (closed) return false;
      const wanted = new Set(WATCHES_DEEP ? roots : [...roots, ...folders()]);
      incomplete = false;
      missing.clear();
      for (const [folder, { watcher, inode }] of watchers) {
        // a folder that was exchanged is another one of the same name
        if (wanted.has(folder) && glanceAt(folder)?.ino === inode) continue;
        watchers.delete(folder);
        watcher.close();
      }
      return [...wanted].filter(add).length > 0;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const { watcher } of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

/** `name` is a path where watching is deep. */
function isOfInterest(name: string): boolean {
  const segments = name.split(/[/\\]/);
  const last = segments.at(-1) ?? '';
  if (last.startsWith(ARTIFACT_DRAFT) || segments.some((each) => /^(?:\.git|__pycache__)$/.test(each)))
    return false;
  // deep or not, files of ours lie at the top of a skill only: elsewhere one look too few costs nothing but time
  return isCountedFile(last, true);
}
