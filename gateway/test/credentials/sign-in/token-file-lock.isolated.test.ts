import type { Stats } from 'node:fs';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withTokenFileLock } from '../../../src/credentials/sign-in/token-file-lock.ts';

/** Called with each look at a file before its answer is given. */
let looked: (path: string, found: Stats) => unknown = () => undefined;
/** Called with each file that is about to be made. */
let making: (path: string) => unknown = () => undefined;

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>();
  return {
    ...real,
    stat: async (path: string) => {
      const found = await real.stat(path);
      await looked(path, found);
      return found;
    },
    open: async (path: string, ...rest: [string, number]) => {
      await making(path);
      return real.open(path, ...rest);
    },
  };
});

let folder: string;
let file: string;
let lock: string;
const signal = AbortSignal.timeout(20_000);

beforeEach(async () => {
  folder = await files.mkdtemp(join(tmpdir(), 'toolcrib-lock-'));
  file = join(folder, 'token.json');
  lock = `${file}.lock`;
});

afterEach(async () => {
  looked = () => undefined;
  making = () => undefined;
  await files.rm(folder, { recursive: true, force: true });
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function leaveBehind(path: string): Promise<void> {
  await files.writeFile(path, '');
  await files.utimes(path, minutesAgo(5), minutesAgo(5));
}

/** Resolves at the nth time that somebody tries to make the lock. */
function attempts(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = count;
  making = (path) => {
    if (path === lock && --left === 0) resolve();
  };
  return promise;
}

/** Runs within the lock until it is let go. */
function hold(order: string[], name: string) {
  const entered = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const done = withTokenFileLock(file, signal, async () => {
    order.push(`${name} in`);
    entered.resolve();
    await leave.promise;
    order.push(`${name} out`);
  });
  return { entered: entered.promise, leave: leave.resolve, done };
}

it('a lock that was left behind is taken by one of two who both found it stale', async () => {
  await leaveBehind(lock);
  const judged = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  let isFirst = true;
  looked = async (path) => {
    if (path !== lock || !isFirst) return;
    isFirst = false;
    judged.resolve();
    await told.promise;
  };
  const order: string[] = [];
  const slow = hold(order, 'slow');
  await judged.promise;
  const quick = hold(order, 'quick');
  await quick.entered;
  // only now the slow one learns that the lock of then was stale; the lock of now is the quick one's
  const tried = attempts(3);
  told.resolve();
  await Promise.race([tried, slow.entered]);
  expect(order).toEqual(['quick in']);
  quick.leave();
  slow.leave();
  await Promise.all([quick.done, slow.done]);
  expect(order).toEqual(['quick in', 'quick out', 'slow in', 'slow out']);
  expect(await files.readdir(folder)).toEqual([]);
});

it('whoever was thought gone and comes back leaves the lock of the next alone', async () => {
  const order: string[] = [];
  const late = hold(order, 'late');
  await late.entered;
  await files.utimes(lock, minutesAgo(5), minutesAgo(5));
  const next = hold(order, 'next');
  await next.entered;
  late.leave();
  await late.done;
  const third = hold(order, 'third');
  await Promise.race([attempts(3), third.entered]);
  expect(order).toEqual(['late in', 'next in', 'late out']);
  next.leave();
  third.leave();
  await Promise.all([next.done, third.done]);
  expect(await files.readdir(folder)).toEqual([]);
});

it('a removal that was broken off stops nobody', async () => {
  await leaveBehind(lock);
  await leaveBehind(`${lock}.stale`);
  expect(await withTokenFileLock(file, signal, async () => 'run')).toBe('run');
  expect(await files.readdir(folder)).toEqual([]);
});

it('who waits for a lock that somebody holds ends with its signal, and has run nothing', async () => {
  await files.writeFile(lock, 'another');
  const controller = new AbortController();
  const again = attempts(2);
  let ran = false;
  const waiting = withTokenFileLock(file, controller.signal, async () => {
    ran = true;
  });
  await again;
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(ran).toBe(false);
  expect(await files.readFile(lock, 'utf8')).toBe('another');
});

it('a lock that cannot be made is told at once', async () => {
  const run = withTokenFileLock(join(folder, 'x'.repeat(255)), signal, async () => undefined);
  await expect(run).rejects.toMatchObject({ code: 'configuration_invalid' });
});
