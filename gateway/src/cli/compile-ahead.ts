import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CompileProcess } from '../assembly/run-compile-process.ts';
import { absolutePath, defaultStateDirectory } from '../config/directories.ts';
import type { SourceOptions } from './source-options.ts';
import type { Terminal } from './terminal.ts';

/** Documents above this are compiled in a process of their own. Bytes. */
const LARGE = 512 * 1024;

/**
 * A compile process that comes up while the rest is loaded, where one will probably be needed: a large document that
 * is newer than anything in the compile cache. A guess that only time depends on; undefined where it says no.
 */
export async function compileProcessAhead(
  documents: readonly string[],
  { stateDir }: SourceOptions,
  { cwd, env }: Terminal,
): Promise<CompileProcess | undefined> {
  const written = Math.max(
    -1,
    ...documents.map((document) => largeFileTime(absolutePath(document, cwd, env))),
  );
  if (written < 0) return undefined;
  const cache = join(
    stateDir === undefined ? defaultStateDirectory(env) : absolutePath(stateDir, cwd, env),
    'cache',
  );
  if (newestEntry(cache) >= written) return undefined;
  const { CompileProcess } = await import('../assembly/run-compile-process.ts');
  return new CompileProcess();
}

/** Milliseconds since the epoch; -1 for what is no large file. */
function largeFileTime(path: string): number {
  try {
    const facts = statSync(path);
    return facts.isFile() && facts.size > LARGE ? facts.mtimeMs : -1;
  } catch {
    return -1;
  }
}

function newestEntry(cache: string): number {
  try {
    const entries = readdirSync(cache).filter((name) => name.endsWith('.json'));
    return Math.max(-1, ...entries.map((name) => statSync(join(cache, name)).mtimeMs));
  } catch {
    return -1;
  }
}
