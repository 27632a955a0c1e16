import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { markSkill, marksOf } from '../skills/support/marked-skill.ts';
import { openRoom } from '../skills/support/room.ts';
import { putSkill, temporary } from '../skills/support/skill-folders.ts';

const TOOLS = ['greet', 'part', 'list', 'count', 'sum'];
const never = new AbortController().signal;

test('hot reload under load: 1,000 calls while files change, no mixed version, no failed call', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  const ids = ['alpha', 'beta', 'gamma'];
  const skills = await Promise.all(ids.map((id) => putSkill(root, id, TOOLS)));
  const { room, reports, refreshes } = await openRoom(folder, { watch: true });
  let mark = 0;
  const write = () => {
    mark++;
    for (const skill of skills) markSkill(skill, `mark${mark}`, TOOLS);
  };

  const seen = new Set<string>();
  let done = 0;
  const call = async (id: string) => {
    await room.freshen(id);
    const known = room.get(id);
    const { folder: copy, release } = await room.open(id, known?.version ?? '');
    try {
      // what the catalog says and what runs are one version, also when the call takes a while
      expect(marksOf(copy, TOOLS)).toEqual([known?.tools[0]?.description]);
      for (let at = 0; at < 5; at++) await turn();
      expect(marksOf(copy, TOOLS)).toEqual([known?.tools[0]?.description]);
      seen.add(known?.version ?? '');
      done++;
      // once more while the first change may be being read
      if (done % 20 === 0) write();
      if (done % 20 === 4) write();
    } finally {
      release();
    }
  };
  const caller = async (from: number) => {
    for (let at = from; at < 1_000; at += 10) {
      await call(ids[at % ids.length] ?? '');
      await turn();
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, from) => caller(from)));

  expect(done).toBe(1_000);
  expect(reports).toEqual([]);
  for (const skill of skills) markSkill(skill, 'last', TOOLS);
  await expect
    .poll(async () => {
      await Promise.all(ids.map((id) => room.freshen(id)));
      return room.list().map(({ tools }) => tools[0]?.description);
    })
    .toEqual(['last', 'last', 'last']);
  expect(refreshes()).toBeGreaterThan(20);
  expect(seen.size).toBeGreaterThan(20);
}, 120_000);

test('500 skills of five tools: compiled once, and known at the next start', async () => {
  const folder = temporary();
  const root = join(folder, 'skills');
  for (let at = 0; at < 500; at++)
    await putSkill(
      root,
      `skill-${at}`,
      TOOLS.map((tool) => `s${at}_${tool}`),
    );
  const first = await openRoom(folder);
  expect(first.room.list()).toHaveLength(500);
  expect(first.events).toHaveLength(500);
  const path = await first.room.prepare(never);
  await first.room.close();

  const second = await openRoom(folder);
  expect(await second.room.prepare(never)).toBe(path);
  expect(second.events).toEqual([]);
  markSkill(
    join(root, 'skill-250'),
    'second',
    TOOLS.map((tool) => `s250_${tool}`),
  );
  await second.room.freshen('skill-250');
  expect(second.events.map(({ type, skill_id }) => [type, skill_id])).toEqual([
    ['dynamic_tool.reload', 'skill-250'],
  ]);
}, 120_000);
