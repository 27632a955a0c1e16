import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { ConfiguredFeature } from '../../src/features/index.ts';
import { createFeatureSwitches } from '../../src/features/index.ts';
import type { AdminEvent } from '../../src/operations/index.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryStore } from '../store/support/stores.ts';

const FEATURES: readonly ConfiguredFeature[] = [
  { name: 'ceph.specialty', source: 'ceph', enabled: true },
  { name: 'ceph.daos', source: 'ceph', enabled: false, description: 'DAOS clusters.' },
];

function switchesOf(store: Store | undefined, configured = () => FEATURES) {
  const events: AdminEvent[] = [];
  let now = 1000;
  const switches = createFeatureSwitches({
    configured,
    store: async () => store,
    record: async (event) => events.push(event),
    now: () => now++,
  });
  return { switches, events };
}

describe('features without a store', () => {
  it('are as configured, once they are open', async () => {
    const { switches } = switchesOf(undefined);
    expect(switches.known()).toEqual([]);
    await switches.open();
    expect(switches.known()).toEqual(['ceph.specialty']);
    expect(switches.known()).toBe(switches.known());
    expect(await switches.list()).toEqual([
      { name: 'ceph.daos', source: 'ceph', enabled: false, configured: false, description: 'DAOS clusters.' },
      { name: 'ceph.specialty', source: 'ceph', enabled: true, configured: true },
    ]);
  });

  it('are switched for this process, and back', async () => {
    const { switches, events } = switchesOf(undefined);
    await switches.open();
    let told = 0;
    switches.onChange(() => told++);
    expect(await switches.set('ceph.daos', true, 'local')).toMatchObject({
      enabled: true,
      configured: false,
      changedBy: 'local',
    });
    expect(switches.known()).toEqual(['ceph.daos', 'ceph.specialty']);
    await switches.set('ceph.daos', true, 'local');
    expect(told).toBe(1);
    expect(await switches.set('ceph.daos', undefined, 'local')).not.toHaveProperty('changedBy');
    expect(switches.known()).toEqual(['ceph.specialty']);
    expect(told).toBe(2);
    expect(events.map(({ type, subject, change }) => [type, subject, change])).toEqual([
      ['feature-changed', 'ceph.daos', 'on'],
      ['feature-changed', 'ceph.daos', 'on'],
      ['feature-changed', 'ceph.daos', 'as configured'],
    ]);
  });

  it.each([
    ['ceph.doas', ' Did you mean "ceph.daos"?'],
    ['daos', ' Did you mean "ceph.daos"?'],
    ['__proto__', ''],
    ['', ''],
  ])('there is no feature "%s"', async (name, meant) => {
    const { switches, events } = switchesOf(undefined);
    await expect(switches.set(name, true, 'local')).rejects.toMatchObject({
      code: 'feature_unknown',
      message: `There is no feature "${name}".${meant}`,
    });
    expect(events).toEqual([]);
  });

  it('need nothing opened where none is configured', async () => {
    const switches = createFeatureSwitches({
      configured: () => [],
      store: () => Promise.reject(new Error('not needed')),
    });
    await switches.open();
    expect([switches.known(), await switches.fresh(), await switches.list()]).toEqual([[], [], []]);
  });

  it('follow a configuration that changes', async () => {
    let features: readonly ConfiguredFeature[] = [];
    const { switches } = switchesOf(undefined, () => features);
    await switches.open();
    features = FEATURES;
    expect(await switches.fresh()).toEqual(['ceph.specialty']);
    features = FEATURES.map((feature) => ({ ...feature, enabled: true }));
    expect(switches.known()).toEqual(['ceph.daos', 'ceph.specialty']);
  });

  it('are not held by who was only given their name, other names are', async () => {
    const { switches } = switchesOf(undefined);
    await switches.open();
    expect(switches.held([])).toBe(switches.known());
    expect(switches.held(['beta', 'ceph.daos'])).toEqual(['beta', 'ceph.specialty']);
  });
});

describe('features whose store cannot be asked', () => {
  it('are off, and calls say so', async () => {
    const switches = createFeatureSwitches({
      configured: () => FEATURES,
      store: () => Promise.reject(new Error('no connection')),
    });
    await expect(switches.open()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(switches.known()).toEqual([]);
    await expect(Promise.resolve().then(() => switches.fresh())).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });
});

onEveryStore((bench) => {
  describe('features in the store', () => {
    it('are the same in every process, and in one that starts later', async () => {
      const [one, two] = [switchesOf(await bench.open()).switches, switchesOf(await bench.open()).switches];
      await Promise.all([one.open(), two.open()]);
      const told = Promise.withResolvers<void>();
      two.onChange(() => told.resolve());
      await one.set('ceph.daos', true, 'ann');
      expect(await two.fresh()).toEqual(['ceph.daos', 'ceph.specialty']);
      await told.promise;
      expect(two.known()).toEqual(['ceph.daos', 'ceph.specialty']);
      const later = switchesOf(await bench.open()).switches;
      await later.open();
      expect(await later.list()).toMatchObject([
        { name: 'ceph.daos', enabled: true, configured: false, changedBy: 'ann', changedAt: 1000 },
        { name: 'ceph.specialty', enabled: true, configured: true },
      ]);
      await later.set('ceph.specialty', false, 'bob');
      expect(await one.fresh()).toEqual(['ceph.daos']);
      await later.set('ceph.specialty', undefined, 'bob');
      expect(await one.fresh()).toEqual(['ceph.daos', 'ceph.specialty']);
      for (const switches of [one, two, later]) await switches.close();
    });

    it('that are configured no more decide nothing', async () => {
      const store = await bench.open();
      const { switches } = switchesOf(store);
      await switches.set('ceph.daos', true, 'ann');
      await switches.close();
      const { switches: other } = switchesOf(store, () => [FEATURES[0]!]);
      await other.open();
      expect(other.known()).toEqual(['ceph.specialty']);
      await other.close();
    });

    it('that were switched by a change that the store lost are as before it', async () => {
      const store = await bench.open();
      const { switches } = switchesOf(store);
      await switches.set('ceph.specialty', false, 'ann');
      const before = await store.revision('features');
      await setTimeout(2);
      await switches.set('ceph.daos', true, 'ann');
      expect(await switches.fresh()).toEqual(['ceph.daos']);
      await store.database.deleteFrom('features').where('name', '=', 'ceph.daos').execute();
      const went = store.database.updateTable('revisions').set({ revision: before });
      await went.where('scope', '=', 'features').execute();
      expect(await switches.fresh()).toEqual([]);
      await switches.close();
    });

    it('that cannot be read any more are off', async () => {
      const store = await bench.open();
      const { switches } = switchesOf(store);
      await switches.open();
      expect(switches.known()).toEqual(['ceph.specialty']);
      const told = vi.fn();
      switches.onChange(told);
      await store.change(['features'], async (transaction) => {
        await transaction.schema.alterTable('features').renameTo('features_elsewhere').execute();
      });
      try {
        await vi.waitFor(() => expect(told).toHaveBeenCalled());
        expect(switches.known()).toEqual([]);
        await expect(Promise.resolve().then(() => switches.fresh())).rejects.toMatchObject({
          code: 'store_unavailable',
        });
      } finally {
        // other files of this worker use the same database
        await store.change(['features'], async (transaction) => {
          await transaction.schema.alterTable('features_elsewhere').renameTo('features').execute();
        });
      }
      expect(await switches.fresh()).toEqual(['ceph.specialty']);
      await switches.close();
    });
  });
});
