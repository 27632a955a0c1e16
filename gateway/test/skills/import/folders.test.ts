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
    ['a folder', 'lib', '/etc'],
    ['nothing', 'lib', 'missing'],
    ['its own folder', 'scripts/own', '.'],
    ['a folder above', 'scripts/above', '..'],
    ['what is left out', 'scripts/config', '../.git/config'],
  ])('a link to %s is refused', async (_what, name, target) => {
    const folder = await temporaryFolder();
    await skillIn(folder);
    await mkdir(join(folder, '.git'));
    await writeFile(join(folder, '.git', 'config'), 'url = https://me:secret@git.example/');
    await symlink(target, join(folder, name));
    await expect(fromPath(folder)).rejects.toMatchObject({
      code: 'archive_refused',
      message: expect.stringContaining(`"${name}" is a symbolic link`),
    });
  });

  test('what a link leads to within the folder is copied in its place', async () => {
    const folder = await temporaryFolder();
    const skill = join(folder, 'skills', 'line-counter');
    await skillIn(skill);
    await mkdir(join(folder, 'shared', 'lib'), { recursive: true });
    await writeFile(join(folder, 'shared', 'lib', 'words.txt'), 'one two');
    await symlink('words.txt', join(folder, 'shared', 'lib', 'again.txt'));
    await symlink('../../../shared/lib', join(skill, 'scripts', 'lib'));
    await symlink('count.sh', join(skill, 'scripts', 'again.sh'));
    const whole = await fromPath(folder);
    expect(await contentOf(whole)).toEqual({
      'line-counter/SKILL.md': SKILL_MD,
      'line-counter/scripts/again.sh*': '#!/bin/sh\n',
      'line-counter/scripts/count.sh*': '#!/bin/sh\n',
      'line-counter/scripts/lib/words.txt': 'one two',
    });
    expect(whole.findings).toEqual([
      {
        code: 'skill-import-left-out',
        severity: 'warning',
        message:
          '"skills/line-counter/scripts/lib/again.txt" is a symbolic link in what another one leads to.',
      },
    ]);
    await expect(fromPath(skill)).rejects.toMatchObject({
      message: expect.stringContaining('"scripts/lib" is a symbolic link to what is no file and no folder'),
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
