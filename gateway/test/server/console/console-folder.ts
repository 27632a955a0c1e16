import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const INDEX =
  '<!doctype html><title>Console</title><script type="module" src="/assets/app-1a2b.js"></script>';
export const SCRIPT = `export const text = '${'a built file. '.repeat(200)}';`;

/** A built console as the build leaves it, with a file beside it that nobody may read. */
export async function consoleFolder() {
  const parent = await mkdtemp(join(tmpdir(), 'toolcrib-console-'));
  const folder = join(parent, 'console');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(parent, 'secret.txt'), 'not for the web');
  await writeFile(join(folder, 'index.html'), INDEX);
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'notes.md'), 'no kind of file that a console has');
  await writeFile(join(folder, 'assets', 'app-1a2b.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'app-1a2b.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'app-1a2b.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'app-1a2b.css'), ':root{color:red}');
  return {
    parent,
    folder,
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  };
}
