import { writeFileSync } from 'node:fs';
import { chmod, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { skillCompiler } from '../../src/skills/compiler.ts';
import { removeTree } from '../../src/skills/frozen/remove-tree.ts';
import type { SkillSnapshot } from '../../src/sources/skill/snapshot.ts';
import { openRoom } from './support/room.ts';
import { manifest, matter, put, putSkill, temporary } from './support/skill-folders.ts';

const never = new AbortController().signal;
const jsonOf = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
const snapshotOf = async (path: string) => (await jsonOf(path)) as SkillSnapshot;

test('a skill of a root is compiled, frozen and handed to the compiler as a snapshot', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting', ['greet', 'part']);
  await chmod(join(skill, 'scripts/greet.sh'), 0o755);
  const { room, events, directory } = await openRoom(folder);

  const snapshot = await snapshotOf(await room.prepare(never));

  expect(snapshot.skills.map(({ id, tools }) => [id, tools.map(({ name }) => name)])).toEqual([
    ['greeting', ['greet', 'part']],
  ]);
  const known = room.get('greeting');
  expect(known).toMatchObject({
    folder: skill,
    root: join(folder, 'skills'),
    shadowed: [],
    artifacts: skill,
  });
  expect(known?.files.map(({ path, executable }) => [path, executable])).toEqual([
    ['SKILL.md', undefined],
    ['scripts/greet.sh', true],
    ['scripts/part.sh', undefined],
    ['tool-manifest.yaml', undefined],
  ]);
  const opened = await room.open('greeting', known?.version ?? '');
  expect(opened.folder.startsWith(directory)).toBe(true);
  expect(await readFile(join(opened.folder, 'scripts/greet.sh'), 'utf8')).toContain('echo first');
  expect((await stat(join(opened.folder, 'scripts/greet.sh'))).mode & 0o777).toBe(0o555 & ~umask());
  opened.release();
  expect(events).toMatchObject([
    { type: 'dynamic_tool.compile', source: 'teaching', skill_id: 'greeting', status: 'ok' },
  ]);
});

test('copies that cannot be kept are told with their place, and are no fault of ours', async () => {
  const folder = temporary();
  await putSkill(join(folder, 'skills'), 'greeting', ['greet']);
  await put(join(folder, 'state'), { versions: 'no folder' });
  const { events, reports } = await openRoom(folder);

  expect(events).toMatchObject([
    {
      skill_id: 'greeting',
      status: 'failed',
      error_code: 'file_unusable',
      message: expect.stringContaining(join(folder, 'state', 'versions')),
    },
  ]);
  expect(reports).toEqual([]);
});

test('integration: import + compile artifacts persisted', async () => {
  const folder = temporary();
  const coming = await putSkill(join(folder, 'coming'), 'greeting', ['greet', 'list']);
  await put(coming, {
    'tool-manifest.yaml': `${manifest(['greet', 'list'])}  - name: broken\n    executor: { type: script, entry: scripts/none.sh }\n`,
  });
  const root = join(folder, 'teacher');
  const { room, events, refreshes } = await openRoom(folder, {
    settings: { roots: [root, join(folder, 'skills')], secrets: {} },
    staticNames: () => new Set(['list']),
    importer: async () => ({ folders: [coming], findings: [] }),
  });

  const answer = await room.import({ kind: 'path', path: coming }, {}, never);

  expect(answer).toMatchObject({ compiled_ok: 1, invalid_tools: 1, shadowed_tools: 1 });
  expect(answer.skills[0]).toMatchObject({ id: 'greeting', shadowed: ['list'] });
  expect(answer.skills[0]?.invalid[0]?.place).toMatch(/^tool-manifest\.yaml:\d+$/);
  expect(refreshes()).toBe(1);
  expect(events).toMatchObject([
    {
      type: 'dynamic_tool.compile',
      status: 'partial',
      message: expect.stringMatching(/^tool-manifest\.yaml:\d+, tool broken: .*scripts\/none\.sh/),
    },
  ]);
  const tools = await jsonOf(join(root, 'greeting/dynamic_tools.json'));
  expect(tools.tools.map(({ name }: { name: string }) => name)).toEqual(['greet']);
  const lock = await jsonOf(join(root, 'greeting/dynamic_tools.lock.json'));
  expect(lock.source_files.map(({ path }: { path: string }) => path)).toEqual([
    'SKILL.md',
    'scripts/greet.sh',
    'scripts/list.sh',
    'tool-manifest.yaml',
  ]);
  const report = await jsonOf(join(root, 'greeting/dynamic_tools.report.json'));
  expect(report.shadowed).toMatchObject([{ name: 'list', reason: 'conflicts_with_static_tool' }]);
  expect(report.invalid).toHaveLength(1);
});

test('integration: request hot reload on manifest change', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  await putSkill(join(folder, 'skills'), 'other');
  const { room, events, refreshes } = await openRoom(folder);
  const before = room.get('greeting');
  expect(room.freshen('greeting')).toBeUndefined();
  expect(room.freshen('other')).toBeUndefined();

  await put(skill, { 'tool-manifest.yaml': manifest(['greet'], 'second') });
  const [first, second] = [room.freshen('greeting'), room.freshen('greeting')];
  expect(first).toBe(second);
  expect(room.freshen('other')).toBeUndefined();
  await first;

  expect(refreshes()).toBe(1);
  expect(room.get('greeting')?.tools[0]?.description).toBe('second');
  expect(room.freshen('greeting')).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: 'dynamic_tool.reload', skill_id: 'greeting', status: 'ok' });
  // a call that began before finishes on what it began with
  const { folder: old, release } = await room.open('greeting', before?.version ?? '');
  expect(await readFile(join(old, 'tool-manifest.yaml'), 'utf8')).toContain('first');
  release();
});

test('a script that changed with its time and size kept is another version', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  const { room } = await openRoom(folder);
  const before = room.get('greeting')?.version;
  const script = join(skill, 'scripts/greet.sh');
  const { mtime, atime } = await stat(script);
  await writeFile(script, '#!/bin/sh\necho f1rst\n');
  await utimes(script, atime, mtime);
  await room.freshen('greeting');
  expect(room.get('greeting')?.version).not.toBe(before);
});

test('a touched file is no change', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  const { room, refreshes } = await openRoom(folder);
  const list = room.list();
  await utimes(join(skill, 'SKILL.md'), new Date(), new Date());
  await room.freshen('greeting');
  expect(refreshes()).toBe(0);
  expect(room.list()).toBe(list);
  expect(room.freshen('greeting')).toBeUndefined();
});

test('a higher root overrides a lower one whole, and the report says so', async () => {
  const folder = temporary();
  const roots = ['teacher_skills', 'skills', 'home'].map((name) => join(folder, name));
  const [low = '', middle = '', high = ''] = roots;
  await putSkill(low, 'greeting', ['low']);
  await putSkill(middle, 'greeting', ['middle']);
  await putSkill(low, 'alone', ['alone']);
  const { room } = await openRoom(folder, { settings: { roots, secrets: {} } });
  const snapshot = await snapshotOf(await room.prepare(never));
  expect(snapshot.skills.map(({ id, folder: at }) => [id, at])).toEqual([
    ['alone', join(low, 'alone')],
    ['greeting', join(middle, 'greeting')],
  ]);
  expect(snapshot.overridden).toEqual([
    { id: 'greeting', folder: join(low, 'greeting'), by: join(middle, 'greeting') },
  ]);

  // a root that was missing
  await putSkill(high, 'greeting', ['high']);
  await room.freshen('greeting');
  expect(room.get('greeting')?.tools.map(({ name }) => name)).toEqual(['high']);
  await rm(join(high, 'greeting'), { recursive: true });
  await room.freshen('greeting');
  expect(room.get('greeting')?.tools.map(({ name }) => name)).toEqual(['middle']);
});

test('what is no skill of a root is left alone', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  await putSkill(root, 'greeting');
  await putSkill(join(root, 'group'), 'inner');
  await putSkill(join(root, 'group/deep'), 'too-deep');
  await putSkill(join(root, '.hidden'), 'hidden');
  await putSkill(join(root, 'node_modules'), 'package');
  await put(join(root, 'greeting'), {
    '.git/config': 'x',
    'scripts/__pycache__/a.pyc': 'x',
    '.DS_Store': 'x',
    'dynamic_tools.json': '{}',
    'references/dynamic_tools.json': '{}',
    'references/.keep': '',
  });
  const { room } = await openRoom(folder);
  expect(room.list().map(({ id }) => id)).toEqual(['greeting', 'inner']);
  expect(room.get('greeting')?.files.map(({ path }) => path)).toEqual([
    'SKILL.md',
    'references/.keep',
    'references/dynamic_tools.json',
    'scripts/greet.sh',
    'tool-manifest.yaml',
  ]);
});

test('skills of plugins count, wherever their folder lies in a marketplace', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  await putSkill(join(root, 'own/skills'), 'one');
  await putSkill(join(root, 'plugins/other/skills'), 'two');
  await putSkill(join(root, 'plugins/other/commands'), 'no-skill-of-it');
  const { room } = await openRoom(folder);
  expect(room.list().map(({ id }) => id)).toEqual(['one', 'two']);
  // a plugin that arrives
  await putSkill(join(root, 'plugins/new/skills'), 'three');
  await room.freshen();
  expect(room.list().map(({ id }) => id)).toEqual(['one', 'three', 'two']);
  await putSkill(join(root, 'plugins/new/skills'), 'four');
  await room.freshen();
  expect(room.list()).toHaveLength(4);
});

test('a root may be one skill itself', async () => {
  const folder = temporary();
  const skill = await putSkill(folder, 'greeting');
  const { room } = await openRoom(folder, { settings: { roots: [skill], secrets: {} } });
  expect(room.list().map(({ id }) => id)).toEqual(['greeting']);
});

test('links that leave the folder of skills are refused; those within are read', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  const skill = await putSkill(root, 'greeting', ['greet', 'out']);
  await putSkill(folder, 'outside');
  await writeFile(join(folder, 'secret'), 'not yours');
  await rm(join(skill, 'scripts/out.sh'));
  await symlink(join(folder, 'secret'), join(skill, 'scripts/out.sh'));
  await put(root, { 'shared/notes.md': 'for all' });
  await symlink('../shared/notes.md', join(skill, 'notes.md'));
  await symlink(skill, join(skill, 'loop'));
  await symlink('nowhere', join(skill, 'broken'));
  await symlink(join(folder, 'outside'), join(root, 'outside'));
  await symlink(skill, join(root, 'again'));

  const { room } = await openRoom(folder);
  const snapshot = await snapshotOf(await room.prepare(never));

  const known = room.get('greeting');
  expect(known?.files.map(({ path }) => path)).toEqual([
    'SKILL.md',
    'notes.md',
    'scripts/greet.sh',
    'tool-manifest.yaml',
  ]);
  expect(known?.tools.map(({ name }) => name)).toEqual(['greet']);
  expect(known?.invalid.map(({ name }) => name)).toEqual(['out']);
  expect(new TextDecoder().decode(await room.read('greeting', 'notes.md'))).toBe('for all');
  expect(
    known?.findings.filter(({ code }) => code === 'skill-file-refused').map(({ message }) => message),
  ).toEqual([
    'broken is a link that leads nowhere; it is left out.',
    'loop is a link to something else than a file; it is left out.',
    'scripts/out.sh is a link that leads out of the folder of skills; it is left out.',
  ]);
  expect(room.get('outside')).toBeUndefined();
  expect(snapshot.problems).toMatchObject([
    { folder: join(root, 'outside'), message: expect.stringContaining(`name ${join(folder, 'outside')} `) },
  ]);
  // a link to a skill of the same root is that skill once more
  expect(snapshot.overridden).toMatchObject([{ id: 'greeting', folder: join(root, 'again') }]);

  // what a link leads to counts
  await put(root, { 'shared/notes.md': 'for all of us' });
  await room.freshen('greeting');
  expect(new TextDecoder().decode(await room.read('greeting', 'notes.md'))).toBe('for all of us');
});

test('a folder that cannot be used any more goes on as its last good version, also after a start', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  const { room, events } = await openRoom(folder);
  const { version } = room.get('greeting') ?? { version: '' };

  await writeFile(join(skill, 'SKILL.md'), '# no front matter\n');
  await room.freshen('greeting');
  const stale = room.get('greeting');
  expect(stale?.version).toBe(version);
  expect(stale?.stale?.location).toContain(join(skill, 'SKILL.md'));
  expect(events.at(-1)).toMatchObject({
    type: 'dynamic_tool.reload',
    skill_id: 'greeting',
    status: 'failed',
    error_code: 'skill_invalid',
  });
  expect((await snapshotOf(await room.prepare(never))).problems).toMatchObject([
    { folder: skill, kept: true },
  ]);
  (await room.open('greeting', version)).release();
  // known to be broken: nothing is read again
  expect(room.freshen('greeting')).toBeUndefined();
  await room.close();

  const again = await openRoom(folder);
  expect(again.room.get('greeting')).toMatchObject({ version, stale: {} });
  await rm(join(skill, 'SKILL.md'));
  await again.room.freshen('greeting');
  expect(again.room.get('greeting')).toMatchObject({ version, stale: {} });
  await putSkill(join(folder, 'skills'), 'greeting', ['greet'], 'mended');
  await again.room.freshen('greeting');
  expect(again.room.get('greeting')?.stale).toBeUndefined();
  await rm(skill, { recursive: true });
  await again.room.freshen();
  expect(again.room.list()).toEqual([]);
});

test('a folder that never comes to rest is tried more and more seldom, and says so once', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting', ['greet']);
  let time = Date.now();
  const { room, events } = await openRoom(folder, { now: () => time });
  const { version } = room.get('greeting')!;
  const log = join(skill, 'run.log');
  let written = 0;
  writeFileSync(log, '');
  const writing = setInterval(() => writeFileSync(log, `${written++}`), 5);
  onTestFinished(() => clearInterval(writing));

  const pauses: number[] = [];
  for (const expected of [1_000, 2_000, 4_000]) {
    await room.freshen('greeting');
    time += expected - 1;
    const isLeftAlone = room.freshen('greeting') === undefined;
    if (isLeftAlone) pauses.push(expected);
    time += 1;
  }

  expect(pauses).toEqual([1_000, 2_000, 4_000]);
  expect(room.get('greeting')).toMatchObject({
    version,
    stale: { message: expect.stringContaining('being changed') },
  });
  expect(events.filter(({ status }) => status === 'failed')).toHaveLength(1);

  clearInterval(writing);
  await room.freshen('greeting');
  expect(room.get('greeting')?.stale).toBeUndefined();
  expect(room.get('greeting')?.version).not.toBe(version);
});

test('a look that lasts until the retry of before is due is not followed by another', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting', ['greet']);
  const real = skillCompiler();
  let lastsMs = 0;
  let time = Date.now();
  const { room } = await openRoom(folder, {
    now: () => time,
    compiler: {
      ...real,
      async compile(...given) {
        await wait(lastsMs);
        return real.compile(...given);
      },
    },
  });
  const log = join(skill, 'run.log');
  let written = 0;
  writeFileSync(log, '');
  const writing = setInterval(() => writeFileSync(log, `${written++}`), 5);
  onTestFinished(() => clearInterval(writing));
  await room.freshen('greeting');
  clearInterval(writing);

  lastsMs = 1_200;
  time += 1_000;
  await room.freshen('greeting');
  expect(room.freshen('greeting')).toBeUndefined();
});

test('a folder that was never usable is a problem, and costs the others nothing', async () => {
  const folder = temporary();
  await putSkill(join(folder, 'skills'), 'greeting');
  await put(join(folder, 'skills/broken'), { 'SKILL.md': 'nothing' });
  const { room, events } = await openRoom(folder);
  const snapshot = await snapshotOf(await room.prepare(never));
  expect(snapshot.skills).toHaveLength(1);
  expect(snapshot.problems).toMatchObject([{ folder: join(folder, 'skills/broken') }]);
  expect(snapshot.problems[0]?.kept).toBeUndefined();
  expect(events.find(({ skill_id }) => skill_id === 'broken')).toMatchObject({
    type: 'dynamic_tool.compile',
    status: 'failed',
  });
});

test('artifacts are written when something differs, and what they say of time is no difference', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  let statics = new Set<string>();
  const first = await openRoom(folder, { staticNames: () => statics });
  const stats = async () => (await stat(join(skill, 'dynamic_tools.json'), { bigint: true })).ino;
  const written = await stats();
  await first.room.close();
  const second = await openRoom(folder, { staticNames: () => statics });
  expect(await stats()).toBe(written);
  expect(second.events).toEqual([]);
  // without the index all is read again, and the files are the same
  await second.room.close();
  await removeTree(join(folder, 'state'));
  const third = await openRoom(folder, { staticNames: () => statics });
  expect(await stats()).toBe(written);
  expect(third.room.get('greeting')?.shadowed).toEqual([]);

  statics = new Set(['greet']);
  third.room.recheck();
  expect(third.room.get('greeting')?.shadowed).toEqual(['greet']);
  await expect
    .poll(async () => (await jsonOf(join(skill, 'dynamic_tools.report.json'))).shadowed)
    .toMatchObject([{ name: 'greet' }]);
  expect(third.refreshes()).toBe(0);
});

test('a skill without a manifest gets no artifacts', async () => {
  const folder = temporary();
  await put(join(folder, 'skills/plain'), { 'SKILL.md': matter('plain') });
  const { room } = await openRoom(folder);
  expect(room.get('plain')?.tools).toEqual([]);
  expect(await readdir(join(folder, 'skills/plain'))).toEqual(['SKILL.md']);
});

test('a folder that goes while its artifacts are written is no fault', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  const { replaceFile } = await import('../../src/files/replace-file.ts');
  const { reports } = await openRoom(folder, {
    async writeArtifact(path, ...rest) {
      if (path.startsWith(skill)) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      await replaceFile(path, ...rest);
    },
  });
  expect(reports).toEqual([]);
});

test('artifacts of a folder that cannot be written to lie beside the state', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  const { replaceFile } = await import('../../src/files/replace-file.ts');
  const { room, reports, directory } = await openRoom(folder, {
    async writeArtifact(path, ...rest) {
      if (path.startsWith(skill)) throw Object.assign(new Error('refused'), { code: 'EROFS' });
      await replaceFile(path, ...rest);
    },
  });
  const at = join(directory, 'artifacts/greeting');
  expect(room.get('greeting')?.artifacts).toBe(at);
  expect((await readdir(at)).sort()).toEqual([
    'dynamic_tools.json',
    'dynamic_tools.lock.json',
    'dynamic_tools.report.json',
  ]);
  expect(reports).toEqual([expect.stringContaining('EROFS')]);
});

test('artifacts are never written through a link', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  await writeFile(join(folder, 'victim'), 'mine');
  await symlink(join(folder, 'victim'), join(skill, 'dynamic_tools.json'));
  await openRoom(folder);
  expect(await readFile(join(folder, 'victim'), 'utf8')).toBe('mine');
  expect((await jsonOf(join(skill, 'dynamic_tools.json'))).tools).toHaveLength(1);
});

test('a kept copy that somebody changed is noticed and made again', async () => {
  const folder = temporary();
  await putSkill(join(folder, 'skills'), 'greeting');
  const { room } = await openRoom(folder);
  const { version } = room.get('greeting') ?? { version: '' };
  const { folder: copy, release } = await room.open('greeting', version);
  const script = join(copy, 'scripts/greet.sh');
  await chmod(script, 0o644);
  await writeFile(script, 'echo evil!!!!!!!!!!!\n');
  release();
  const again = await room.open('greeting', version);
  expect(await readFile(join(again.folder, 'scripts/greet.sh'), 'utf8')).toContain('echo first');
  // what a program leaves there is taken away, and its folder stays
  await chmod(join(again.folder, 'scripts'), 0o755);
  await put(again.folder, { 'scripts/__pycache__/greet.pyc': 'x', 'scripts/more.py': 'x' });
  const third = await room.open('greeting', version);
  expect(await readdir(join(third.folder, 'scripts'))).toEqual(['greet.sh']);
  again.release();
  third.release();
  await expect(room.open('greeting', `sha256:${'0'.repeat(64)}`)).rejects.toMatchObject({
    code: 'skill_unknown',
  });
  await expect(room.open('greeting', '../..')).rejects.toMatchObject({ code: 'skill_unknown' });
});

test('only listed files of the current version can be read', async () => {
  const folder = temporary();
  await putSkill(join(folder, 'skills'), 'greeting');
  const { room } = await openRoom(folder);
  expect(new TextDecoder().decode(await room.read('greeting', 'SKILL.md'))).toContain('name: greeting');
  for (const path of ['../greeting/SKILL.md', 'scripts', '', '/etc/passwd', 'dynamic_tools.json'])
    await expect(room.read('greeting', path)).rejects.toMatchObject({ code: 'resource_unknown' });
  await expect(room.read('nobody', 'SKILL.md')).rejects.toMatchObject({ code: 'skill_unknown' });
});

test('a package beyond the limits is refused, and says which', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  await put(skill, Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`many/${at}`, ''])));
  const { room } = await openRoom(folder);
  expect(room.list()).toEqual([]);
  const { problems } = await snapshotOf(await room.prepare(never));
  expect(problems[0]?.message).toContain('5000 files');
  // it is tried again without being asked
  await rm(join(skill, 'many'), { recursive: true });
  await expect.poll(() => room.list().map(({ id }) => id)).toEqual(['greeting']);
});

test('a renamed folder is the same skill elsewhere', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  await putSkill(root, 'greeting');
  const { room } = await openRoom(folder);
  const before = room.get('greeting')?.version;
  await rename(join(root, 'greeting'), join(root, 'moved'));
  await room.freshen('greeting');
  expect(room.get('greeting')).toMatchObject({ version: before, folder: join(root, 'moved') });
});

test('a closed room refuses', async () => {
  const folder = temporary();
  const { room } = await openRoom(folder);
  await room.close();
  await expect(room.prepare(never)).rejects.toMatchObject({ code: 'cancelled' });
  expect(room.freshen()).toBeUndefined();
});

function umask(): number {
  const mask = process.umask();
  return mask;
}
