import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SKILL_MD, SKILL_PARTS, zip } from './archives.ts';
import { contentOf, fetchPackages, temporaryFolder } from './importing.ts';

async function skillIn(folder: string): Promise<void> {
  await mkdir(join(folder, 'scripts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), SKILL_MD);
  await writeFile(join(folder, 'scripts', 'count.sh'), '#!/bin/sh\n');
  await chmod(join(folder, 'scripts', 'count.sh'), 0o755);
}
const fromPath = (path: string) => fetchPackages({ kind: 'path', path });

describe('a folder of this machine', () => {
  test('one skill is copied, with its run bits', async () => {
    const folder = await temporaryFolder();
    await skillIn(folder);
    expect(await contentOf(await fromPath(folder))).toEqual({
      'line-counter/SKILL.md': SKILL_MD,
      'line-counter/scripts/count.sh*': '#!/bin/sh\n',
    });
  });

  test('of a repository only the skills are read', async () => {
    const folder = await temporaryFolder();
    await skillIn(join(folder, 'skills', 'one'));
    await skillIn(join(folder, '.git', 'two'));
    await symlink('/etc', join(folder, 'elsewhere'));
    const { folders } = await fromPath(folder);
    expect(folders.map((one) => one.split('/package/')[1])).toEqual(['skills/one']);
  });

  test.each([
    ['a file outside', 'scripts/passwd', '/etc/passwd'],
    ['a file inside', 'scripts/again.sh', 'count.sh'],
    ['a folder', 'lib', '/etc'],
  ])('a link to %s is refused', async (_what, name, target) => {
    const folder = await temporaryFolder();
    await skillIn(folder);
    await symlink(target, join(folder, name));
    await expect(fromPath(folder)).rejects.toMatchObject({
      code: 'archive_refused',
      message: expect.stringContaining(`"${name}" is a symbolic link`),
    });
  });

  test('an archive on disk is unpacked, whatever it is called', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'upload'), zip(SKILL_PARTS));
    expect((await fromPath(join(folder, 'upload'))).folders).toHaveLength(1);
  });

  test('what is not there is said plainly', async () => {
    const missing = join(await temporaryFolder(), 'missing.zip');
    await expect(fromPath(missing)).rejects.toMatchObject({
      code: 'source_unreadable',
      message: expect.stringContaining('there is nothing of that name'),
    });
  });
});

test('an import ends when its caller goes away', async () => {
  await expect(
    fetchPackages({ kind: 'bytes', name: 'x.zip', bytes: zip(SKILL_PARTS) }, { signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ code: 'cancelled' });
});
