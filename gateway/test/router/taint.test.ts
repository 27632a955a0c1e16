import { describe, expect, it } from 'vitest';
import { memoryTaints } from '../../src/router/taint-memory.ts';
import { storeTaints } from '../../src/router/taint-store.ts';
import { onEveryStore } from '../store/support/stores.ts';
import { callOf, taintBench, taintCases } from './taint-cases.ts';

describe('taint in memory', () => {
  taintCases(async () => undefined);

  it('asks everybody for a while where more callers are tainted than fit', async () => {
    let now = 0;
    const taints = memoryTaints(() => now, 2);
    const mark = (run: string) => taints.mark({ principal: 'p', run }, 'web', 1000);
    const stranger = () => taints.find({ principal: 'q', run: 'z' });
    for (const run of ['a', 'b']) await mark(run);
    expect(await stranger()).toBeUndefined();
    await mark('c');
    expect(await stranger()).toBe('');
    expect(await taints.find({ principal: 'p', run: 'a' })).toBe('web');
    now = 1000;
    expect(await stranger()).toBeUndefined();
    for (const run of ['d', 'e']) await mark(run);
    expect(await taints.find({ principal: 'p', run: 'd' })).toBe('web');
    expect(await stranger()).toBeUndefined();
    // those that ended were counted out once
    await mark('f');
    expect(await stranger()).toBe('');
  });

  it('lasts from the latest mark, which takes no room of its own', async () => {
    let now = 0;
    const taints = memoryTaints(() => now, 2);
    const [one, other] = ['p', 'q'].map((principal) => ({ principal, run: 'r' }));
    for (const key of [one!, other!]) await taints.mark(key, 'web', 1000);
    now = 500;
    for (let times = 0; times < 3; times++) await taints.mark(one!, 'web', 1000);
    now = 1499;
    expect(await taints.find(one!)).toBe('web');
    expect(await taints.find(other!)).toBeUndefined();
    expect(await taints.find({ principal: 's', run: 'r' })).toBeUndefined();
    now = 1500;
    expect(await taints.find(one!)).toBeUndefined();
  });

  it('makes room of what ended alone', async () => {
    let now = 0;
    const taints = memoryTaints(() => now, 2);
    const [long, short, next] = ['p', 'q', 's'].map((principal) => ({ principal, run: 'r' }));
    await taints.mark(long!, 'web', 5000);
    await taints.mark(short!, 'web', 1000);
    now = 1000;
    await taints.mark(next!, 'mail', 5000);
    expect(await taints.find(long!)).toBe('web');
    expect(await taints.find(short!)).toBeUndefined();
    expect(await taints.find(next!)).toBe('mail');
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

    it('is written for each caller, run, source and time, though another one is fresh', async () => {
      const store = await bench.open();
      const marking = taintBench(store);
      const { principal } = callOf('web', 'read');
      await marking.taint.mark(callOf('web', 'read'));
      await marking.taint.mark(callOf('web', 'read', { run: 'r2' }));
      await marking.taint.mark(callOf('mail', 'read'));
      await marking.taint.mark(callOf('web', 'read', { principal: { ...principal, id: 'ann' } }));
      marking.policy = { writes: 'ask', forMs: 600_000 };
      await marking.taint.mark(callOf('web', 'read'));
      const rows = await store.database.selectFrom('taints').selectAll().execute();
      const marks = rows.map(({ principal_id: id, run_id: run, source, ends_at: end }) => [
        `${id} ${run} ${source}`,
        Number(end) - Date.now() > 66_000,
      ]);
      expect(Object.fromEntries(marks)).toEqual({
        'local r1 web': true,
        'local r2 web': false,
        'local r1 mail': false,
        'ann r1 web': false,
      });
    });

    it('is tidied away once it ended, and nothing else is', async () => {
      const store = await bench.open();
      const taints = storeTaints(store, Date.now, 2);
      const [long, short, next] = ['p', 'q', 's'].map((principal) => ({ principal, run: 'r' }));
      await taints.mark(long!, 'web', 60_000);
      await taints.mark(short!, 'web', 1);
      await expect.poll(() => taints.find(short!)).toBeUndefined();
      await taints.mark(next!, 'web', 60_000);
      const rows = await store.database.selectFrom('taints').select('principal_id').execute();
      expect(rows.map(({ principal_id: id }) => id).sort()).toEqual(['p', 's']);
      expect(await taints.find(long!)).toBe('web');
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
      const lasts = first[0]! - Date.now();
      expect(lasts).toBeGreaterThan(60_000);
      expect(lasts).toBeLessThanOrEqual(66_000);
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
