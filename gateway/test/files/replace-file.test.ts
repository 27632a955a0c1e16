import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replaceFile } from '../../src/files/replace-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('puts a file in place of another, for its owner alone unless said otherwise', async () => {
  const path = join(folder, 'a.json');
  await replaceFile(path, 'old');
  await replaceFile(path, Buffer.from('new'), { synced: true });
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o077).toBe(0);
  await replaceFile(path, 'open', { mode: 0o644 });
  expect((await stat(path)).mode & 0o600).toBe(0o600);
  expect(await readdir(folder)).toEqual(['a.json']);
});

it('leaves one whole content where many write at the same moment', async () => {
  const path = join(folder, 'a.json');
  const texts = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(10_000));
  await Promise.all(texts.map((text) => replaceFile(path, text)));
  expect(texts).toContain(await readFile(path, 'utf8'));
  expect(await readdir(folder)).toEqual(['a.json']);
});

it('replaces a link and leaves what it leads to', async () => {
  const [target, path] = [join(folder, 'target'), join(folder, 'link')];
  await writeFile(target, 'kept');
  await symlink(target, path);
  await replaceFile(path, 'own');
  expect(await readFile(target, 'utf8')).toBe('kept');
  expect(await readFile(path, 'utf8')).toBe('own');
});

it('leaves no draft behind where it fails', async () => {
  const path = join(folder, 'taken');
  await mkdir(path);
  await writeFile(join(path, 'inside'), '');
  await expect(replaceFile(path, 'text')).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['taken']);
});
