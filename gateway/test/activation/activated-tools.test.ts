import { describe, expect, it } from 'vitest';
import { type ActivatedTools, createActivatedTools } from '../../src/activation/index.ts';
import { memoryActivations } from '../../src/activation/memory-activations.ts';
import { onEveryStore } from '../store/support/stores.ts';

const DAY = 24 * 60 * 60 * 1000;

interface Bench {
  readonly tools: ActivatedTools;
  /** Milliseconds that are added to the clock. */
  later: number;
}

function activatedToolsCases(make: (now: () => number) => Promise<ActivatedTools>): void {
  const start = async (): Promise<Bench> => {
    const bench = { later: 0 } as { later: number; tools: ActivatedTools };
    bench.tools = await make(() => Date.now() + bench.later);
    await bench.tools.open();
    return bench;
  };

  it('are known at once, by their principal alone, sorted', async () => {
    const { tools } = await start();
    expect(await tools.activate('ann', ['crm/b', 'crm/a'], 30)).toBe(true);
    expect(tools.known('ann')).toEqual(['crm/a', 'crm/b']);
    expect(tools.known('bob')).toEqual([]);
  });

  it('of one leave no room and take none of another', async () => {
    const bench = await start();
    await bench.tools.activate('ann', ['crm/a', 'crm/b'], 2);
    expect(await bench.tools.activate('bob', ['crm/c', 'crm/d'], 2)).toBe(true);
    bench.later += 120_000;
    await bench.tools.activate('ann', ['crm/e'], 2);
    expect(bench.tools.known('ann')).toContain('crm/e');
    expect(bench.tools.known('ann')).toHaveLength(2);
    expect(bench.tools.known('bob')).toEqual(['crm/c', 'crm/d']);
  });

  it('are the same array while nothing changed, so that lists made of it can be kept', async () => {
    const { tools } = await start();
    await tools.activate('ann', ['crm/a', 'crm/b'], 30);
    const before = tools.known('ann');
    await tools.activate('ann', ['crm/a'], 30);
    expect(tools.known('ann')).toBe(before);
  });

  it('are told when they change, and only then', async () => {
    const { tools } = await start();
    const told: string[] = [];
    const stop = tools.onChange((principal) => told.push(principal));
    await tools.activate('ann', ['crm/a'], 30);
    await tools.activate('ann', ['crm/a'], 30);
    expect(told).toEqual(['ann']);
    stop();
    await tools.activate('ann', ['crm/b'], 30);
    expect(told).toEqual(['ann']);
  });

  it('drop out, used longest ago first, where a source has no more room', async () => {
    const bench = await start();
    await bench.tools.activate('ann', ['crm/a', 'crm/b', 'desk/a'], 2);
    bench.later += 120_000;
    await bench.tools.activate('ann', ['crm/a'], 2);
    await bench.tools.activate('ann', ['crm/c'], 2);
    expect(bench.tools.known('ann')).toEqual(['crm/a', 'crm/c', 'desk/a']);
  });

  it('says where not all of them fit', async () => {
    const { tools } = await start();
    expect(await tools.activate('ann', ['crm/a', 'crm/b'], 1)).toBe(false);
    expect(tools.known('ann')).toEqual(['crm/b']);
  });

  it('end after seven days without use', async () => {
    const bench = await start();
    await bench.tools.activate('ann', ['crm/a', 'crm/b'], 30);
    bench.later = 6 * DAY;
    await bench.tools.activate('ann', ['crm/b'], 30);
    bench.later = 8 * DAY;
    expect(bench.tools.known('ann')).toEqual(['crm/b']);
    bench.later = 14 * DAY;
    expect(bench.tools.known('ann')).toEqual([]);
  });

  it('take names for what they are', async () => {
    const { tools } = await start();
    await tools.activate('__proto__', ['constructor/toString', '%/*'], 30);
    expect(tools.known('__proto__')).toEqual(['%/*', 'constructor/toString']);
    expect(tools.known('constructor')).toEqual([]);
  });
}

describe('activated tools in memory', () => {
  activatedToolsCases(async (now) => createActivatedTools(undefined, now));

  it('forget who came longest ago where there are too many', async () => {
    const tools = memoryActivations(Date.now, 2);
    for (const principal of ['ann', 'bob', 'cid']) await tools.activate(principal, ['crm/a'], 30);
    expect(['ann', 'bob', 'cid'].map((principal) => tools.known(principal).length)).toEqual([0, 1, 1]);
  });
});

onEveryStore((bench) => {
  describe('activated tools in the store', () => {
    activatedToolsCases(async (now) => createActivatedTools(await bench.open(), now));

    it('are known to every process, and to one that starts later', async () => {
      const [one, two] = [createActivatedTools(await bench.open()), createActivatedTools(await bench.open())];
      await Promise.all([one.open(), two.open()]);
      const told: string[] = [];
      two.onChange((principal) => told.push(principal));
      await one.activate('ann', ['crm/a'], 30);
      await expect.poll(() => two.known('ann')).toEqual(['crm/a']);
      expect(told).toEqual(['ann']);
      const later = createActivatedTools(await bench.open());
      await later.open();
      expect(later.known('ann')).toEqual(['crm/a']);
      await Promise.all([one, two, later].map((tools) => tools.close()));
    });

    it('drop out for nobody else', async () => {
      const store = await bench.open();
      const tools = createActivatedTools(store);
      for (const principal of ['ann', 'bob']) await tools.activate(principal, ['crm/a'], 1);
      await tools.activate('ann', ['crm/b'], 1);
      await tools.close();
      const later = createActivatedTools(store);
      await later.open();
      expect(['ann', 'bob'].map((principal) => later.known(principal))).toEqual([['crm/b'], ['crm/a']]);
      await later.close();
    });

    it('are written once while use is fresh', async () => {
      const store = await bench.open();
      const tools = createActivatedTools(store);
      await tools.activate('ann', ['crm/a'], 30);
      const before = await store.revision('activated:ann');
      await tools.activate('ann', ['crm/a'], 30);
      expect(await store.revision('activated:ann')).toBe(before);
      await tools.close();
    });

    it('are removed from the store once they ended', async () => {
      const store = await bench.open();
      const tools = createActivatedTools(store, () => Date.now() - 8 * DAY);
      await tools.activate('ann', ['crm/a'], 30);
      await tools.close();
      await createActivatedTools(store).open();
      expect(await store.database.selectFrom('activated_tools').selectAll().execute()).toEqual([]);
    });

    it('know nothing before they are opened, and say when the store is gone', async () => {
      const store = await bench.open();
      const tools = createActivatedTools(store);
      expect(tools.known('ann')).toEqual([]);
      const { schema } = store.database;
      await schema.alterTable('activated_tools').renameTo('elsewhere').execute();
      try {
        await expect(tools.open()).rejects.toThrow();
        await expect(tools.activate('ann', ['crm/a'], 30)).rejects.toThrow();
        expect(tools.known('ann')).toEqual([]);
      } finally {
        // other files of this worker use the same database
        await schema.alterTable('elsewhere').renameTo('activated_tools').execute();
      }
    });
  });
});
