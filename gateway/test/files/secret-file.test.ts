import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { secretFile } from '../../src/files/secret-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-secret-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

let made = 0;
const at = (...path: string[]) =>
  secretFile(join(folder, ...path), {
    fits: (text) => /^secret-\d+$/.test(text),
    make: () => `secret-${made++}`,
    failure: (cause) => new Error('unusable', { cause }),
  });

it('is made once, whoever is first, for its owner alone, and leaves no draft', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => at('state', 'key').readOrMake()));
  expect(new Set(secrets).size).toBe(1);
  expect(await at('state', 'key').read()).toBe(secrets[0]);
  expect(await readdir(join(folder, 'state'))).toEqual(['key']);
  expect((await stat(join(folder, 'state', 'key'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'state'))).mode & 0o777).toBe(0o700);
});

it('is undefined before it is made', async () => {
  expect(await at('key').read()).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

it('that is damaged is none, and is not written over', async () => {
  await writeFile(join(folder, 'key'), 'secret-');
  expect(await at('key').read()).toBeUndefined();
  await expect(at('key').readOrMake()).rejects.toThrow('unusable');
  expect(await readdir(folder)).toEqual(['key']);
});

it('says why it cannot be read or made', async () => {
  await writeFile(join(folder, 'taken'), '');
  const cause = { code: 'ENOTDIR' };
  await expect(at('taken', 'key').readOrMake()).rejects.toMatchObject({ message: 'unusable', cause });
  await expect(at('taken', 'key').read()).rejects.toMatchObject({ message: 'unusable', cause });
});
