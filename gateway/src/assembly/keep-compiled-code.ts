import module from 'node:module';

/** Enough for what is loaded once the first list is out. Milliseconds. */
const SETTLED_MS = 1000;

/**
 * Writes Node's compile cache, where it is on, before the process ends: a client may kill a server rather than let it
 * end, and then every start would compile the same code again. Does nothing for code that came from the cache.
 */
export function keepCompiledCode(): void {
  setTimeout(() => module.flushCompileCache?.(), SETTLED_MS).unref();
}
