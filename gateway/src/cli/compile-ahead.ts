import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LARGE_DOCUMENT_BYTES } from '../assembly/compiling/large-document.ts';
import type { CompileProcess } from '../assembly/compiling/run-compile-process.ts';
import { absolutePath, defaultStateDirectory } from '../config/directories.ts';
import type { Terminal } from './terminal/terminal.ts';

const STATE_DIR = '--state-dir';

/**
 * A compile process that comes up while the command line itself is loaded, where one will probably be needed: a server
 * on standard input and output, and a large document that is newer than anything in the compile cache. A guess from the
 * bare words that only time depends on; undefined where it says no.
 */
export async function compileProcessAhead(
  [command, ...words]: readonly string[],
  { cwd, env }: Terminal,
): Promise<CompileProcess | undefined> {
  if (command !== 'serve' || !words.includes('--stdio')) return undefined;
  const written = Math.max(-1, ...words.map((word) => largeFileTime(absolutePath(word, cwd, env))));
  if (written < 0) return undefined;
  const stateDir = stateDirectoryOf(words);
  const cache = join(
    stateDir === undefined ? defaultStateDirectory(env) : absolutePath(stateDir, cwd, env),
    'cache',
  );
  if (newestEntry(cache) >= written) return undefined;
  const { CompileProcess } = await import('../assembly/compiling/run-compile-process.ts');
  return new CompileProcess();
}

function stateDirectoryOf(words: readonly string[]): string | undefined {
  const at = words.lastIndexOf(STATE_DIR);
  return at === -1
    ? words.findLast((word) => word.startsWith(`${STATE_DIR}=`))?.slice(STATE_DIR.length + 1)
    : words[at + 1];
}

/** Milliseconds since the epoch; -1 for what is no large file. */
function largeFileTime(path: string): number {
  try {
    const facts = statSync(path);
    return facts.isFile() && facts.size > LARGE_DOCUMENT_BYTES ? facts.mtimeMs : -1;
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
