import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../scripts/build-when-stale.mjs');

/** The script in a checkout of its own, whose build does nothing but this; absent: the real one, with a bundler that makes a page. */
function built(build: string | undefined, ...words: string[]) {
  const checkout = mkdtempSync(join(tmpdir(), 'toolcrib-console-'));
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
  for (const folder of [
    'console/scripts',
    'console/src',
    'console/public',
    'gateway/console',
    'node_modules/vite',
  ])
    mkdirSync(join(checkout, folder), { recursive: true });
  for (const file of ['index.html', 'package.json', 'vite.config.ts'])
    writeFileSync(join(checkout, 'console', file), '{}');
  const script = join(checkout, 'console/scripts/build-when-stale.mjs');
  copyFileSync(SCRIPT, script);
  if (build === undefined) {
    for (const name of ['build.mjs', 'compress.mjs'])
      copyFileSync(join(SCRIPT, '..', name), join(checkout, 'console/scripts', name));
    writeFileSync(
      join(checkout, 'node_modules/vite/package.json'),
      '{"type":"module","exports":"./vite.js"}',
    );
    writeFileSync(join(checkout, 'node_modules/vite/vite.js'), BUNDLER);
  } else writeFileSync(join(checkout, 'console/scripts/build.mjs'), build);
  const options = { encoding: 'utf8', cwd: checkout } as const;
  const { status, stderr } = spawnSync(process.execPath, [script, ...words], options);
  return { status, stderr, folders: readdirSync(checkout).sort(), page: pageIn(checkout) };
}

/** Makes the folder anew and one page in it. */
const BUNDLER = `
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
export async function build({ build: { outDir } }) {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  writeFileSync(outDir + '/index.html', 'page');
}`;

function pageIn(checkout: string): string | undefined {
  const file = join(checkout, 'gateway/console/index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

const FAILS = `throw new Error('EROFS: read-only file system\\nand more')`;

test('a gateway starts where its console cannot be built, and it is said why', () => {
  const { status, stderr } = built(FAILS, '--optional');
  expect(status).toBe(0);
  expect(stderr).toContain('The console cannot be built here: EROFS: read-only file system\n');
  expect(stderr).not.toContain('and more');
});

test('the console lies where the gateway looks for it, whatever words the command has', () => {
  for (const words of [[], ['--optional']]) {
    const { status, stderr, folders, page } = built(undefined, ...words);
    expect({ status, page, folders }, stderr).toEqual({
      status: 0,
      page: 'page',
      folders: ['console', 'gateway', 'node_modules'],
    });
  }
});

test('a package is not made without its console', () => {
  expect(built(FAILS).status).toBe(1);
  expect(built('').status).toBe(0);
});
