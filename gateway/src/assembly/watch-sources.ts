import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompileInput } from '../catalog/compile-cache.ts';
import { watchFiles } from '../catalog/watch-files.ts';

/** Watches the files that each source was made from; the set follows what the source reads. */
export class SourceWatch {
  readonly #changed: (source: string) => void;
  readonly #watches = new Map<string, { files: string; stop: () => void }>();
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

  close(): void {
    this.#closed = true;
    for (const { stop } of this.#watches.values()) stop();
    this.#watches.clear();
  }
}

function asPath(location: string): string | undefined {
  if (location.startsWith('file:')) return fileURLToPath(location);
  return isAbsolute(location) ? location : undefined;
}
