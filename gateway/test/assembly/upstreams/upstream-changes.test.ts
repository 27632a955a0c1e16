import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { followUpstreamChanges } from '../../../src/assembly/upstreams/upstream-changes.ts';
import type { UpstreamChange } from '../../../src/upstreams/upstreams.ts';

function followed(workedMs: () => number = () => 0) {
  let tell: (name: string, change: UpstreamChange) => void = () => undefined;
  const refreshes: Array<PromiseWithResolvers<void>> = [];
  const announced: unknown[] = [];
  const stop = followUpstreamChanges({
    upstreams: {
      onChange(listener) {
        tell = listener;
        return () => undefined;
      },
    },
    refresh: () => {
      const run = Promise.withResolvers<void>();
      refreshes.push(run);
      return run.promise;
    },
    announce: (change) => announced.push(change),
    workedMs,
  });
  return { tell: (change: UpstreamChange) => tell('files', change), refreshes, announced, stop };
}

test('notices that come together list once; what comes meanwhile lists once more', async () => {
  const { tell, refreshes } = followed();
  tell('tools');
  tell('resources');
  await turn();
  await turn();
  expect(refreshes).toHaveLength(1);
  tell('prompts');
  tell('tools');
  expect(refreshes).toHaveLength(1);
  refreshes[0]!.reject(new Error('down'));
  await expect.poll(() => refreshes.length).toBe(2);
  refreshes[1]!.resolve();
  await turn();
  tell('tools');
  await expect.poll(() => refreshes.length).toBe(3);
});

afterEach(() => void vi.useRealTimers());

test('a list that goes on changing is listed ever so often, and its last state always', async () => {
  vi.useFakeTimers();
  const { tell, refreshes } = followed();
  const tellFor = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      tell('tools');
      refreshes.at(-1)?.resolve();
      await vi.advanceTimersByTimeAsync(10);
    }
  };
  await tellFor(60_000);
  expect(refreshes.length).toBeGreaterThan(15);
  expect(refreshes.length).toBeLessThan(30);
  await tellFor(1_000);
  const before = refreshes.length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(refreshes.length).toBe(before + 1);
  refreshes.at(-1)!.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refreshes.length).toBe(before + 1);
  tell('tools');
  await vi.advanceTimersByTimeAsync(1);
  expect(refreshes.length).toBe(before + 2);
});

test('a list of thousands of tools, which costs every caller, is listed more seldom', async () => {
  vi.useFakeTimers();
  let worked = 0;
  const { tell, refreshes } = followed(() => worked);
  for (let passed = 0; passed < 300_000; passed += 100) {
    tell('tools');
    await vi.advanceTimersByTimeAsync(100);
    if (refreshes.length === 0) continue;
    worked += 1_000;
    refreshes.at(-1)?.resolve();
  }
  expect(refreshes.length).toBeGreaterThan(10);
  expect(refreshes.length).toBeLessThan(20);
});

test('a changed resource is told at once, and nothing after the end', async () => {
  const { tell, refreshes, announced, stop } = followed();
  tell({ resource: 'a:' });
  expect(announced).toEqual([{ resource: 'a:', source: 'files' }]);
  stop();
  tell('tools');
  tell({ resource: 'a:' });
  await turn();
  expect([refreshes, announced]).toEqual([[], [{ resource: 'a:', source: 'files' }]]);
});
