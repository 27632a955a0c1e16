#!/usr/bin/env node
// Loads the bundled command line, or the TypeScript sources of a checkout by type stripping.
import { existsSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  // `npm ci` puts one into a checkout, which `npx toolcrib` finds there and nobody finds from another folder
  const names = [`node-${process.platform.replace('win32', 'win')}-${process.arch}`, 'bin', 'node'];
  const own = fileURLToPath(new URL(`../../node_modules/${names.join('/')}`, import.meta.url));
  const next = [own, `${own}.exe`].some((file) => existsSync(file))
    ? `This checkout has its own: run "npx toolcrib" in its folder, or from everywhere "${own} ${fileURLToPath(import.meta.url)}".`
    : 'In a checkout on Linux (glibc) or Windows (x64), "npm ci" brings it and "npx toolcrib" uses it.';
  process.stderr.write(`toolcrib needs Node.js 24 or newer; this is ${process.versions.node}. ${next}\n`);
  process.exit(78);
}
// Compiled code is kept between starts, which a client makes often (Node's own cache, in the temporary folder).
// As src/assembly/node-compile-cache.ts: Node tries for ever to make its folder where there can be none, in /proc.
let isKept = true;
try {
  mkdirSync(join(tmpdir(), 'node-compile-cache'));
} catch (error) {
  isKept = error.code === 'EEXIST';
}
if (isKept) module.enableCompileCache?.();
const built = new URL('../bundle/main.js', import.meta.url);
const { endBySignals, endsWith, main } = await import(
  existsSync(built) ? built.href : new URL('../src/cli/main.ts', import.meta.url).href
);
endBySignals();
endsWith(await main(process.argv.slice(2)));
