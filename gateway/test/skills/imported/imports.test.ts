import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frozenCopies } from '../../../src/skills/frozen/frozen-copies.ts';
import type { FetchPackages } from '../../../src/skills/import/fetch-packages.ts';
import { recoverPlaces } from '../../../src/skills/imported/place-skill.ts';
import type { SkillImportOptions } from '../../../src/skills/room.ts';
import { openRoom } from '../support/room.ts';
import { manifest, put, putSkill, temporary } from '../support/skill-folders.ts';

const never = new AbortController().signal;

/** A room that imports whatever lies in `coming`. */
async function openImporting(folder: string, now?: () => number) {
  const roots = [join(folder, 'teacher'), join(folder, 'skills')];
  const coming = join(folder, 'coming');
  await mkdir(coming);
  const stagings: string[] = [];
  const importer: FetchPackages = async (_source, staging) => {
    stagings.push(staging);
    await cp(coming, staging, { recursive: true });
    const names = (await readdir(staging)).sort();
    return { folders: names.map((name) => join(staging, name)), findings: [] };
  };
  const opened = await openRoom(folder, {
    settings: { roots, secrets: {} },
    importer,
    ...(now === undefined ? {} : { now }),
  });
  const bring = (options: SkillImportOptions = {}) =>
    opened.room.import({ kind: 'path', path: coming }, options, never);
  return { ...opened, roots: roots as [string, string], coming, bring, stagings };
}

test('an import is whole, keeps run bits, and leaves nothing in staging', async () => {
  const folder = temporary();
  const { room, roots, coming, bring, stagings, refreshes } = await openImporting(folder);
  const package1 = await putSkill(coming, 'greeting', ['greet', 'part']);
  await chmod(join(package1, 'scripts/greet.sh'), 0o755);
  const first = await bring();
  expect(first).toMatchObject({ compiled_ok: 2, invalid_tools: 0, shadowed_tools: 0 });
  const target = join(roots[0], 'greeting');
  expect((await stat(join(target, 'scripts/greet.sh'))).mode & 0o111).not.toBe(0);
  expect((await stat(join(target, 'scripts/part.sh'))).mode & 0o111).toBe(0);
  expect(existsSync(stagings[0] ?? '')).toBe(false);
  expect(refreshes()).toBe(1);

  await putSkill(coming, 'greeting', ['greet'], 'second');
  const { rm } = await import('node:fs/promises');
  await rm(join(coming, 'greeting/scripts/part.sh'));
  const second = await bring();
  expect(second.skills[0]).toMatchObject({ previous: first.skills[0]?.version, compiled_ok: 1 });
  expect(await readdir(join(target, 'scripts'))).toEqual(['greet.sh']);
  expect((await readdir(roots[0])).sort()).toEqual(['greeting']);
  expect(room.get('greeting')?.tools).toHaveLength(1);
});

test('a good skill is not overwritten by a broken one, unless told', async () => {
  const folder = temporary();
  const { room, roots, coming, bring } = await openImporting(folder);
  await putSkill(coming, 'greeting');
  await bring();
  const { version } = room.get('greeting') ?? {};

  const broken = `${manifest(['greet'])}  - name: gone\n    executor: { type: script, entry: scripts/gone.sh }\n`;
  await put(join(coming, 'greeting'), { 'tool-manifest.yaml': broken });
  await expect(bring()).rejects.toMatchObject({
    code: 'skill_import_refused',
    location: expect.stringMatching(/^tool-manifest\.yaml:\d+$/),
  });
  await put(join(coming, 'greeting'), { 'SKILL.md': 'no front matter' });
  const refusal = await bring({ force: true }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'skill_invalid',
    location: expect.stringMatching(/^greeting\/SKILL\.md/),
  });
  expect(room.get('greeting')?.version).toBe(version);
  // what was refused is no version of it
  expect(await room.versions('greeting')).toHaveLength(1);
  expect(await readFile(join(roots[0], 'greeting/tool-manifest.yaml'), 'utf8')).toBe(manifest(['greet']));

  await putSkill(coming, 'greeting', ['greet']);
  await put(join(coming, 'greeting'), { 'tool-manifest.yaml': broken });
  const forced = await bring({ force: true });
  expect(forced).toMatchObject({ compiled_ok: 1, invalid_tools: 1 });
  // what has faults already may be replaced by what has faults
  await put(join(coming, 'greeting'), { 'notes.md': 'more' });
  await expect(bring()).resolves.toMatchObject({ invalid_tools: 1 });
});

test('of a package with several skills those that can be are imported', async () => {
  const folder = temporary();
  const { room, coming, bring } = await openImporting(folder);
  await putSkill(coming, 'alpha');
  await putSkill(coming, 'beta', ['count', 'sum']);
  await put(coming, { 'broken/SKILL.md': 'nothing' });
  await put(coming, {
    'device/SKILL.md': '---\nname: con\ndescription: No folder can be called that everywhere.\n---\n',
  });
  const answer = await bring();
  expect(answer).toMatchObject({ compiled_ok: 3, invalid_tools: 0 });
  expect(answer.skills.map(({ id, refused }) => [id, refused?.code])).toEqual([
    ['alpha', undefined],
    ['beta', undefined],
    ['broken', 'skill_invalid'],
    ['device', 'skill_invalid'],
  ]);
  expect(room.list().map(({ id }) => id)).toEqual(['alpha', 'beta']);
  await room.remove('alpha');
  expect((await bring({ only: ['beta'] })).skills.map(({ id }) => id)).toEqual(['beta']);
  expect(room.get('alpha')).toBeUndefined();
  await expect(bring({ only: ['gamma'] })).rejects.toMatchObject({ code: 'skill_import_refused' });
});

test('an import that a higher root overrides says so', async () => {
  const folder = temporary();
  const { room, roots, coming, bring } = await openImporting(folder);
  await putSkill(roots[1], 'greeting', ['mine']);
  await putSkill(coming, 'greeting', ['theirs']);
  const { skills } = await bring();
  expect(skills[0]).toMatchObject({ overridden_by: join(roots[1], 'greeting'), compiled_ok: 1 });
  expect(room.get('greeting')?.tools.map(({ name }) => name)).toEqual(['mine']);
});

test('only what was imported can be removed', async () => {
  const folder = temporary();
  const { room, roots, coming, bring, refreshes } = await openImporting(folder);
  const own = await putSkill(roots[1], 'own');
  await room.freshen();
  await putSkill(coming, 'greeting');
  await bring();
  const before = refreshes();
  await room.remove('greeting');
  expect(room.get('greeting')).toBeUndefined();
  expect(refreshes()).toBe(before + 1);
  expect(await readdir(roots[0])).toEqual([]);
  await expect(room.remove('own')).rejects.toMatchObject({
    code: 'skill_import_refused',
    message: expect.stringContaining(own),
  });
  await expect(room.remove('greeting')).rejects.toMatchObject({ code: 'skill_unknown' });
  await expect(room.restore('own', room.get('own')?.version ?? '')).rejects.toMatchObject({
    code: 'skill_import_refused',
  });
});

test('a folder that is no skill of that name is not overwritten', async () => {
  const folder = temporary();
  const { roots, coming, bring } = await openImporting(folder);
  await put(roots[0], { 'greeting/notes.txt': 'mine' });
  await putSkill(coming, 'greeting');
  await expect(bring()).rejects.toMatchObject({ code: 'skill_import_refused' });
  expect(await readFile(join(roots[0], 'greeting/notes.txt'), 'utf8')).toBe('mine');
  await bring({ force: true });
  expect(existsSync(join(roots[0], 'greeting/notes.txt'))).toBe(false);
});

test('nothing is imported into a root that is one skill', async () => {
  const folder = temporary();
  const { roots, coming, bring } = await openImporting(folder);
  await put(roots[0], { 'SKILL.md': '---\nname: teacher\ndescription: One.\n---\n' });
  await putSkill(coming, 'greeting');
  await expect(bring()).rejects.toMatchObject({ code: 'skill_import_refused' });
});

test('versions are listed newest first, and an earlier one can be put back, after a removal too', async () => {
  const folder = temporary();
  const { room, coming, bring } = await openImporting(folder);
  const seen: string[] = [];
  for (const mark of ['first', 'second', 'third']) {
    await putSkill(coming, 'greeting', ['greet'], mark);
    seen.unshift((await bring()).skills[0]?.version ?? '');
  }
  const versions = await room.versions('greeting');
  expect(versions.map(({ version, current, tools }) => [version, current, tools])).toEqual(
    seen.map((version, at) => [version, at === 0, 1]),
  );
  const [, , oldest = ''] = seen;
  const restored = await room.restore('greeting', oldest);
  expect(restored).toMatchObject({ version: oldest, previous: seen[0], compiled_ok: 1 });
  expect(room.get('greeting')?.tools[0]?.description).toBe('first');
  expect((await room.versions('greeting'))[0]).toMatchObject({ version: oldest, current: true });
  await room.remove('greeting');
  await room.restore('greeting', seen[1] ?? '');
  expect(room.get('greeting')?.tools[0]?.description).toBe('second');
  await expect(room.versions('nobody')).rejects.toMatchObject({ code: 'skill_unknown' });
  await expect(room.restore('greeting', `sha256:${'1'.repeat(64)}`)).rejects.toMatchObject({
    code: 'skill_unknown',
  });
});

test('versions beyond the newest five go, but none that is open or was used within the hour', async () => {
  const folder = temporary();
  let ahead = 0;
  const { room, directory, coming, bring } = await openImporting(folder, () => Date.now() + ahead);
  const bringMark = async (mark: string) => {
    await putSkill(coming, 'greeting', ['greet'], mark);
    ahead += 1_000;
    return (await bring()).skills[0]?.version ?? '';
  };
  const versions: string[] = [];
  for (let at = 0; at < 7; at++) versions.push(await bringMark(`mark ${at}`));
  expect(await room.versions('greeting')).toHaveLength(7);
  ahead += 2 * 60 * 60_000;
  const [first = '', second = ''] = versions;
  const { folder: held, release } = await room.open('greeting', first);
  // another process had it open a moment ago
  const recent = new Date(Date.now() + ahead);
  await utimes(join(directory, 'seen/greeting', `${second.slice(7)}.json`), recent, recent);
  await bringMark('mark 7');
  const kept = (await room.versions('greeting')).map(({ version }) => version);
  expect(kept).toHaveLength(7);
  expect(kept).toEqual(expect.arrayContaining([first, second]));
  expect(kept).not.toContain(versions[2]);
  expect(await readFile(join(held, 'tool-manifest.yaml'), 'utf8')).toContain('mark 0');
  release();
  ahead += 2 * 60 * 60_000;
  await bringMark('mark 8');
  expect(await room.versions('greeting')).toHaveLength(5);
  expect((await readdir(join(directory, 'versions'))).length).toBe(5);
});

test('a skill that changes all the time does not fill the disk', async () => {
  const directory = temporary();
  let now = Date.now();
  const copies = frozenCopies({ directory, versionOf: async () => '', now: () => now });
  for (let at = 0; at < 60; at++) {
    now += 30_000;
    const version = `sha256:${String(at).padStart(64, '0')}`;
    await copies.keep(await copies.stage(), { id: 'greeting', version, tools: 1, files: [] });
    await copies.tidy('greeting', version);
  }
  expect(await copies.versions('greeting')).toHaveLength(50);
  expect(await readdir(join(directory, 'versions'))).toHaveLength(50);
});

test('an exchange that a crash cut short is undone', async () => {
  const root = temporary();
  const id = '00000000-0000-4000-8000-000000000000';
  await put(root, {
    [`.toolcrib-replaced-${id}-greeting/SKILL.md`]: 'good',
    [`.toolcrib-incoming-${id}/SKILL.md`]: 'half',
  });
  await recoverPlaces(root);
  // it may be another process's, in the middle of it
  expect(await readdir(root)).toHaveLength(2);
  await recoverPlaces(root, Date.now() + 60 * 60_000);
  expect(await readdir(root)).toEqual(['greeting']);
  await writeFile(join(root, 'greeting/SKILL.md'), 'newer');
  await put(root, { [`.toolcrib-replaced-${id}-greeting/SKILL.md`]: 'old' });
  await recoverPlaces(root, Date.now() + 60 * 60_000);
  expect(await readdir(root)).toEqual(['greeting']);
  expect(await readFile(join(root, 'greeting/SKILL.md'), 'utf8')).toBe('newer');
});
