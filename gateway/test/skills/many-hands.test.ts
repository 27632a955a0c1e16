import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { skillCompiler } from '../../src/skills/compiler.ts';
import { markSkill, marksOf } from './support/marked-skill.ts';
import { openRoom } from './support/room.ts';
import { matter, put, putSkill, temporary } from './support/skill-folders.ts';

const never = new AbortController().signal;
afterEach(() => void vi.useRealTimers());

test('while somebody writes, every version that is opened is of one moment', async () => {
  const folder = temporary();
  const tools = ['greet', 'part', 'list'];
  const skill = await putSkill(join(folder, 'skills'), 'greeting', tools);
  const { room, reports } = await openRoom(folder);
  let mark = 0;
  const writing = setInterval(() => markSkill(skill, `mark${mark++}`, tools), 3);
  onTestFinished(() => clearInterval(writing));
  const opened = new Set<string>();
  for (let at = 0; at < 40; at++) {
    void room.freshen('greeting');
    const { version } = room.get('greeting') ?? { version: '' };
    const { folder: copy, release } = await room.open('greeting', version);
    const marks = marksOf(copy, tools);
    expect(marks).toHaveLength(1);
    opened.add(marks[0] ?? '');
    release();
    await turn();
    if (at === 20) clearInterval(writing);
  }
  markSkill(skill, 'last', tools);
  await expect
    .poll(async () => {
      await room.freshen('greeting');
      return room.get('greeting')?.tools[0]?.description;
    })
    .toBe('last');
  expect(opened.size).toBeGreaterThan(0);
  expect(reports).toEqual([]);
});

test('a file system whose clock is ahead is waited for by looking, not by its clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60 * 60_000 });
  const folder = temporary();
  await putSkill(join(folder, 'skills'), 'greeting');
  const { room } = await openRoom(folder);
  expect(room.get('greeting')?.tools).toHaveLength(1);
});

test('those who wait for one change share one look; what comes meanwhile is looked at after it', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  const skill = await putSkill(root, 'greeting');
  const other = await putSkill(root, 'other');
  const compiled: string[] = [];
  const real = skillCompiler();
  const { room, refreshes } = await openRoom(folder, {
    compiler: {
      ...real,
      compile(files, read, place) {
        compiled.push(place.folder);
        return real.compile(files, read, place);
      },
    },
  });
  compiled.length = 0;
  markSkill(skill, 'second');
  const waiting = Array.from({ length: 20 }, () => room.freshen('greeting'));
  await turn();
  waiting.push(...Array.from({ length: 20 }, () => room.freshen('greeting')));
  markSkill(other, 'second');
  const others = room.freshen('other');
  await Promise.all([...waiting, others]);
  expect(compiled.sort()).toEqual([skill, other]);
  expect(refreshes()).toBeLessThanOrEqual(2);
  expect(room.list().map(({ tools }) => tools[0]?.description)).toEqual(['second', 'second']);
});

test('a refresh that fails is reported, and fails nobody', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  const { room, reports } = await openRoom(folder, {
    refresh: async () => {
      throw new Error('no catalog');
    },
  });
  markSkill(skill, 'second');
  await room.freshen('greeting');
  expect(reports).toEqual([expect.stringContaining('no catalog')]);
  expect(room.get('greeting')?.tools[0]?.description).toBe('second');
});

test('a start with known skills compiles nothing and hashes nothing', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  for (let at = 0; at < 30; at++) await putSkill(root, `skill-${at}`, ['a1', 'b2', 'c3', 'd4', 'e5']);
  const first = await openRoom(folder);
  const path = await first.room.prepare(never);
  await first.room.close();
  const fail = async () => {
    throw new Error('was read again');
  };
  const second = await openRoom(folder, {
    compiler: { compile: fail, versionOf: fail, artifacts: fail },
  });
  expect(second.reports).toEqual([]);
  expect(second.room.list()).toHaveLength(30);
  expect(await second.room.prepare(never)).toBe(path);
  expect(second.events).toEqual([]);
});

test('an index that is damaged costs time only', async () => {
  const folder = temporary();
  await putSkill(join(folder, 'skills'), 'greeting');
  const first = await openRoom(folder);
  await first.room.close();
  for (const text of ['{', '[]', '{"format":"1","folders":[{}]}']) {
    await put(first.directory, { 'index.json': text });
    const { room } = await openRoom(folder);
    expect(room.list()).toHaveLength(1);
    await room.close();
  }
});

test('two processes share one state folder', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  const skills = await Promise.all(['alpha', 'beta', 'gamma'].map((id) => putSkill(root, id)));
  await put(join(root, 'plain'), {
    'SKILL.md': matter('plain'),
    'scripts/greet.sh': 'echo plain',
    'tool-manifest.yaml': 'tools: [] # description: plain',
  });
  const { room, directory, reports } = await openRoom(folder, { prepared: false });
  const other = fork(join(import.meta.dirname, 'support/other-process.ts'), [root, directory], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void other.kill());
  // one writes its artifacts beside what the other reads, which may have to wait until that is at rest again
  await expect
    .poll(async () => {
      const [path, theirs] = await Promise.all([room.prepare(never), ask(other, 'prepare')]);
      return theirs === path;
    })
    .toBe(true);
  for (const mark of ['second', 'third', 'fourth']) {
    for (const skill of skills) markSkill(skill, mark);
    const ours = async () => {
      await room.freshen();
      for (const { id } of room.list()) await room.freshen(id);
      return room.list().map(({ version }) => version);
    };
    await expect
      .poll(async () => {
        const [versions] = await Promise.all([ours(), ask(other, 'freshen')]);
        expect(await ask(other, 'versions')).toEqual(versions);
        return ask(other, 'open');
      })
      .toEqual([[mark], [mark], [mark], ['plain']]);
    for (const { id, version } of room.list()) {
      const { folder: copy, release } = await room.open(id, version);
      expect(marksOf(copy)).toHaveLength(1);
      release();
    }
  }
  expect(await ask(other, 'reports')).toEqual([]);
  expect(reports).toEqual([]);
  await ask(other, 'close');
});

async function ask(other: ChildProcess, task: string): Promise<unknown> {
  other.send(task);
  const [answer] = (await once(other, 'message')) as [{ value?: unknown; error?: string }];
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.value;
}
