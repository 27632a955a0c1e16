import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../src/files/make-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('makes what is missing, for its owner alone, whoever else makes it meanwhile', async () => {
  for (let round = 0; round < 50; round++) {
    const above = join(folder, `${round}`);
    const deep = join(above, 'b', 'c');
    const makers = Array.from({ length: 8 }, async (_, turns) => {
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      await makeFolder(deep);
    });
    await Promise.all(makers);
    expect((await stat(deep)).isDirectory()).toBe(true);
    expect((await stat(above)).mode & 0o077).toBe(0);
    await makeFolder(deep);
  }
});

it('refuses a path under a file', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file', 'a', 'b'))).rejects.toThrow();
});

it.runIf(process.platform === 'linux')('ends where the file system takes no folder', async () => {
  await expect(makeFolder('/proc/toolcrib/a')).rejects.toMatchObject({ code: 'ENOENT' });
});
