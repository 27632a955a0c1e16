import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Enough for what is loaded once the first list is out. Milliseconds. */
const SETTLED_MS = 1000;

/**
 * Node keeps the compiled code of this program between starts, in the temporary folder. It tries for ever to make its
 * folder where there can be none (`TMPDIR=/proc`): it is made before, and nothing is kept where that fails.
 */
export function enableNodeCompileCache(): void {
  try {
    mkdirSync(join(tmpdir(), 'node-compile-cache'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return;
  }
  module.enableCompileCache?.();
}

/**
 * Writes the cache, where it is on, before the process ends: a client may kill a server rather than let it end, and
 * then every start would compile the same code again. Does nothing for code that came from the cache.
 */
export function keepCompiledCode(): void {
  setTimeout(() => module.flushCompileCache?.(), SETTLED_MS).unref();
}
