import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompileInput } from '../catalog/compile-cache.ts';
import { watchFiles } from '../catalog/watch-files.ts';

/**
 * Watches the files that each source was made from; the set follows what the source reads. What tells nobody of its
 * changes is looked at again after a while.
 */
export class SourceWatch {
  readonly #changed: (source: string) => void;
  readonly #watches = new Map<string, { files: string; stop: () => void }>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor(changed: (source: string) => void) {
    this.#changed = changed;
  }

  follow(source: string, inputs: readonly CompileInput[]): void {
    const files = inputs.map((input) => asPath(input.location)).filter((path) => path !== undefined);
    const key = files.join('\0');
    const watched = this.#watches.get(source);
    if (this.#closed || watched?.files === key) return;
    watched?.stop();
    this.#watches.set(source, { files: key, stop: watchFiles(files, () => this.#changed(source)) });
  }

  /** Once, `afterMs` from now; a later call replaces it, undefined ends it. Keeps no process alive. */
  again(source: string, afterMs: number | undefined): void {
    clearTimeout(this.#timers.get(source));
    this.#timers.delete(source);
    if (this.#closed || afterMs === undefined) return;
    this.#timers.set(source, setTimeout(() => this.#changed(source), afterMs).unref());
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
