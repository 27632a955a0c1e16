import { expect, it } from 'vitest';
import type { AccessChange } from '../../../src/principals/index.ts';
import { createStoredGrants } from '../../../src/principals/index.ts';
import { onEveryStore } from '../../store/support/stores.ts';
import { ADA, BEN, createTeam, EVE, OPERATOR, SOURCES } from '../team.ts';

const weather = (level: 'read-write' | 'disabled' | null): AccessChange => ({
  kind: 'level',
  user: 'ben',
  scope: 'source:weather',
  level,
});

onEveryStore((bench) => {
  it('what is proposed is what is read once it is saved, and nothing is written before', async () => {
    const { directory, events } = await createTeam(await bench.open());
    const { access } = directory;
    await directory.roles.set(ADA, { name: 'seller', permissions: ['prices'] });
    const first = await access.read(ADA);
    expect(first.people).toEqual([
      { id: 'ada', name: 'Ada', status: 'active', roles: ['admin'] },
      { id: 'ben', name: 'Ben', status: 'active', roles: [] },
    ]);
    const changes: AccessChange[] = [
      weather('disabled'),
      { kind: 'level', scope: 'category:*', level: null },
      { kind: 'user', user: 'ben', roles: ['seller', 'seller'] },
      { kind: 'feature', feature: 'beta', enabled: true },
    ];
    events.length = 0;
    const { before, after } = await access.propose(ADA, { version: first.version, changes });
    expect(before).toEqual(first);
    expect(await access.read(ADA)).toEqual(first);
    expect(events).toEqual([]);
    const saved = await access.save(ADA, { version: first.version, changes });
    expect(saved).toEqual(after);
    expect(await access.read(OPERATOR, { organisation: 'acme' })).toEqual(saved);
    expect(events.map(({ type, change }) => `${type}: ${change}`)).toEqual([
      'access-changed: level source:weather: disabled',
      'access-changed: level category:* removed',
      'user-changed: changed roles (seller)',
      'organisation-changed: changed features',
    ]);
  });

  it('a change reaches what it names and nothing beside it', async () => {
    const { directory } = await createTeam(await bench.open());
    const { access, levels, users } = directory;
    const weather = 'source:weather';
    for (const place of [
      { organisation: 'acme', scope: weather },
      { user: 'ada', scope: weather },
      { user: 'ben', scope: weather },
      { user: 'ben', scope: 'category:api' },
      { organisation: 'rival', scope: weather },
      { user: 'eve', scope: weather },
    ]) {
      await levels.set(OPERATOR, { ...place, level: 'read-write' });
    }
    const everything = async () => ({
      levels: [
        ...(await levels.list(OPERATOR, { organisation: 'acme' })),
        ...(await levels.list(OPERATOR, { organisation: 'rival' })),
      ],
      users: await users.list(OPERATOR),
    });
    const before = await everything();
    await access.save(ADA, {
      changes: [
        { kind: 'level', user: 'ben', scope: weather, level: null },
        { kind: 'level', scope: weather, level: null },
        { kind: 'user', user: 'ben', roles: ['admin'], status: 'disabled' },
      ],
    });
    expect(await everything()).toEqual({
      levels: before.levels.filter(
        ({ organisation, user, scope }) =>
          scope !== weather || organisation !== 'acme' || (user !== 'ben' && user !== null),
      ),
      users: before.users.map((user) =>
        user.id === 'ben' ? { ...user, roles: ['admin'], status: 'disabled' } : user,
      ),
    });
    await access.save(ADA, { changes: [{ kind: 'feature', feature: 'beta', enabled: true }] });
    const features = async (organisation: string) =>
      (await access.read(OPERATOR, { organisation })).snapshot.features;
    expect([await features('acme'), await features('rival')]).toEqual([['beta'], []]);
  });

  it('of two saved at the same time the second is told, and grants follow the first', async () => {
    const { store, directory } = await createTeam(await bench.open());
    const { access } = directory;
    const grants = createStoredGrants({ store, sources: () => SOURCES, tools: 'dynamic' });
    const { version } = await access.read(ADA);
    const outcomes = await Promise.allSettled(
      ([weather('disabled'), weather('read-write')] as const).map((change) =>
        access.save(ADA, { version, changes: [change] }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'record_conflict', pointer: '/version' });
    const level = outcomes[0]?.status === 'fulfilled' ? 'disabled' : 'read-write';
    expect((await grants.fresh(BEN)).source('weather')?.user).toBe(level);
  });

  it('a version counts what the caller may see of levels, roles, features and people', async () => {
    const { directory } = await createTeam(await bench.open());
    const { access, levels, keys, users } = directory;
    const versions = async () =>
      [(await access.read(ADA)).version, (await access.read(BEN)).version] as const;
    const before = await versions();
    await keys.create(ADA, { user: 'ben', name: 'laptop' });
    await users.update(ADA, 'ben', { name: 'Benjamin' });
    expect(await versions()).toEqual(before);
    await levels.set(ADA, { user: 'ada', scope: 'category:*', level: 'disabled' });
    const after = await versions();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect((await access.read(EVE)).people.map(({ id }) => id)).toEqual(['eve']);
  });

  it.each<[string, AccessChange]>([
    ["the organisation's level", { kind: 'level', scope: 'source:weather', level: 'disabled' }],
    ["a user's level", weather('disabled')],
    ["a user's role", { kind: 'user', user: 'ben', roles: ['seller'] }],
    ["a user's status", { kind: 'user', user: 'ben', status: 'disabled' }],
    ['a feature', { kind: 'feature', feature: 'beta', enabled: true }],
  ])('another version comes of a change of %s', async (_, change) => {
    const { directory } = await createTeam(await bench.open());
    await directory.roles.set(ADA, { name: 'seller', permissions: ['prices'] });
    const { version } = await directory.access.read(ADA);
    expect((await directory.access.save(ADA, { changes: [change] })).version).not.toBe(version);
  });

  it('another version comes of what a role permits', async () => {
    const { directory } = await createTeam(await bench.open());
    await directory.roles.set(ADA, { name: 'seller', permissions: ['prices'] });
    const { version } = await directory.access.read(ADA);
    await directory.roles.set(ADA, { name: 'seller', permissions: ['prices', 'discounts'] });
    expect((await directory.access.read(ADA)).version).not.toBe(version);
  });

  it('who is disabled stays so where another thing of them is changed, and only that is told', async () => {
    const { directory, events } = await createTeam(await bench.open());
    const { access } = directory;
    await directory.users.update(ADA, 'ben', { status: 'disabled' });
    events.length = 0;
    const changes: AccessChange[] = [{ kind: 'user', user: 'ben', roles: ['admin'] }];
    const { after } = await access.propose(ADA, { changes });
    expect(after.people[1]).toMatchObject({ id: 'ben', status: 'disabled', roles: ['admin'] });
    expect(await access.save(ADA, { changes })).toEqual(after);
    expect(events.map(({ type }) => type)).toEqual(['user-changed']);
  });

  it('an admin of one organisation reads, proposes and saves nothing of another', async () => {
    const { directory } = await createTeam(await bench.open());
    const { access } = directory;
    const before = await access.read(EVE);
    const given = {
      organisation: 'rival',
      changes: [{ kind: 'feature', feature: 'beta', enabled: true } as const],
    };
    const unknown = { code: 'record_unknown' };
    await expect(access.read(ADA, { organisation: 'rival' })).rejects.toMatchObject(unknown);
    await expect(access.propose(ADA, given)).rejects.toMatchObject(unknown);
    await expect(access.save(ADA, given)).rejects.toMatchObject(unknown);
    expect(await access.read(EVE)).toEqual(before);
  });

  it('what is left of a source that is gone may be taken away, not set', async () => {
    const { directory } = await createTeam(await bench.open());
    const gone = (level: 'read-only' | null): AccessChange => ({
      kind: 'level',
      scope: 'source:gone',
      level,
    });
    await expect(directory.access.save(ADA, { changes: [gone('read-only')] })).rejects.toMatchObject({
      code: 'record_invalid',
      pointer: '/changes/0/scope',
    });
    await directory.access.save(ADA, { changes: [gone(null)] });
  });
});
