import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SKILL_MD } from './archives.ts';
import { commit, git, hasGit, serveGit } from './git-server.ts';
import { contentOf, fetchPackages } from './importing.ts';

/** Much the same text again and again: the server sends it as deltas. */
const long = (mark: string) =>
  Array.from({ length: 400 }, (_, row) => `${row} ${(row * 7919) % 1009} ${row === 200 ? mark : ''}`).join(
    '\n',
  );

/** Links that lead to no file and no folder that could stand in their place, by branch. */
const CIRCLES = {
  itself: 'link',
  own: '.',
  above: '..',
  top: '../..',
  out: '../../../elsewhere',
  gone: 'missing.txt',
  through: 'one.txt/two',
  absolute: '/skills/other/SKILL.md',
};

describe.skipIf(!hasGit)('git repositories over smart HTTP', () => {
  let folder = '';
  let served: Awaited<ReturnType<typeof serveGit>>;
  let first = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-git-'));
    const repository = join(folder, 'skills.git');
    mkdirSync(repository);
    git(repository, 'init', '-q', '-b', 'main');
    first = commit(repository, {
      'README.md': 'Skills.',
      'elsewhere@': '/etc/passwd',
      'skills/line-counter/SKILL.md': SKILL_MD,
      'skills/line-counter/scripts/count.sh*': '#!/bin/sh\nwc -l\n',
      'skills/line-counter/one.txt': long('one'),
      'skills/line-counter/two.txt': long('two'),
      'skills/other/SKILL.md': SKILL_MD.replace('line-counter', 'other'),
    });
    git(repository, 'tag', '-a', 'v1', '-m', 'first');
    git(repository, 'checkout', '-q', '-b', 'feature/more');
    commit(repository, { 'skills/line-counter/three.txt': long('three') });
    git(repository, 'checkout', '-q', '-b', 'linked', 'main');
    commit(repository, { 'skills/line-counter/passwd@': '../../elsewhere' });
    for (const [name, target] of Object.entries(CIRCLES)) {
      git(repository, 'checkout', '-q', '-b', name, 'main');
      commit(repository, { 'skills/line-counter/link@': target });
    }
    git(repository, 'checkout', '-q', '-b', 'shared', 'main');
    commit(repository, {
      'shared/license.txt': 'Free.',
      'shared/lib/run.sh*': '#!/bin/sh\n',
      'shared/lib/again@': '../license.txt',
      'skills/line-counter/LICENSE@': '../../shared/license.txt',
      'skills/line-counter/scripts/lib@': '../../../shared/lib/',
      'skills/other/count.sh@': '../line-counter/scripts/count.sh',
    });
    git(repository, 'checkout', '-q', '-b', 'named', 'main');
    commit(repository, { 'skills/line-counter/aux.txt': 'x' });
    git(repository, 'checkout', '-q', '-b', 'large', 'main');
    commit(repository, {
      'skills/line-counter/model.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
    });
    git(repository, 'checkout', '-q', 'main');
    git(repository, 'gc', '-q');
    served = await serveGit(folder);
  });
  afterAll(async () => {
    served?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const clone = (path: string) =>
    fetchPackages({ kind: 'url', url: `http://${served.host}/${path}` }, { allow: [served.host] });
  const names = async (path: string) => Object.keys(await contentOf(await clone(path))).sort();
  const COUNTER = [
    'line-counter/SKILL.md',
    'line-counter/one.txt',
    'line-counter/scripts/count.sh*',
    'line-counter/two.txt',
  ];

  test('every skill of the first branch, run bits kept, deltas applied, links elsewhere without meaning', async () => {
    const content = await contentOf(await clone('skills.git'));
    expect(Object.keys(content).sort()).toEqual([...COUNTER, 'other/SKILL.md']);
    expect(content['line-counter/one.txt']).toBe(long('one'));
    expect(content['line-counter/two.txt']).toBe(long('two'));
  });

  test('branches, tags, commits and folders are chosen behind the #', async () => {
    expect(await names('skills.git#v1:skills/other')).toEqual(['other/SKILL.md']);
    expect(await names('skills.git#feature/more:skills/line-counter')).toContain('line-counter/three.txt');
    expect(await names(`skills.git#${first}:skills/line-counter`)).toEqual(COUNTER);
    expect(await names('skills.git#:skills/other')).toEqual(['other/SKILL.md']);
  });

  test('one commit is asked for, without history, by two requests', async () => {
    served.requests.length = 0;
    await clone('skills.git#main');
    expect(served.requests).toEqual([
      'GET /skills.git/info/refs?service=git-upload-pack',
      'POST /skills.git/git-upload-pack',
    ]);
  });

  test('an address without .git is asked for a repository after it was no file', async () => {
    git(folder, 'clone', '-q', '--bare', 'skills.git', 'plain');
    expect(await names('plain#v1:skills/other')).toEqual(['other/SKILL.md']);
  });

  test.each([
    ['skills.git#nowhere', 'no branch and no tag "nowhere"'],
    ['skills.git#main:skills/missing', 'no folder "skills/missing"'],
    ['skills.git#linked', '"skills/line-counter/passwd" is a symbolic link'],
    ['skills.git#named', 'device on Windows'],
    [`skills.git#${'0'.repeat(39)}1`, 'refuses'],
    ...Object.keys(CIRCLES).map((name) => [
      `skills.git#${name}`,
      '"skills/line-counter/link" is a symbolic link to what is no file and no folder of the repository',
    ]),
  ])('%s is refused', async (path, why) => {
    await expect(clone(path)).rejects.toMatchObject({
      code: 'archive_refused',
      message: expect.stringContaining(why),
    });
  });

  test.each(['shared', 'shared:skills', 'shared:/skills/'])(
    'what a link leads to in the repository is written in its place (%s)',
    async (where) => {
      const fetched = await clone(`skills.git#${where}`);
      const content = await contentOf(fetched);
      expect(Object.keys(content).sort()).toEqual([
        'line-counter/LICENSE',
        'line-counter/SKILL.md',
        'line-counter/one.txt',
        'line-counter/scripts/count.sh*',
        'line-counter/scripts/lib/run.sh*',
        'line-counter/two.txt',
        'other/SKILL.md',
        'other/count.sh*',
      ]);
      expect(content['line-counter/LICENSE']).toBe('Free.');
      const [left, ...more] = fetched.findings;
      expect(more).toEqual([]);
      expect(left).toMatchObject({
        code: 'skill-import-left-out',
        message: expect.stringMatching(
          /line-counter\/scripts\/lib\/again" is a symbolic link in what another one/,
        ),
      });
    },
  );

  test('what stands for a file elsewhere is said', async () => {
    const { findings } = await clone('skills.git#large');
    expect(findings).toEqual([
      expect.objectContaining({ code: 'skill-import-left-out', message: expect.stringContaining('Git LFS') }),
    ]);
  });

  test('a repository that is not there', async () => {
    await expect(clone('missing.git')).rejects.toMatchObject({ code: 'source_unreadable', status: 404 });
  });
});
