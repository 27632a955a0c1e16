import { expect, it } from 'vitest';
import { hookProgress, LEASE_MS } from '../../../src/events/webhooks/progress.ts';
import { onEveryStore } from '../../store/support/stores.ts';

onEveryStore(({ open }) => {
  it('what becomes of one webhook leaves the others where they are', async () => {
    const store = await open();
    const [ops, audit] = [hookProgress(store, 'ops'), hookProgress(store, 'audit')];
    await ops.lease();
    await audit.lease();
    await audit.passed(3);
    await ops.passed(7);
    await ops.failed(2, 'refused', 60_000, 'failing');
    await ops.setAside(8, 3, 'refused');
    expect(await audit.lease()).toEqual({ cursor: 3, attempts: 0, waitMs: 0 });
    expect(await ops.lease()).toEqual({ cursor: 8, attempts: 0, waitMs: 0 });
    await ops.release();
    expect(
      await store.database.selectFrom('webhooks').select(['name', 'leased_by']).orderBy('name').execute(),
    ).toEqual([
      { name: 'audit', leased_by: store.process },
      { name: 'ops', leased_by: null },
    ]);
  });

  it('an event that arrived after all leaves no failure behind, and none waits for the next', async () => {
    const store = await open();
    const hook = hookProgress(store, 'ops');
    await hook.lease();
    await hook.failed(2, 'x'.repeat(400), 60_000, 'failing');
    const row = () =>
      store.database.selectFrom('webhooks').select(['state', 'error']).executeTakeFirstOrThrow();
    expect(await row()).toEqual({ state: 'failing', error: 'x'.repeat(300) });
    await hook.passed(1);
    expect(await row()).toEqual({ state: 'active', error: null });
    expect(await hook.lease()).toEqual({ cursor: 1, attempts: 0, waitMs: 0 });
  });

  it('is held by one of two processes that begin with it at once', async () => {
    const hooks = [hookProgress(await open(), 'ops'), hookProgress(await open(), 'ops')];
    const leases = await Promise.all(hooks.map((hook) => hook.lease()));
    expect(leases.filter((lease) => 'heldForMs' in lease)).toHaveLength(1);
  });

  it('is held longer by whoever delivers', async () => {
    const store = await open();
    const hook = hookProgress(store, 'ops');
    await hook.lease();
    await store.database
      .updateTable('webhooks')
      .set({ leased_until: Date.now() + 20_000 })
      .execute();
    expect(await hook.passed(1)).toBe(true);
    const row = await store.database.selectFrom('webhooks').select('leased_until').executeTakeFirstOrThrow();
    expect(Number(row.leased_until)).toBeGreaterThan(Date.now() + 20_000);
  });

  it('an event that is set aside twice is one dead letter, and a word of it is kept', async () => {
    const store = await open();
    const hook = hookProgress(store, 'ops');
    await hook.lease();
    await hook.setAside(3, 2, 'x'.repeat(400));
    await hook.setAside(3, 2, 'again');
    const letters = await store.database.selectFrom('webhook_dead_letters').select('error').execute();
    expect(letters).toEqual([{ error: 'x'.repeat(300) }]);
  });

  it('whose lease ran out, or is held by another, changes nothing of it', async () => {
    const store = await open();
    const hook = hookProgress(store, 'ops');
    await hook.lease();
    await hook.passed(5);
    const unchanged = async () => {
      expect(await hook.passed(9)).toBe(false);
      await hook.failed(4, 'late', 60_000, 'failing');
      await hook.setAside(9, 4, 'late');
      const row = await store.database.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
      expect({ ...row, cursor: Number(row.cursor), attempts: Number(row.attempts) }).toMatchObject({
        cursor: 5,
        attempts: 0,
        state: 'active',
      });
      expect(await store.database.selectFrom('webhook_dead_letters').selectAll().execute()).toEqual([]);
    };
    await store.database.updateTable('webhooks').set({ leased_until: 1 }).execute();
    await unchanged();
    const later = Date.now() + LEASE_MS;
    await store.database.updateTable('webhooks').set({ leased_by: 'another', leased_until: later }).execute();
    await unchanged();
    await hook.release();
    expect(await hook.lease()).toHaveProperty('heldForMs');
  });
});
