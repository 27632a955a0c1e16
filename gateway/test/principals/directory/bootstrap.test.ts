import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../src/operations/index.ts';
import { bootstrap, createAuthenticator, createDirectory } from '../../../src/principals/index.ts';
import { onEveryStore } from '../../store/support/stores.ts';
import { DEFAULTS } from '../team.ts';

const FIRST = { organisation: { name: 'Acme' }, user: { name: 'Ada' }, defaults: DEFAULTS };

onEveryStore((bench) => {
  it('makes the first organisation, its admin and a key that signs in', async () => {
    const store = await bench.open();
    const events: string[] = [];
    const { organisation, user, key } = await bootstrap(store, {
      ...FIRST,
      record: ({ type }) => void events.push(type),
    });
    expect(user).toMatchObject({ name: 'Ada', organisation: organisation.id, roles: ['admin'] });
    expect(events).toEqual(['organisation-changed', 'user-changed', 'key-changed']);
    const principal = await createAuthenticator({ store }).authenticate(key.key, AbortSignal.timeout(5000));
    expect(principal).toMatchObject({ id: user.id, organisation: organisation.id, key: key.record.id });
    const { users, levels } = createDirectory({ store, defaults: DEFAULTS, sources: () => ({}) });
    expect(await users.create(principal, { name: 'Ben' })).toMatchObject({ organisation: organisation.id });
    expect((await levels.list(principal)).map(({ level }) => level)).toEqual(
      Array.from({ length: 3 }, () => 'read-only'),
    );
  });

  it('refuses as soon as there is an organisation, and changes nothing', async () => {
    const store = await bench.open();
    await bootstrap(store, FIRST);
    await expect(bootstrap(store, FIRST)).rejects.toMatchObject({ code: 'record_conflict' });
    const { organisations } = createDirectory({ store, defaults: DEFAULTS, sources: () => ({}) });
    expect((await organisations.list(LOCAL_PRINCIPAL)).length).toBe(1);
  });

  it('two at once make one', async () => {
    const stores = [await bench.open(), await bench.open()];
    const outcomes = await Promise.allSettled(stores.map((store) => bootstrap(store, FIRST)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('refuses what is not valid', async () => {
    const store = await bench.open();
    await expect(bootstrap(store, { ...FIRST, user: { name: '' } })).rejects.toMatchObject({
      code: 'record_invalid',
    });
  });
});
