import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../scripts/build-when-stale.mjs');

/** The script in a checkout of its own, whose build does nothing but this. */
function built(build: string, ...words: string[]) {
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
  writeFileSync(join(checkout, 'console/scripts/build.mjs'), build);
  const { status, stderr } = spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' });
  return { status, stderr };
}

const FAILS = `throw new Error('EROFS: read-only file system\\nand more')`;

test('a gateway starts where its console cannot be built, and it is said why', () => {
  const { status, stderr } = built(FAILS, '--optional');
  expect(status).toBe(0);
  expect(stderr).toContain('The console cannot be built here: EROFS: read-only file system\n');
  expect(stderr).not.toContain('and more');
});

test('a package is not made without its console', () => {
  expect(built(FAILS).status).toBe(1);
  expect(built('').status).toBe(0);
});
