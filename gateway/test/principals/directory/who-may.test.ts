import { describe, expect, it } from 'vitest';
import type { AccessChange, Directory } from '../../../src/principals/index.ts';
import { createDirectory } from '../../../src/principals/index.ts';
import type { Store } from '../../../src/store/store.ts';
import { onSqlite } from '../sqlite.ts';
import { ADA, BEN, createTeam, DEFAULTS, EVE, OPERATOR, SOURCES, START, userOf } from '../team.ts';

const DAY = 86_400_000;
const nango = (connection: string, integration: string) => ({ nango: { integration, connection } });

const stores = onSqlite();

/** Two organisations with records of every kind, and dan, who belongs to none. */
async function setUp() {
  const team = await createTeam(await stores.open());
  const { users, roles, keys, levels, connections, actingUsers } = team.directory;
  await users.create(OPERATOR, { id: 'dan', organisation: null, name: 'Dan' });
  await roles.set(ADA, { name: 'scribe', permissions: ['write'] });
  const [adas, bens] = [
    await keys.create(ADA, { user: 'ada', name: 'k' }),
    await keys.create(ADA, { user: 'ben', name: 'k', expiresInDays: 1 }),
  ].map(({ record }) => record.id);
  await levels.set(ADA, { scope: 'source:weather', level: 'read-only' });
  for (const user of ['ada', 'ben'])
    await levels.set(ADA, { user, scope: 'source:weather', level: 'read-only' });
  const shared = await connections.create(OPERATOR, {
    organisation: 'acme',
    source: 'greenhouse',
    baseUrl: 'https://harvest.example/v1',
  });
  const own = await connections.create(BEN, {
    user: 'ben',
    source: 'zoho',
    credentials: nango('ben:zoho', 'zoho-recruit'),
  });
  const rivals = await connections.create(EVE, { source: 'greenhouse' });
  for (const connection of [shared.id, own.id])
    await actingUsers.set(ADA, { connection, user: 'ben', providerUser: '7' });
  return { ...team, ids: { adas: adas!, bens: bens!, shared: shared.id, own: own.id, rivals: rivals.id } };
}

type Setting = Awaited<ReturnType<typeof setUp>>;

async function everything({ store: { database } }: Setting): Promise<string> {
  const tables = ['users', 'roles', 'user_roles', 'api_keys', 'access_levels', 'connections', 'acting_users'];
  const rows = [...tables, 'organisations'].map((table) =>
    database
      .selectFrom(table as 'users')
      .selectAll()
      .execute(),
  );
  return JSON.stringify(await Promise.all(rows));
}

type Attempt = (directory: Directory, ids: Setting['ids']) => Promise<unknown>;

const admin = { code: 'admin_needed' };
const unknown = { code: 'record_unknown' };
const invalid = (pointer: string) => ({ code: 'record_invalid', pointer });
const conflict = (pointer: string) => ({ code: 'record_conflict', pointer });
const gone = { code: 'unauthorized' };

const scope = 'source:weather';
const level = 'read-only';

describe('is refused, and changes nothing:', () => {
  it.each<[string, object, Attempt]>([
    ["another's key, looked at", unknown, ({ keys }, { adas }) => keys.get(BEN, adas)],
    ["another's key, revoked", unknown, ({ keys }, { adas }) => keys.revoke(BEN, adas)],
    ["another organisation's key, revoked", unknown, ({ keys }, { adas }) => keys.revoke(EVE, adas)],
    ['a key that is none', unknown, ({ keys }) => keys.get(OPERATOR, 'key_none')],
    [
      'a key that decides, made by an admin',
      admin,
      ({ keys }) => keys.create(ADA, { user: 'ada', name: 'd', purpose: 'approve' }),
    ],
    [
      'a key for what every object has',
      invalid('/sources/0'),
      ({ keys }) => keys.create(ADA, { user: 'ben', name: 'k', sources: ['constructor'] }),
    ],
    [
      'a level of what every object has',
      invalid('/scope'),
      ({ levels }) => levels.set(ADA, { scope: 'source:constructor', level }),
    ],
    ["the organisation's level, removed by a user", admin, ({ levels }) => levels.remove(BEN, { scope })],
    ["another's level, removed", unknown, ({ levels }) => levels.remove(BEN, { user: 'ada', scope })],
    ["another's level, set", unknown, ({ levels }) => levels.set(BEN, { user: 'ada', scope, level })],
    [
      'a level in an organisation of which the user is none',
      unknown,
      ({ levels }) => levels.set(OPERATOR, { organisation: 'rival', user: 'ben', scope, level }),
    ],
    [
      'levels of who belongs to none',
      invalid('/user'),
      ({ levels }) => levels.list(OPERATOR, { user: 'dan' }),
    ],
    [
      'levels of no organisation',
      unknown,
      ({ levels }) => levels.list(OPERATOR, { organisation: 'nowhere' }),
    ],
    ['roles of no organisation', unknown, ({ roles }) => roles.list(OPERATOR, { organisation: 'nowhere' })],
    [
      'a role for no organisation',
      unknown,
      ({ roles }) => roles.set(OPERATOR, { organisation: 'nowhere', name: 'r', permissions: [] }),
    ],
    ['a role, removed by a user', admin, ({ roles }) => roles.remove(BEN, 'scribe')],
    ['an id that an admin chooses', admin, ({ users }) => users.create(ADA, { id: 'cleo', name: 'Cleo' })],
    [
      'an id that is taken',
      conflict('/id'),
      ({ users }) => users.create(OPERATOR, { organisation: 'acme', id: 'ben', name: 'Ben' }),
    ],
    [
      'a user of whom nobody says where',
      invalid('/organisation'),
      ({ users }) => users.create(OPERATOR, { name: 'Cleo' }),
    ],
    [
      'a user of no organisation that there is',
      unknown,
      ({ users }) => users.create(OPERATOR, { organisation: 'nowhere', name: 'Cleo' }),
    ],
    [
      'roles of who belongs to none',
      invalid('/roles/0'),
      ({ users }) => users.create(OPERATOR, { organisation: null, name: 'Cleo', roles: ['admin'] }),
    ],
    ['who belongs to none, looked at by an admin', unknown, ({ users }) => users.get(ADA, 'dan')],
    [
      'who belongs to none, changed by an admin',
      unknown,
      ({ users }) => users.update(ADA, 'dan', { name: 'Mine' }),
    ],
    ['who belongs to none, removed by an admin', unknown, ({ users }) => users.remove(ADA, 'dan')],
    [
      'a change by a credential that is limited to no source at all',
      admin,
      ({ users }) => users.update({ ...ADA, sources: [] }, 'ben', { name: 'B' }),
    ],
    [
      "another's subject",
      conflict('/subject'),
      ({ users }) => users.update(ADA, 'ada', { subject: 'idp|ben' }),
    ],
    [
      'a move to no organisation that there is',
      unknown,
      ({ users }) => users.update(OPERATOR, 'ben', { organisation: 'nowhere' }),
    ],
    ['users of no organisation', unknown, ({ users }) => users.list(OPERATOR, { organisation: 'nowhere' })],
    ['users of another organisation', unknown, ({ users }) => users.list(ADA, { organisation: 'rival' })],
    [
      'who acts as whom, changed by a user',
      admin,
      ({ actingUsers }, { shared }) => actingUsers.remove(BEN, { connection: shared, user: 'ben' }),
    ],
    [
      'who acts as whom elsewhere',
      unknown,
      ({ actingUsers }, { shared }) => actingUsers.remove(EVE, { connection: shared, user: 'ben' }),
    ],
    [
      'where requests go, taken away by an admin',
      admin,
      ({ connections }, { shared }) => connections.update(ADA, shared, { baseUrl: null }),
    ],
    [
      'a connection that a limited credential does not reach',
      unknown,
      ({ connections }, { shared }) => connections.get({ ...ADA, sources: ['zoho'] }, shared),
    ],
    [
      'a connection of no organisation that there is',
      unknown,
      ({ connections }) => connections.create(OPERATOR, { organisation: 'nowhere', source: 'zoho' }),
    ],
    [
      'a connection of a user who is of another organisation',
      unknown,
      ({ connections }) =>
        connections.create(OPERATOR, { organisation: 'rival', user: 'ben', source: 'greenhouse' }),
    ],
    [
      'a connection of whom nobody says whose',
      invalid('/organisation'),
      ({ connections }) => connections.create(OPERATOR, { source: 'zoho' }),
    ],
    [
      'a connection of who belongs to none',
      invalid('/organisation'),
      ({ connections }) => connections.create(OPERATOR, { user: 'dan', source: 'zoho' }),
    ],
    [
      'a connection in another organisation',
      unknown,
      ({ connections }) => connections.create(ADA, { organisation: 'rival', user: 'ada', source: 'zoho' }),
    ],
    [
      'a connection of what every object has',
      { ...invalid('/source'), message: 'There is no source "constructor".' },
      ({ connections }) => connections.create(ADA, { source: 'constructor' }),
    ],
    [
      'a second account of one source',
      conflict('/source'),
      ({ connections }) => connections.create(ADA, { source: 'greenhouse' }),
    ],
    [
      'a user name in a base URL',
      invalid('/baseUrl'),
      ({ connections }) =>
        connections.create(OPERATOR, {
          organisation: 'acme',
          source: 'zoho',
          baseUrl: 'https://me@a.example',
        }),
    ],
    [
      'a password in a base URL',
      invalid('/baseUrl'),
      ({ connections }) =>
        connections.create(OPERATOR, {
          organisation: 'acme',
          source: 'zoho',
          baseUrl: 'https://:me@a.example',
        }),
    ],
    [
      'no credential at all, named by a user',
      invalid('/credentials'),
      ({ connections }, { own }) => connections.update(BEN, own, { credentials: 'none' }),
    ],
    [
      'a secret beside a Nango connection',
      invalid('/credentials'),
      ({ connections }, { own }) =>
        connections.update(BEN, own, {
          credentials: { ...nango('ben:zoho', 'zoho-recruit'), bearer: { env: 'A' } },
        }),
    ],
    ["another's key, shown as one's own", gone, ({ users }, { bens }) => users.list({ ...ADA, key: bens })],
    [
      'a key of another organisation than the caller',
      gone,
      ({ users }, { adas }) => users.list({ ...userOf('eve', 'rival'), key: adas }),
    ],
    ['a credential that has ended', gone, ({ users }) => users.list({ ...ADA, expiresAt: START })],
  ])('%s', async (_, expected, attempt) => {
    const team = await setUp();
    const before = await everything(team);
    await expect(attempt(team.directory, team.ids)).rejects.toMatchObject(expected);
    expect(await everything(team)).toBe(before);
  });

  it('a key that has expired, while those of others are good', async () => {
    const { directory, clock, ids } = await setUp();
    clock.now += DAY - 1;
    expect(await directory.users.list({ ...BEN, key: ids.bens })).toHaveLength(1);
    clock.now += 1;
    await expect(directory.users.list({ ...BEN, key: ids.bens })).rejects.toMatchObject(gone);
    expect(await directory.users.list({ ...ADA, key: ids.adas, expiresAt: clock.now + 1 })).toHaveLength(2);
  });

  const changeOf = (user: string, more: object): AccessChange => ({ kind: 'user', user, ...more });
  it.each<[string, object, typeof ADA, AccessChange]>([
    ['a feature, by a user', admin, BEN, { kind: 'feature', feature: 'beta', enabled: true }],
    ["a user's own role", admin, BEN, changeOf('ben', { roles: ['admin'] })],
    ["another's role, by a user", unknown, BEN, changeOf('ada', { roles: [] })],
    ["the organisation's level, by a user", admin, BEN, { kind: 'level', scope, level: null }],
    ["another's level, by a user", unknown, BEN, { kind: 'level', user: 'ada', scope, level: null }],
    ['a user of another organisation', unknown, ADA, changeOf('eve', { status: 'disabled' })],
    ['a level of a user of another organisation', unknown, ADA, { kind: 'level', user: 'eve', scope, level }],
    [
      'a level of what every object has',
      invalid('/changes/0/scope'),
      ADA,
      { kind: 'level', scope: 'source:constructor', level },
    ],
    ['a role that is none', invalid('/changes/0/roles/1'), ADA, changeOf('ben', { roles: ['scribe', 'no'] })],
    [
      'a feature of a version that is gone',
      conflict('/version'),
      ADA,
      { kind: 'feature', feature: 'x', enabled: true },
    ],
  ])('in the matrix, previewed and saved: %s', async (what, expected, by, change) => {
    const team = await setUp();
    const before = await everything(team);
    const given = { changes: [change], ...(/version/.test(what) ? { version: 'old' } : {}) };
    await expect(team.directory.access.propose(by, given)).rejects.toMatchObject(expected);
    await expect(team.directory.access.save(by, given)).rejects.toMatchObject(expected);
    expect(await everything(team)).toBe(before);
  });

  it.each<[string, object, (directory: Directory) => Promise<unknown>]>([
    ['changed', { code: 'record_conflict' }, ({ users }) => users.update(OPERATOR, 'ben', { name: 'B' })],
    ['removed', { code: 'record_conflict' }, ({ users }) => users.remove(OPERATOR, 'ben')],
    ['given a key', invalid('/user'), ({ keys }) => keys.create(OPERATOR, { user: 'ben', name: 'k' })],
  ])('a user who is moved by another process meanwhile, %s', async (_, expected, attempt) => {
    const team = await setUp();
    const store: Store = {
      ...team.store,
      async change(scopes, work) {
        await team.directory.users.update(OPERATOR, 'ben', { organisation: 'rival' });
        return team.store.change(scopes, work);
      },
    };
    const late = createDirectory({ store, defaults: DEFAULTS, sources: () => SOURCES, now: () => START });
    await expect(attempt(late)).rejects.toMatchObject(expected);
    expect(await team.directory.users.get(EVE, 'ben')).toMatchObject({ name: 'Ben', organisation: 'rival' });
    expect(await team.directory.keys.list(EVE, { user: 'ben' })).toEqual([]);
  });
});

describe('is granted:', () => {
  it('to users, their own keys and levels', async () => {
    const { directory, ids } = await setUp();
    expect(await directory.keys.get(BEN, ids.bens)).toMatchObject({ user: 'ben', status: 'active' });
    expect(await directory.keys.revoke(BEN, ids.bens)).toMatchObject({ status: 'revoked' });
    const own: AccessChange = { kind: 'level', user: 'ben', scope, level: 'disabled' };
    const { after } = await directory.access.propose(BEN, { changes: [own] });
    expect(after.snapshot.users.get('ben')?.levels.get(scope)).toBe('disabled');
  });

  it('to whom the role comes with the sign-in, what an admin may', async () => {
    const { directory } = await setUp();
    const signedIn = { ...BEN, roles: ['admin'] };
    expect(await directory.roles.set(signedIn, { name: 'r', permissions: [] })).toMatchObject({ name: 'r' });
  });

  it('to the operator of either kind, every organisation, or the one that is named', async () => {
    const { directory } = await setUp();
    const { users, connections, keys } = directory;
    const token = { ...OPERATOR, kind: 'token' } as const;
    expect((await directory.organisations.list(token)).map(({ id }) => id)).toEqual(['acme', 'rival']);
    expect((await users.list(OPERATOR)).map(({ id }) => id)).toEqual(['ada', 'ben', 'dan', 'eve']);
    expect((await users.list(OPERATOR, { organisation: 'rival' })).map(({ id }) => id)).toEqual(['eve']);
    expect((await users.list(ADA, { organisation: 'acme' })).map(({ id }) => id)).toEqual(['ada', 'ben']);
    expect(await connections.list(OPERATOR)).toHaveLength(3);
    expect(await connections.list(OPERATOR, { organisation: 'rival' })).toMatchObject([
      { organisation: 'rival' },
    ]);
    expect(await keys.list(OPERATOR, { organisation: 'rival' })).toEqual([]);
  });

  it('to a credential that is limited to some sources, what is about them', async () => {
    const { directory } = await setUp();
    const limited = { ...ADA, sources: ['zoho'] };
    expect((await directory.connections.list(limited)).map(({ source }) => source)).toEqual(['zoho']);
    expect(await directory.levels.list(limited, { user: null })).toMatchObject([{ scope: 'category:*' }]);
    expect(await directory.levels.list(ADA, { user: null })).toHaveLength(2);
  });

  it("to users who ask for another's levels, none", async () => {
    const { levels } = (await setUp()).directory;
    expect(await levels.list(ADA, { user: 'ben' })).toHaveLength(2);
    expect(await levels.list(BEN, { user: 'ada' })).toEqual([]);
  });

  it('to an admin, what says nothing of where requests go; to the operator, that, too', async () => {
    const { directory, ids } = await setUp();
    const { connections } = directory;
    expect(await connections.update(ADA, ids.own, { baseUrl: null, name: 'mine' })).toMatchObject({
      name: 'mine',
    });
    expect(await connections.update(ADA, ids.shared, { name: 'ours' })).toMatchObject({ name: 'ours' });
    expect(await connections.update(OPERATOR, ids.shared, { baseUrl: null })).toMatchObject({
      baseUrl: null,
    });
  });

  it('keys for as long as the gateway lets them live', async () => {
    const { store } = await setUp();
    const { keys } = createDirectory({
      store,
      defaults: DEFAULTS,
      sources: () => SOURCES,
      now: () => START,
      maxKeyDays: 30,
    });
    const ends = async (expiresInDays?: number) =>
      (await keys.create(ADA, { user: 'ben', name: 'k', expiresInDays })).record.expiresAt;
    expect(await ends()).toBe(new Date(START + 30 * DAY).toISOString());
    expect(await ends(30)).toBe(new Date(START + 30 * DAY).toISOString());
    await expect(ends(30.5)).rejects.toMatchObject(invalid('/expiresInDays'));
  });

  it('a key that decides, to the operator, and it says what it is', async () => {
    const { directory } = await setUp();
    const given = { user: 'ben', name: 'd', purpose: 'approve', sources: ['zoho'] } as const;
    const { record } = await directory.keys.create(OPERATOR, given);
    expect(record).toMatchObject({ purpose: 'approve', sources: ['zoho'] });
    expect(await directory.keys.get(ADA, record.id)).toEqual(record);
    const plain = (await directory.keys.create(OPERATOR, { user: 'ben', name: 'p' })).record;
    expect(plain).toMatchObject({ purpose: null, sources: null, revokedAt: null });
  });

  it("somebody's place, to who may reach them, with no more than that credential has", async () => {
    const { users } = (await setUp()).directory;
    expect(await users.principal({ ...ADA, sources: ['zoho'] }, 'ben')).toMatchObject({
      id: 'ben',
      organisation: 'acme',
      sources: ['zoho'],
    });
    expect(await users.principal(ADA, 'ben')).not.toHaveProperty('sources');
    expect(await users.principal(OPERATOR, 'dan')).not.toHaveProperty('organisation');
  });

  it('the subject that a user has already, and another one', async () => {
    const { users } = (await setUp()).directory;
    expect(await users.update(ADA, 'ben', { subject: 'idp|ben' })).toMatchObject({ subject: 'idp|ben' });
    expect(await users.update(ADA, 'ben', { subject: null, email: 'b@a.example' })).toMatchObject({
      subject: null,
      email: 'b@a.example',
    });
    expect(await users.update(ADA, 'ben', { name: 'B' })).toMatchObject({ email: 'b@a.example' });
  });

  it('in the matrix, features that go and people who are let in again', async () => {
    const { directory } = await setUp();
    const { access } = directory;
    const all = (enabled: boolean): AccessChange[] => [
      { kind: 'feature', feature: 'beta', enabled },
      { kind: 'user', user: 'ben', status: enabled ? 'disabled' : 'active' },
    ];
    await access.save(ADA, { changes: [...all(true), { kind: 'user', user: 'ben', roles: ['scribe'] }] });
    const { after } = await access.propose(ADA, { changes: all(false) });
    const saved = await access.save(ADA, { changes: all(false) });
    expect(saved).toEqual(after);
    expect(saved.snapshot.features).toEqual([]);
    expect(saved.people[1]).toMatchObject({ id: 'ben', status: 'active', roles: ['scribe'] });
    const none = await access.save(ADA, { changes: [{ kind: 'user', user: 'ben', roles: [] }] });
    expect(none.people[1]).toMatchObject({ roles: [] });
  });
});

it('what a user had in one organisation is not there in another, nor on coming back', async () => {
  const team = await setUp();
  const { users, connections, actingUsers } = team.directory;
  await users.update(OPERATOR, 'ben', { organisation: 'rival' });
  await users.update(OPERATOR, 'ben', { organisation: 'acme' });
  expect((await connections.list(ADA)).map(({ id }) => id)).toEqual([team.ids.shared]);
  expect(await actingUsers.list(ADA, team.ids.shared)).toEqual([]);
});
