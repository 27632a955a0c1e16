import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from '../../../src/skills/frozen/remove-tree.ts';
import { settledPackage } from '../../../src/skills/frozen/settled-package.ts';
import { put, temporary } from '../support/skill-folders.ts';

const never = new AbortController().signal;

/** Reads a package whose writer takes one more step each time that it is about to be copied. */
async function settle(folder: string, steps: (() => Promise<void> | void)[]) {
  const copies = await mkdtemp(join(folder, '..', 'copies-'));
  let number = 0;
  const waiting = [...steps];
  const settled = await settledPackage({
    folder,
    realRoot: folder,
    async stage() {
      await waiting.shift()?.();
      const copy = join(copies, String(number++));
      await mkdir(copy);
      return copy;
    },
    discard: removeTree,
    signal: never,
  });
  return { settled, copies: number };
}

test('a writer of several steps is waited for: only what it ended with is read', async () => {
  const home = temporary();
  const folder = join(home, 'skill');
  const mark = (path: string, text: string) => () => writeFileSync(join(folder, path), text);
  await put(folder, { 'SKILL.md': 'one', 'a.sh': 'one', 'b.sh': 'one' });
  const { settled, copies } = await settle(folder, [
    mark('SKILL.md', 'two'),
    mark('a.sh', 'two'),
    mark('b.sh', 'two'),
  ]);
  expect(copies).toBe(4);
  const texts = settled?.files.map(({ path }) => readFileSync(join(settled.copy, path), 'utf8'));
  expect(texts).toEqual(['two', 'two', 'two']);
});

test('a file that is exchanged by a link is not read through it', async () => {
  const home = temporary();
  const folder = join(home, 'skill');
  await put(folder, { 'SKILL.md': 'one', 'a.sh': 'secret' });
  await writeFile(join(home, 'secret'), 'secret');
  const { settled } = await settle(folder, [
    async () => {
      await rm(join(folder, 'a.sh'));
      await symlink(join(home, 'secret'), join(folder, 'a.sh'));
    },
  ]);
  expect(settled?.files.map(({ path }) => path)).toEqual(['SKILL.md']);
  expect(settled?.listing.refused).toHaveLength(1);
});

test('a folder that is exchanged by a link is not read through it', async () => {
  const home = temporary();
  const folder = join(home, 'skill');
  await put(folder, { 'SKILL.md': 'one', 'scripts/a.sh': 'inside' });
  await put(home, { 'outside/a.sh': 'secret' });
  const { settled } = await settle(folder, [
    async () => {
      await rename(join(folder, 'scripts'), join(home, 'kept'));
      await symlink(join(home, 'outside'), join(folder, 'scripts'));
    },
  ]);
  expect(settled?.files.map(({ path }) => path)).toEqual(['SKILL.md']);
});

test('what never comes to rest is given up after a while', async () => {
  const home = temporary();
  const folder = join(home, 'skill');
  await put(folder, { 'SKILL.md': 'one' });
  let written = 0;
  const { settled, copies } = await settle(
    folder,
    Array.from({ length: 1_000 }, () => () => writeFileSync(join(folder, 'SKILL.md'), `${written++}`)),
  );
  expect(settled).toBeUndefined();
  expect(copies).toBeGreaterThan(1);
});

test('hashes are those of what was copied', async () => {
  const home = temporary();
  const folder = join(home, 'skill');
  await put(folder, { 'SKILL.md': 'one', 'empty.txt': '', 'deep/in/it.txt': 'x'.repeat(3_000_000) });
  const { settled } = await settle(folder, []);
  expect(settled?.files).toMatchObject([
    {
      path: 'SKILL.md',
      bytes: 3,
      sha256: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
    },
    { path: 'deep/in/it.txt', bytes: 3_000_000 },
    {
      path: 'empty.txt',
      bytes: 0,
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
  ]);
  expect(await readFile(join(settled?.copy ?? '', 'deep/in/it.txt'), 'utf8')).toHaveLength(3_000_000);
});
