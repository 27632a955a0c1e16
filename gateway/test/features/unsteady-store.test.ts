import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFeatureSwitches } from '../../src/features/index.ts';
import type { Store } from '../../src/store/store.ts';

const FEATURES = [{ name: 'ceph.daos', source: 'ceph', enabled: true }];
const row = (enabled: 0 | 1) => [{ name: 'ceph.daos', enabled, changed_at: 1, changed_by: 'ann' }];
type Rows = ReturnType<typeof row>;

/** A store whose readings a test answers, and whose notices it gives. */
function bench() {
  const readings: PromiseWithResolvers<Rows>[] = [];
  let notice: (scope: string) => void = () => {};
  const state = { revision: 0, faults: 0, followed: false };
  const store = {
    revision: () => state.revision,
    onChange: (listener: typeof notice) => {
      notice = listener;
      state.followed = true;
      return () => {
        state.followed = false;
      };
    },
    database: {
      selectFrom: () => ({
        selectAll: () => ({
          execute: () => {
            const reading = Promise.withResolvers<Rows>();
            readings.push(reading);
            return reading.promise;
          },
        }),
      }),
    },
  } as unknown as Store;
  const switches = createFeatureSwitches({
    configured: () => FEATURES,
    store: async () => {
      if (state.faults-- > 0) throw new Error('It is away.');
      return store;
    },
  });
  const reading = async (at: number) => {
    await expect.poll(() => readings.length).toBeGreaterThan(at);
    return readings[at]!;
  };
  const opened = async (enabled: 0 | 1) => {
    const opening = switches.open();
    (await reading(0)).resolve(row(enabled));
    await opening;
  };
  return { switches, state, reading, opened, tell: (scope: string) => notice(scope) };
}

it('what was asked for earlier and comes later switches nothing on again', async () => {
  const { switches, reading, opened, tell } = bench();
  await opened(1);
  tell('features');
  const early = await reading(1);
  tell('features');
  const late = await reading(2);
  late.resolve(row(0));
  await expect.poll(() => switches.known()).toEqual([]);
  early.resolve(row(1));
  await setImmediate();
  expect(switches.known()).toEqual([]);
  expect(await switches.fresh()).toEqual([]);
});

it.each(['features', '*'])('is read again at the notice %s, and at no other', async (scope) => {
  const { switches, reading, opened, tell } = bench();
  await opened(1);
  tell('budgets');
  tell(scope);
  (await reading(1)).resolve(row(0));
  await expect.poll(() => switches.known()).toEqual([]);
});

it('is off while it cannot be read, and as switched once it can be', async () => {
  const { switches, reading, opened, tell } = bench();
  await opened(1);
  expect(switches.known()).toEqual(['ceph.daos']);
  tell('features');
  (await reading(1)).reject(new Error('It is away.'));
  await expect.poll(() => switches.known()).toEqual([]);
  const fresh = switches.fresh();
  (await reading(2)).resolve(row(1));
  expect(await fresh).toEqual(['ceph.daos']);
});

it('a store that was away at the start is asked again', async () => {
  const { switches, state, opened } = bench();
  state.faults = 1;
  await expect(switches.open()).rejects.toMatchObject({ code: 'store_unavailable' });
  await opened(1);
  expect(switches.known()).toEqual(['ceph.daos']);
});

it('nothing of the store is followed once they are closed', async () => {
  const { switches, state, opened } = bench();
  await opened(1);
  expect(state.followed).toBe(true);
  await switches.close();
  expect(state.followed).toBe(false);
});
