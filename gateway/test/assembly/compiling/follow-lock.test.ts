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
  let seen = Promise.withResolvers<void>();
  const file = join(directory, 'toolcrib.lock.json');
  const configuration = { mode: 'warn', file, report: join(directory, 'report.json') } as const;
  const end = followLock(configuration, {
    started: Promise.resolve(),
    review: async () => {
      reviews += 1;
      if (reviews === 1) throw new Error('no lock');
      seen.resolve();
    },
    report: (_error, what) => {
      told.push(what);
      seen.resolve();
    },
  });
  await writeFile(file, '{');
  await seen.promise;
  expect(told).toEqual([`${file} changed and cannot be used.`]);
  seen = Promise.withResolvers();
  await writeFile(file, '{}');
  await seen.promise;
  expect(told).toHaveLength(1);
  end();
});
