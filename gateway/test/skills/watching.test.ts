import { EventEmitter } from 'node:events';
import { type watch, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { watchFolders } from '../../src/skills/folders/watch-folders.ts';
import { openRoom } from './support/room.ts';
import { manifest, put, putSkill, temporary } from './support/skill-folders.ts';

afterEach(() => void vi.useRealTimers());

test('a change is noticed without being asked, and what the room writes is none', async () => {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  const { room, refreshes } = await openRoom(folder, { watch: true });
  await put(skill, { 'tool-manifest.yaml': manifest(['greet'], 'second') });
  await expect.poll(() => room.get('greeting')?.tools[0]?.description).toBe('second');
  await put(skill, { 'scripts/greet.sh': '#!/bin/sh\necho third\n' });
  await expect.poll(refreshes).toBeGreaterThanOrEqual(2);
  await putSkill(join(folder, 'skills'), 'another');
  await expect.poll(() => room.list().map(({ id }) => id)).toEqual(['another', 'greeting']);
});

test('a root that was missing is watched once it is there', async () => {
  const folder = temporary();
  const { room } = await openRoom(folder, { watch: true });
  await putSkill(join(folder, 'skills'), 'greeting');
  await expect.poll(() => room.get('greeting')?.id).toBe('greeting');
});

/** A watched folder in whose place another of its name was put. */
async function exchanged() {
  const folder = temporary();
  const skill = await putSkill(join(folder, 'skills'), 'greeting');
  const { room } = await openRoom(folder, { watch: true });
  const described = () => room.get('greeting')?.tools[0]?.description;
  const next = await putSkill(join(folder, 'next'), 'greeting', ['greet'], 'second');
  await rename(skill, join(folder, 'old'));
  await rename(next, skill);
  return { skill, described };
}

test('a folder that was exchanged for another of its name is watched as before', async () => {
  const { skill, described } = await exchanged();
  await expect.poll(described).toBe('second');
  await put(skill, { 'tool-manifest.yaml': manifest(['greet'], 'third') });
  await expect.poll(described).toBe('third');
});

test('what changes in a new folder before it is watched is noticed', async () => {
  const { skill, described } = await exchanged();
  // at once: it has been read, and what was read is still being written down
  while (described() !== 'second') await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(join(skill, 'tool-manifest.yaml'), manifest(['greet'], 'third'));
  await expect.poll(described).toBe('third');
});

/** A system whose watchers tell when the test says so. */
function told() {
  const listeners = new Map<string, (event: string, name: string | null) => void>();
  const watchFolder = ((folder: string, _options: object, listener: () => void) => {
    listeners.set(folder, listener);
    return Object.assign(new EventEmitter(), { close: () => void listeners.delete(folder) });
  }) as unknown as typeof watch;
  return { listeners, watchFolder };
}

test('events within a short time are one change; our own files and caches are none', async () => {
  vi.useFakeTimers();
  const changed = vi.fn();
  const { listeners, watchFolder } = told();
  const watching = watchFolders({ changed, watchFolder });
  watching.follow(['/skills'], () => ['/skills/a']);
  const tell = (name: string | null) => listeners.get('/skills')?.('change', name);
  for (const name of ['dynamic_tools.json', '.dynamic_tools-1.tmp', '__pycache__', '.git', '.a.sh.swp'])
    tell(name);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(changed).toHaveBeenCalledTimes(0);
  tell('SKILL.md');
  tell('a.sh');
  await vi.advanceTimersByTimeAsync(60);
  expect(changed).toHaveBeenCalledTimes(1);
  tell(null);
  await vi.advanceTimersByTimeAsync(100);
  expect(changed).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(150);
  expect(changed).toHaveBeenCalledTimes(2);
  watching.follow(['/other'], () => []);
  expect([...listeners.keys()]).toEqual(['/other']);
  listeners.get('/other')?.('change', 'x');
  watching.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(changed).toHaveBeenCalledTimes(2);
  expect(listeners.size).toBe(0);
});

test('where comparing takes long, what is written all the time is compared more seldom', async () => {
  vi.useFakeTimers();
  const { listeners, watchFolder } = told();
  const changed = vi.fn(() => void vi.setSystemTime(Date.now() + 400));
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  const watching = watchFolders({ changed, watchFolder });
  watching.follow(['/skills'], () => []);
  for (let passed = 0; passed < 20_000; passed += 50) {
    listeners.get('/skills')?.('change', 'a.txt');
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(changed.mock.calls.length).toBeGreaterThanOrEqual(4);
  expect(changed.mock.calls.length).toBeLessThan(8);
  watching.close();
  clock.mockRestore();
});

test('where a system cannot watch everything is compared every now and then', async () => {
  vi.useFakeTimers();
  const changed = vi.fn();
  const watchFolder = (() => {
    throw Object.assign(new Error('no more'), { code: 'ENOSPC' });
  }) as unknown as typeof watch;
  const watching = watchFolders({ changed, watchFolder, pollMs: 1_000 });
  watching.follow(['/skills'], () => []);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(changed.mock.calls.length).toBeGreaterThanOrEqual(3);
  watching.close();
});
