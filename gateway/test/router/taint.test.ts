import { describe, expect, it } from 'vitest';
import { memoryTaints } from '../../src/router/taint-memory.ts';
import { onEveryStore } from '../store/support/stores.ts';
import { callOf, taintBench, taintCases } from './taint-cases.ts';

describe('taint in memory', () => {
  taintCases(async () => undefined);

  it('asks everybody for a while where more callers are tainted than fit', async () => {
    let now = 0;
    const taints = memoryTaints(() => now, 2);
    for (const run of ['a', 'b', 'c']) await taints.mark({ principal: 'p', run }, 'web', 1000);
    expect(await taints.find({ principal: 'q', run: 'z' })).toBe('');
    expect(await taints.find({ principal: 'p', run: 'a' })).toBe('web');
    now = 1001;
    expect(await taints.find({ principal: 'q', run: 'z' })).toBeUndefined();
    await taints.mark({ principal: 'p', run: 'd' }, 'web', 1000);
    expect(await taints.find({ principal: 'p', run: 'd' })).toBe('web');
    expect(await taints.find({ principal: 'q', run: 'z' })).toBeUndefined();
  });
});

onEveryStore((bench) => {
  describe('taint in the store', () => {
    taintCases(() => bench.open());

    it('is known to every process, and to one that starts later', async () => {
      const [one, two] = [taintBench(await bench.open()), taintBench(await bench.open())];
      expect(await two.taint.reason(callOf('desk', 'write'))).toBeUndefined();
      await one.taint.mark(callOf('web', 'read'));
      expect(await two.taint.reason(callOf('desk', 'write'))).toBeDefined();
      expect(await taintBench(await bench.open()).taint.reason(callOf('desk', 'write'))).toBeDefined();
    });

    it('is written once while it is fresh, and lasts longer with each later mark', async () => {
      const store = await bench.open();
      const { taint } = taintBench(store);
      const ends = async () =>
        (await store.database.selectFrom('taints').select('ends_at').execute()).map(({ ends_at: end }) =>
          Number(end),
        );
      await taint.mark(callOf('web', 'read'));
      const first = await ends();
      await taint.mark(callOf('web', 'read'));
      expect(await ends()).toEqual(first);
      expect(first[0]! - Date.now()).toBeGreaterThan(60_000);
      const other = taintBench(store);
      await expect
        .poll(async () => {
          await taintBench(store).taint.mark(callOf('web', 'read'));
          return (await ends())[0]! > first[0]!;
        })
        .toBe(true);
      expect(await other.taint.reason(callOf('desk', 'write'))).toBeDefined();
    });
  });
});
