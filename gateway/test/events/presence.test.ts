import { afterEach, expect, it, vi } from 'vitest';
import { createPresence } from '../../src/events/presence.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryStore } from '../store/support/stores.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const openFrom = async ({ database }: Store) =>
  Number((await database.selectFrom('processes').select('open_from').executeTakeFirstOrThrow()).open_from);

onEveryStore(({ open }) => {
  it('a call is found after a crash, also where the database lost its last commits and numbers anew', async () => {
    const store = await open();
    const errors: unknown[] = [];
    const presence = createPresence(store, (error) => errors.push(error));
    await presence.fresh();
    presence.started('before', 700);
    presence.saw(782);
    presence.ended('before');
    const later = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    await presence.fresh();
    expect(await openFrom(store)).toBe(783);

    presence.started('after', 377);
    presence.saw(377);
    await expect.poll(() => openFrom(store)).toBe(377);
    presence.ended('after');
    vi.spyOn(Date, 'now').mockReturnValue(later + 60_000);
    await presence.fresh();
    expect(await openFrom(store)).toBe(378);
    await presence.close();
    expect(errors).toEqual([]);
  });

  it.each([60_000, -60_000])('a process says that it lives when its clock has moved by %i ms', async (ms) => {
    const store = await open();
    const presence = createPresence(store, () => {});
    await presence.fresh();
    const processes = () =>
      store.database.selectFrom('processes').select('seen_at').executeTakeFirstOrThrow();
    await store.database.updateTable('processes').set({ seen_at: 1 }).execute();
    expect(presence.fresh()).toBeUndefined();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);
    await presence.fresh();
    expect(Number((await processes()).seen_at)).toBeGreaterThan(1);
    await presence.close();
  });
});
