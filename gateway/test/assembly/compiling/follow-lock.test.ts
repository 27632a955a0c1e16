import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followLock } from '../../../src/assembly/compiling/follow-lock.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-follow-lock-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('a lock that cannot be used is told, and the next change is looked at again', async () => {
  const told: string[] = [];
  let reviews = 0;
  const file = join(directory, 'toolcrib.lock.json');
  const configuration = { mode: 'warn', file, report: join(directory, 'report.json') } as const;
  const end = followLock(configuration, {
    started: Promise.resolve(),
    review: async () => {
      reviews += 1;
      if (reviews === 1) throw new Error('no lock');
    },
    report: (_error, what) => void told.push(what),
  });
  // the first look may come behind the first of these
  let length = 0;
  const written = async () => {
    await writeFile(file, '{}'.padEnd(++length));
    return reviews;
  };
  await expect.poll(written, { interval: 400 }).toBeGreaterThan(1);
  end();
  expect(told).toEqual([`${file} changed and cannot be used.`]);
});
