import type { UpdateObject } from 'kysely';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../src/operations/index.ts';
import { isVisible, refuse } from '../../src/policy/explain.ts';
import { createStoredGrants } from '../../src/principals/index.ts';
import type { Store } from '../../src/store/store.ts';
import type { Tables } from '../../src/store/tables.ts';
import { operation } from '../policy/operations.ts';
import { onSqlite } from './sqlite.ts';
import { ADA, BEN, createTeam, SOURCES } from './team.ts';

/** The origin gave access when data was missing or broken. Here whatever cannot be read grants nothing. */

const stores = onSqlite();

async function setUp() {
  const team = await createTeam(await stores.open());
  const { levels, connections, organisations, roles, users } = team.directory;
  await levels.set(ADA, { scope: 'category:ats', level: 'read-write' });
  await levels.set(BEN, { user: 'ben', scope: 'category:ats', level: 'read-write' });
  await connections.create(ADA, {
    source: 'greenhouse',
    credentials: { nango: { integration: 'greenhouse', connection: 'ada:greenhouse' } },
  });
  await roles.set(ADA, { name: 'recruiter', permissions: ['candidates'] });
  await users.update(ADA, 'ben', { roles: ['recruiter'] });
  await organisations.update(ADA, 'acme', { features: ['beta'] });
  const grants = createStoredGrants({
    store: team.store,
    sources: () => SOURCES,
    tools: 'dynamic',
    now: () => team.clock.now,
  });
  return { ...team, grants };
}

const needy = operation({
  source: 'greenhouse',
  access: 'write',
  requirements: { roles: ['recruiter'], permissions: ['candidates'], feature: 'beta' },
});

function spoil<T extends keyof Tables>(
  store: Store,
  table: T,
  values: UpdateObject<Tables, T>,
): Promise<unknown> {
  return store.change(['organisation:acme'], (transaction) =>
    transaction
      .updateTable(table as 'users')
      .set(values as UpdateObject<Tables, 'users'>)
      .execute(),
  );
}

function lose(store: Store, table: keyof Tables): Promise<unknown> {
  return store.change(['organisation:acme'], (transaction) => transaction.deleteFrom(table).execute());
}

describe('broken rows', () => {
  it('an intact store lets the call through', async () => {
    const { grants } = await setUp();
    expect(refuse(needy, await grants.fresh(BEN))).toBeUndefined();
  });

  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['an unknown level', (store) => spoil(store, 'access_levels', { level: 'all' })],
    ['an empty level', (store) => spoil(store, 'access_levels', { level: '' })],
    ['a level in capitals', (store) => spoil(store, 'access_levels', { level: 'READ-WRITE' })],
    ['no levels at all', (store) => lose(store, 'access_levels')],
    ['an unknown status', (store) => spoil(store, 'connections', { status: 'ok' })],
    ['credentials that are no JSON', (store) => spoil(store, 'connections', { credentials: '{' })],
    ['credentials that are a list', (store) => spoil(store, 'connections', { credentials: '[]' })],
    ['empty credentials', (store) => spoil(store, 'connections', { credentials: '{}' })],
    ['no credentials', (store) => spoil(store, 'connections', { credentials: null })],
    ['no connection', (store) => lose(store, 'connections')],
    ['permissions that are no JSON', (store) => spoil(store, 'roles', { permissions: 'candidates' })],
    [
      'permissions that are an object',
      (store) => spoil(store, 'roles', { permissions: '{"candidates":true}' }),
    ],
    [
      'permissions with something else inside',
      (store) => spoil(store, 'roles', { permissions: '["candidates",1]' }),
    ],
    ['no role', (store) => lose(store, 'roles')],
    ['no role of the user', (store) => lose(store, 'user_roles')],
    ['features that are no JSON', (store) => spoil(store, 'organisations', { features: 'beta' })],
    ['features that are text', (store) => spoil(store, 'organisations', { features: '"beta"' })],
    ['features that are null', (store) => spoil(store, 'organisations', { features: 'null' })],
  ])('%s: the call is refused and the tool is hidden', async (_, change) => {
    const { grants, store } = await setUp();
    expect(isVisible(factsOf(needy), await grants.fresh(BEN))).toBe(true);
    await change(store);
    const now = await grants.fresh(BEN);
    expect(refuse(needy, now)).toBeDefined();
    expect(isVisible(factsOf(needy), now)).toBe(false);
  });

  it.each(['', 'ACTIVE', 'enabled'])('a user of status "%s" is not let in', async (status) => {
    const { grants, store } = await setUp();
    await spoil(store, 'users', { status });
    await expect(Promise.resolve().then(() => grants.fresh(BEN))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('a key whose row is of another organisation than its user is good for nothing', async () => {
    const { store, directory, grants } = await setUp();
    const { record } = await directory.keys.create(ADA, { user: 'ben', name: 'k' });
    const key = { ...BEN, key: record.id };
    expect(await directory.users.list(key)).toHaveLength(1);
    expect((await grants.fresh(key)).source('greenhouse')?.level).toBe('read-write');
    await spoil(store, 'api_keys', { organisation_id: 'rival' });
    await expect(directory.users.list(key)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(Promise.resolve().then(() => grants.fresh(key))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('a broken override of a source is none, not the level of its category', async () => {
    const { grants, store, directory } = await setUp();
    await directory.levels.set(ADA, { scope: 'source:greenhouse', level: 'read-write' });
    await store.change(['organisation:acme'], (transaction) =>
      transaction
        .updateTable('access_levels')
        .set({ level: '?' })
        .where('scope', '=', 'source:greenhouse')
        .execute(),
    );
    expect((await grants.fresh(BEN)).source('greenhouse')).toMatchObject({
      admin: null,
      level: 'none',
      reasons: { admin: 'source:greenhouse cannot be read' },
    });
  });
});

describe('a store that cannot be asked', () => {
  it('refuses the call, also when it was asked before', async () => {
    const { store, clock } = await setUp();
    const broken: Store = {
      ...store,
      revision: () => {
        throw new Error('gone');
      },
    };
    const grants = createStoredGrants({
      store: broken,
      sources: () => SOURCES,
      tools: 'dynamic',
      now: () => clock.now,
    });
    await expect(Promise.resolve().then(() => grants.fresh(BEN))).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect(grants.known(BEN).source('greenhouse')).toBeUndefined();
  });

  it('what can no longer be read is forgotten: nothing stays granted by memory', async () => {
    const { store, clock, directory } = await setUp();
    let failing = false;
    const listeners: Array<(scope: string) => void> = [];
    const flaky: Store = {
      ...store,
      revision: (scope) => store.revision(scope),
      onChange: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
      snapshot: (work) => (failing ? Promise.reject(new Error('gone')) : store.snapshot(work)),
    };
    const grants = createStoredGrants({
      store: flaky,
      sources: () => SOURCES,
      tools: 'dynamic',
      now: () => clock.now,
    });
    let told = 0;
    grants.onChange(() => void told++);
    await grants.fresh(BEN);
    expect(grants.known(BEN).source('greenhouse')?.level).toBe('read-write');
    failing = true;
    await directory.levels.set(ADA, { scope: 'category:ats', level: 'none' });
    for (const listener of listeners) listener('organisation:acme');
    await expect.poll(() => told).toBe(1);
    expect(grants.known(BEN).source('greenhouse')).toBeUndefined();
    await expect(Promise.resolve().then(() => grants.fresh(BEN))).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });
});

describe('dangerous operations', () => {
  it('are not callable by id for anybody, whatever the store says', async () => {
    const { grants } = await setUp();
    const dangerous = operation({ source: 'greenhouse', access: 'dangerous', id: 'delete_all' });
    for (const principal of [ADA, BEN]) {
      const now = await grants.fresh(principal);
      expect(refuse(dangerous, now)?.reason).toMatch(/^dangerous: /);
      expect(isVisible(factsOf(dangerous), now)).toBe(false);
    }
  });
});
