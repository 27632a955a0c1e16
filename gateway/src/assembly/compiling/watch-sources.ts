import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompileInput } from '../../catalog/compile-cache.ts';
import { watchFiles } from '../../catalog/watch-files.ts';
import { hashFile } from '../../files/hash-file.ts';

interface Watch {
  readonly files: string;
  readonly stop: () => void;
}

/** After which a watched file is compared with what was read before the watch began: no start waits for it. */
const COMPARE_MS = 1_000;

/**
 * Watches the files that each source was made from; the set follows what the source reads, and what changed between
 * the reading and the watch is noticed as well. What tells nobody of its changes is looked at again after a while.
 */
export class SourceWatch {
  readonly #changed: (source: string) => void;
  readonly #watches = new Map<string, Watch>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor(changed: (source: string) => void) {
    this.#changed = changed;
  }

  follow(source: string, inputs: readonly CompileInput[]): void {
    const hashes = new Map<string, string | undefined>();
    for (const { location, hash } of inputs) {
      const path = asPath(location);
      if (path !== undefined) hashes.set(path, hash);
    }
    const files = [...hashes.keys()];
    const key = files.join('\0');
    const watched = this.#watches.get(source);
    if (this.#closed || watched?.files === key) return;
    watched?.stop();
    const unwatch = watchFiles(files, () => this.#changed(source));
    const comparison = setTimeout(() => void this.#compare(source, hashes, watch), COMPARE_MS).unref();
    const watch = {
      files: key,
      stop() {
        clearTimeout(comparison);
        unwatch();
      },
    };
    this.#watches.set(source, watch);
  }

  async #compare(source: string, read: ReadonlyMap<string, string | undefined>, watch: Watch): Promise<void> {
    for (const [path, hash] of read) {
      // a file that cannot be read now has changed, too, unless it could not be read then
      const now = await hashFile(path);
      if (this.#watches.get(source) !== watch) return;
      if (now !== hash) return this.#changed(source);
    }
  }

  /** Once, `afterMs` from now; a later call replaces it, undefined ends it. Keeps no process alive. */
  again(source: string, afterMs: number | undefined): void {
    clearTimeout(this.#timers.get(source));
    this.#timers.delete(source);
    if (this.#closed || afterMs === undefined) return;
    this.#timers.set(source, setTimeout(() => this.#changed(source), afterMs).unref());
  }

  /** The source is gone. */
  forget(source: string): void {
    this.again(source, undefined);
    this.#watches.get(source)?.stop();
    this.#watches.delete(source);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    for (const { stop } of this.#watches.values()) stop();
    this.#watches.clear();
  }
}

function asPath(location: string): string | undefined {
  if (location.startsWith('file:')) return fileURLToPath(location);
  return isAbsolute(location) ? location : undefined;
}
