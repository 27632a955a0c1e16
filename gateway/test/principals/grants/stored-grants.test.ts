import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { GrantSource, Grants, Principal } from '../../../src/operations/index.ts';
import type { SourceAccess } from '../../../src/policy/source-access.ts';
import { createKnownOrganisations, createStoredGrants } from '../../../src/principals/index.ts';
import type { Store } from '../../../src/store/store.ts';
import { onEveryStore } from '../../store/support/stores.ts';
import { ADA, BEN, createTeam, EVE, OPERATOR, SOURCES, START, type Team, userOf } from '../team.ts';

interface Setting extends Team {
  readonly grants: GrantSource;
  /** What ben may do on greenhouse now. */
  ben(): Promise<ReturnType<Grants['source']>>;
}

const nango = (connection: string) => ({ nango: { integration: 'greenhouse', connection } });

onEveryStore((bench) => {
  const grantsOn = (store: Store, clock: { now: number }, sources = () => SOURCES): GrantSource =>
    createStoredGrants({ store, sources, tools: 'dynamic', now: () => clock.now });

  /** Ben may read and write greenhouse, through the organisation's account. */
  const setUp = async (): Promise<Setting> => {
    const team = await createTeam(await bench.open());
    const { levels, connections } = team.directory;
    await levels.set(ADA, { scope: 'category:ats', level: 'read-write' });
    await levels.set(BEN, { user: 'ben', scope: 'category:ats', level: 'read-write' });
    await connections.create(ADA, { source: 'greenhouse', credentials: nango('ada:greenhouse') });
    const grants = grantsOn(team.store, team.clock);
    return { ...team, grants, ben: async () => (await grants.fresh(BEN)).source('greenhouse') };
  };

  it('an account is not used for another provider that takes the name of its source', async () => {
    const ats = SOURCES['greenhouse']!;
    let sources: Record<string, SourceAccess> = {
      ats: { ...ats, provider: 'greenhouse' },
      other: { ...ats, provider: 'lever' },
    };
    const team = await createTeam(await bench.open(), { sources: () => sources });
    const { connections } = team.directory;
    const account = await connections.create(ADA, { source: 'ats', credentials: nango('ada:greenhouse') });
    const grants = createStoredGrants({ store: team.store, sources: () => sources, tools: 'dynamic' });
    const granted = async () => (await grants.fresh(BEN)).source('ats');
    expect(await granted()).toMatchObject({ connection: 'connected', level: 'read-only' });
    sources = { ats: sources['other']!, other: sources['ats']! };
    expect(await granted()).toMatchObject({
      connection: 'unauthenticated',
      level: 'none',
      reasons: { connection: expect.stringContaining('it was connected for greenhouse') },
    });
    await connections.update(ADA, account.id, { name: 'ours' });
    expect(await granted()).toMatchObject({ connection: 'unauthenticated' });
    await connections.update(ADA, account.id, { credentials: nango('ada:lever') });
    expect(await granted()).toMatchObject({ connection: 'connected', level: 'read-only' });
  });

  it('nothing of another organisation counts, whatever it is called there', async () => {
    const { grants, directory } = await setUp();
    const { levels, roles, users, connections, organisations } = directory;
    await roles.set(ADA, { name: 'recruiter', permissions: ['candidates'] });
    await users.update(ADA, 'ben', { roles: ['recruiter'] });
    await roles.set(EVE, { name: 'recruiter', permissions: ['everything'] });
    await users.update(EVE, 'eve', { roles: ['admin', 'recruiter'] });
    await levels.set(EVE, { scope: 'source:greenhouse', level: 'disabled' });
    await connections.create(EVE, { source: 'greenhouse', credentials: nango('eve:greenhouse') });
    await connections.create(EVE, {
      source: 'zoho',
      credentials: { nango: { integration: 'zoho-recruit', connection: 'eve:zoho' } },
    });
    await organisations.update(OPERATOR, 'rival', { features: ['beta'] });
    const bens = await grants.fresh(BEN);
    expect([bens.roles, bens.permissions, bens.features]).toEqual([['recruiter'], ['candidates'], []]);
    expect(bens.source('greenhouse')).toMatchObject({
      level: 'read-write',
      account: { credentials: nango('ada:greenhouse') },
    });
    expect(bens.source('zoho')).toMatchObject({ connection: 'missing' });
    const eves = await grants.fresh(EVE);
    expect([eves.roles, eves.permissions]).toEqual([['admin', 'recruiter'], ['everything']]);
  });

  describe('the three ways', () => {
    it('are given with the rows that they came from', async () => {
      const { ben, directory } = await setUp();
      const [connection] = await directory.connections.list(ADA);
      expect(await ben()).toEqual({
        level: 'read-write',
        category: 'ats',
        admin: 'read-write',
        user: 'read-write',
        connection: 'connected',
        whenUnauthenticated: 'hide',
        reasons: {
          admin: 'category:ats',
          user: 'category:ats',
          connection: `the organisation's, ${connection!.id}`,
        },
        account: {
          id: connection!.id,
          owner: 'organisation',
          credentials: nango('ada:greenhouse'),
        },
      });
    });

    it('a source wins over its category, a category over all others, disabled over everything', async () => {
      const { ben, grants, directory } = await setUp();
      const level = async () => (await ben())?.level;
      await directory.levels.set(ADA, { scope: 'source:greenhouse', level: 'read-only' });
      expect(await level()).toBe('read-only');
      await directory.levels.set(BEN, { user: 'ben', scope: 'source:greenhouse', level: 'disabled' });
      expect(await level()).toBe('disabled');
      await directory.levels.remove(BEN, { user: 'ben', scope: 'source:greenhouse' });
      await directory.levels.remove(ADA, { scope: 'source:greenhouse' });
      expect(await level()).toBe('read-write');
      await directory.levels.remove(ADA, { scope: 'category:ats' });
      expect(await level()).toBe('read-only');
      await directory.levels.remove(ADA, { scope: 'category:*' });
      expect(await level()).toBe('none');
      expect((await grants.fresh(BEN)).source('weather')).toMatchObject({ admin: null, level: 'none' });
    });

    it('what a change gave is gone where the store lost that change, as after a failover', async () => {
      const { store, directory, grants, ben } = await setUp();
      await directory.levels.set(ADA, { scope: 'category:ats', level: 'read-only' });
      expect((await ben())?.level).toBe('read-only');
      const { database } = store;
      const before = await database.selectFrom('revisions').selectAll().execute();
      await directory.levels.set(ADA, { scope: 'category:ats', level: 'read-write' });
      expect((await ben())?.level).toBe('read-write');
      // the last commit is lost
      await database.updateTable('access_levels').set({ level: 'read-only' }).execute();
      for (const { scope, revision } of before)
        await database.updateTable('revisions').set({ revision }).where('scope', '=', scope).execute();
      expect((await ben())?.level).toBe('read-only');
      expect(grants.known(BEN).source('greenhouse')?.level).toBe('read-only');
      await setTimeout(2);
      await directory.users.create(ADA, { name: 'Cleo' });
      expect((await ben())?.level).toBe('read-only');
    });

    it('a shared source is connected for everybody, a source that nobody connected for nobody', async () => {
      const { grants } = await setUp();
      const now = await grants.fresh(BEN);
      expect(now.source('weather')).toMatchObject({ level: 'read-only', connection: 'connected' });
      expect(now.source('weather')).not.toHaveProperty('account');
      expect(now.source('zoho')).toMatchObject({ level: 'none', connection: 'missing' });
      expect(now.source('nothing')).toBeUndefined();
      expect(now.source('__proto__')).toBeUndefined();
    });
  });

  it('who may use the skills of a source is given with it', async () => {
    const { store, clock } = await setUp();
    const skills = { enabled: true, roles: ['ANALYST'] };
    const sources = { ...SOURCES, scripts: { ...SOURCES['weather']!, skills } };
    const { source } = await grantsOn(store, clock, () => sources).fresh(BEN);
    expect(source('scripts')?.skills).toBe(skills);
    expect(source('weather')).not.toHaveProperty('skills');
  });

  describe('the account', () => {
    it("is the user's own where it is connected, else the organisation's", async () => {
      const { ben, directory } = await setUp();
      const own = await directory.connections.create(BEN, {
        user: 'ben',
        source: 'greenhouse',
        credentials: nango('ben:greenhouse'),
      });
      expect((await ben())?.account).toMatchObject({ id: own.id, owner: 'user' });
      expect((await ben())?.reasons?.connection).toBe(`the user's own, ${own.id}`);
      await directory.connections.update(BEN, own.id, { status: 'disabled' });
      expect((await ben())?.account).toMatchObject({ owner: 'organisation' });
    });

    it('is the one that was changed last where two were written at once', async () => {
      const { ben, store, directory } = await setUp();
      const [first] = await directory.connections.list(ADA);
      const row = await store.database.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
      const chosenBeside = async (name: string, id: string, later: number) => {
        const other = { ...row, id, name, updated_at: Number(row.updated_at) + later };
        await store.change(['organisation:acme'], (transaction) =>
          transaction.insertInto('connections').values(other).execute(),
        );
        return (await ben())?.account?.id;
      };
      expect(await chosenBeside('x', 'a', -1)).toBe(first!.id);
      expect(await chosenBeside('c', 'z', 1)).toBe('z');
      expect(await chosenBeside('d', 'b', 1)).toBe('b');
    });

    it('is not connected without credentials, whatever its status says', async () => {
      const { ben, directory } = await setUp();
      const [connection] = await directory.connections.list(ADA);
      await directory.connections.update(ADA, connection!.id, { credentials: null, status: 'connected' });
      const reasons = { connection: `the organisation's, ${connection!.id}: no credential is named` };
      expect(await ben()).toMatchObject({ connection: 'unauthenticated', level: 'none', reasons });
      expect((await ben())?.account?.credentials).toBeUndefined();
    });

    it.each([
      ['connected', '{"bearer":{"env":"A"}}', 'connected'],
      ['connected', null, 'unauthenticated'],
      ['connected', '{', 'unauthenticated'],
      ['unauthenticated', '{"bearer":{"env":"A"}}', 'unauthenticated'],
      ['disabled', '{"bearer":{"env":"A"}}', 'disabled'],
      ['disabled', null, 'disabled'],
      ['ok', '{"bearer":{"env":"A"}}', 'disabled'],
    ])('that is stored as %s with %s is %s', async (status, credentials, connection) => {
      const { ben, store } = await setUp();
      await store.change(['organisation:acme'], (transaction) =>
        transaction.updateTable('connections').set({ status, credentials }).execute(),
      );
      expect(await ben()).toMatchObject({ connection });
    });

    it('carries region, base URL and the own id at the provider', async () => {
      const { ben, grants, directory } = await setUp();
      const [connection] = await directory.connections.list(ADA);
      await directory.connections.update(OPERATOR, connection!.id, { baseUrl: 'https://proxy.example/v1' });
      await directory.actingUsers.set(ADA, { connection: connection!.id, user: 'ben', providerUser: '4080' });
      expect((await ben())?.account).toMatchObject({
        baseUrl: 'https://proxy.example/v1',
        actingUser: '4080',
      });
      expect((await grants.fresh(ADA)).source('greenhouse')?.account).not.toHaveProperty('actingUser');
      const zoho = await directory.connections.create(OPERATOR, {
        organisation: 'acme',
        source: 'zoho',
        region: 'eu',
        credentials: { bearer: { env: 'ZOHO' } },
      });
      expect((await grants.fresh(BEN)).source('zoho')?.account).toMatchObject({ id: zoho.id, region: 'eu' });
    });

    it("is never another organisation's", async () => {
      const { grants, directory } = await setUp();
      await directory.levels.set(EVE, { scope: 'category:ats', level: 'read-write' });
      expect((await grants.fresh(EVE)).source('greenhouse')).toMatchObject({
        connection: 'missing',
        level: 'none',
      });
      await expect(Promise.resolve().then(() => grants.fresh(userOf('ben', 'rival')))).rejects.toMatchObject({
        code: 'unauthorized',
      });
    });
  });

  describe('roles, permissions, features and tools', () => {
    it("are the store's, with the roles of the credential", async () => {
      const { grants, directory } = await setUp();
      await directory.roles.set(ADA, { name: 'recruiter', permissions: ['candidates', 'jobs'] });
      await directory.roles.set(ADA, { name: 'auditor', permissions: ['jobs', 'reports'] });
      await directory.users.update(ADA, 'ben', { roles: ['recruiter'], tools: 'static' });
      await directory.organisations.update(ADA, 'acme', { features: ['beta'], tools: 'both' });
      expect(await grants.fresh({ ...BEN, roles: ['auditor', 'unknown'] })).toMatchObject({
        roles: ['auditor', 'recruiter', 'unknown'],
        permissions: ['candidates', 'jobs', 'reports'],
        features: ['beta'],
        tools: 'static',
      });
      expect(await grants.fresh(ADA)).toMatchObject({ roles: ['admin'], permissions: [], tools: 'both' });
      expect(await grants.fresh(EVE)).toMatchObject({ features: [], tools: 'dynamic' });
    });
  });

  it('count from when the user came, those of an admin from when the organisation did', async () => {
    const { grants, directory, clock } = await setUp();
    clock.now += 1000;
    const { id } = await directory.users.create(ADA, { name: 'Cleo' });
    expect((await grants.fresh(userOf(id))).since).toBe(START + 1000);
    expect((await grants.fresh(userOf(id, 'acme', { roles: ['admin'] }))).since).toBe(START);
  });

  it('a role that the organisation does not have is none, whoever wrote that its user has it', async () => {
    const { grants, store } = await setUp();
    await store.change(['organisation:acme'], (transaction) =>
      transaction
        .insertInto('user_roles')
        .values(['admin', 'ghost'].map((role) => ({ user_id: 'ben', role })))
        .execute(),
    );
    expect((await grants.fresh(BEN)).roles).toEqual(['admin']);
    // which is built in
    await store.change(['organisation:acme'], (transaction) =>
      transaction.deleteFrom('roles').where('name', '=', 'admin').execute(),
    );
    expect((await grants.fresh(BEN)).roles).toEqual(['admin']);
  });

  it('a key that has no end is good until it is revoked', async () => {
    const { grants, store, directory, clock } = await setUp();
    const { record } = await directory.keys.create(ADA, { user: 'ben', name: 'k' });
    await store.change(['organisation:acme'], (transaction) =>
      transaction.updateTable('api_keys').set({ expires_at: null }).execute(),
    );
    clock.now = 8e15;
    const session = userOf('ben', 'acme', { key: record.id });
    expect((await grants.fresh(session)).source('greenhouse')?.level).toBe('read-write');
    await expect(
      Promise.resolve().then(() => grants.fresh(userOf('ada', 'acme', { key: record.id }))),
    ).rejects.toMatchObject({ code: 'unauthorized' });
  });

  describe('revoking in the middle of a session', () => {
    const elsewhere = async (team: Team) => {
      const { createDirectory } = await import('../../../src/principals/index.ts');
      return createDirectory({
        store: await bench.open(),
        defaults: { organisation: {}, user: {} },
        sources: () => SOURCES,
        now: () => team.clock.now,
      });
    };

    it('levels, roles and connections that another process changed are in force at the next call', async () => {
      const team = await setUp();
      const other = await elsewhere(team);
      expect(await team.ben()).toMatchObject({ level: 'read-write' });
      await other.levels.set(ADA, { scope: 'category:ats', level: 'read-only' });
      expect(await team.ben()).toMatchObject({ level: 'read-only' });
      await other.roles.set(ADA, { name: 'r', permissions: ['p'] });
      await other.users.update(ADA, 'ben', { roles: ['r'] });
      expect((await team.grants.fresh(BEN)).permissions).toEqual(['p']);
      await other.roles.set(ADA, { name: 'r', permissions: [] });
      expect((await team.grants.fresh(BEN)).permissions).toEqual([]);
      const [connection] = await other.connections.list(ADA);
      await other.connections.remove(ADA, connection!.id);
      expect(await team.ben()).toMatchObject({ connection: 'missing', level: 'none' });
    });

    it('a revoked or expired key, a disabled or removed user: unauthorized', async () => {
      const team = await setUp();
      const other = await elsewhere(team);
      const { record } = await other.keys.create(ADA, { user: 'ben', name: 'a', expiresInDays: 1 });
      const second = await other.keys.create(ADA, { user: 'ben', name: 'b', expiresInDays: 2 });
      const session = (key: string): Principal => userOf('ben', 'acme', { key });
      const fresh = async (principal: Principal) => team.grants.fresh(principal);
      const gone = { code: 'unauthorized' };
      expect((await fresh(session(record.id))).source('greenhouse')?.level).toBe('read-write');
      await other.keys.revoke(ADA, record.id);
      await expect(fresh(session(record.id))).rejects.toMatchObject(gone);
      expect((await fresh(session(second.record.id))).source('greenhouse')?.level).toBe('read-write');
      team.clock.now += 2 * 86_400_000;
      await expect(fresh(session(second.record.id))).rejects.toMatchObject(gone);
      await expect(fresh({ ...BEN, expiresAt: team.clock.now })).rejects.toMatchObject(gone);
      expect(team.grants.known({ ...BEN, expiresAt: team.clock.now + 1 }).source('greenhouse')).toBeDefined();
      expect(team.grants.known({ ...BEN, expiresAt: team.clock.now }).source('greenhouse')).toBeUndefined();
      expect(team.grants.known(session(second.record.id)).source('greenhouse')).toBeUndefined();
      await other.users.update(ADA, 'ben', { status: 'disabled' });
      await expect(fresh(BEN)).rejects.toMatchObject(gone);
      expect(team.grants.known(BEN).source('greenhouse')).toBeUndefined();
      await other.users.remove(ADA, 'ben');
      await expect(fresh(BEN)).rejects.toMatchObject(gone);
    });

    it("listeners are told of another process's change once the newest is known", async () => {
      const team = await setUp();
      const other = await elsewhere(team);
      await team.ben();
      const told: Array<string | undefined> = [];
      const stop = team.grants.onChange(
        () => void told.push(team.grants.known(BEN).source('greenhouse')?.level),
      );
      await other.levels.set(ADA, { scope: 'category:ats', level: 'disabled' });
      await expect.poll(() => told.at(-1)).toBe('disabled');
      stop();
    });

    it('listeners are told of the organisations that changed, of all where anything may have, until they stop', async () => {
      const team = await setUp();
      const listeners = new Set<(scope: string) => void>();
      const store: Store = {
        ...team.store,
        onChange(listener) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      };
      const grants = grantsOn(store, team.clock);
      await grants.fresh(BEN);
      await grants.fresh(EVE);
      const [one, other]: [unknown[], unknown[]] = [[], []];
      const stopOne = grants.onChange((id) => void one.push(id));
      const stopOther = grants.onChange((id) => void other.push(id));
      const change = (scope: string) => [...listeners].forEach((listener) => void listener(scope));
      change('organisation:rival');
      await expect.poll(() => other).toEqual(['rival']);
      stopOne();
      change('*');
      await expect.poll(() => other).toHaveLength(3);
      expect([one, other.toSorted()]).toEqual([['rival'], ['acme', 'rival', 'rival']]);
      stopOther();
      expect(listeners.size).toBe(0);
      grants.onChange((id) => void one.push(id));
      change('organisation:acme');
      await expect.poll(() => one).toEqual(['rival', 'acme']);
    });
  });

  it('who asks for newer grants is not given those that are still being read, and they do not come after', async () => {
    const store = (await setUp()).store;
    const gates: Array<() => void> = [];
    const slow: Store = {
      ...store,
      async snapshot(work) {
        await new Promise<void>((resolve) => void gates.push(resolve));
        return store.snapshot(work);
      },
    };
    const known = createKnownOrganisations(slow);
    const old = known.at('acme', 1);
    const [newer, again] = [known.at('acme', 2), known.at('acme', 2)];
    expect(gates).toHaveLength(2);
    gates[1]!();
    expect([await newer, await again]).toMatchObject([{ revision: 2 }, { revision: 2 }]);
    gates[0]!();
    expect(await old).toMatchObject({ revision: 1 });
    expect(known.newest('acme')).toMatchObject({ revision: 2 });
  });

  it('a reading that failed leaves what was read before, and the next one is asked anew', async () => {
    const { store } = await setUp();
    let failing = false;
    const known = createKnownOrganisations({
      ...store,
      snapshot: (work) => (failing ? Promise.reject(new Error('gone')) : store.snapshot(work)),
    });
    await known.at('acme', 1);
    failing = true;
    await expect(known.at('acme', 2)).rejects.toThrow('gone');
    expect(known.newest('acme')).toMatchObject({ revision: 1 });
    failing = false;
    expect(await known.at('acme', 2)).toMatchObject({ revision: 2 });
  });

  describe('what is known without asking', () => {
    it('is nothing before somebody asked, and the newest afterwards', async () => {
      const { grants, ben } = await setUp();
      expect(grants.known(BEN).source('greenhouse')).toBeUndefined();
      await ben();
      expect(grants.known(BEN).source('greenhouse')).toMatchObject({ level: 'read-write' });
      expect(grants.known(ADA).source('greenhouse')).toMatchObject({ level: 'read-only' });
      expect(grants.known(EVE).source('greenhouse')).toBeUndefined();
    });

    it('asks the database only when something changed', async () => {
      const { grants, store, directory } = await setUp();
      const first = await grants.fresh(BEN);
      let snapshots = 0;
      const counting: Store = {
        ...store,
        revision: (scope) => store.revision(scope),
        snapshot: (work) => {
          snapshots++;
          return store.snapshot(work);
        },
      };
      const counted = grantsOn(counting, { now: START });
      await Promise.all(Array.from({ length: 20 }, async () => counted.fresh(BEN)));
      for (let round = 0; round < 20; round++) await counted.fresh(ADA);
      expect(snapshots).toBe(1);
      await directory.levels.set(EVE, { scope: 'category:ats', level: 'none' });
      await counted.fresh(BEN);
      expect(snapshots).toBe(1);
      await directory.levels.set(ADA, { scope: 'category:ats', level: 'none' });
      await counted.fresh(BEN);
      expect(snapshots).toBe(2);
      expect((await grants.fresh(BEN)).stamp).not.toBe(first.stamp);
    });

    it('is made once for whoever comes back, and anew when something changed', async () => {
      const { grants, directory } = await setUp();
      const first = await grants.fresh(BEN);
      expect(await grants.fresh(BEN)).toBe(first);
      expect(grants.known(BEN)).toBe(first);
      // by another credential of the same rights
      expect((await grants.fresh({ ...BEN })).source).toBe(first.source);
      expect(grants.known(OPERATOR)).toBe(await grants.fresh(OPERATOR));
      await directory.levels.set(ADA, { scope: 'category:ats', level: 'none' });
      expect(await grants.fresh(BEN)).not.toBe(first);
    });

    it('equal stamps mean equal grants, whoever holds them', async () => {
      const { grants, directory } = await setUp();
      const cleo = await directory.users.create(ADA, { name: 'Cleo' });
      const dora = await directory.users.create(ADA, { name: 'Dora' });
      const stamp = async (principal: Principal) => (await grants.fresh(principal)).stamp;
      const same = await stamp(userOf(cleo.id));
      expect(await stamp(userOf(dora.id))).toBe(same);
      expect(await stamp(BEN)).not.toBe(same);
      expect(await stamp(userOf(dora.id, 'acme', { maxAccess: 'read' }))).not.toBe(same);
      expect(await stamp(userOf(dora.id, 'acme', { sources: ['zoho'] }))).not.toBe(same);
      expect(await stamp(userOf(dora.id, 'acme', { roles: ['x'] }))).not.toBe(same);
    });

    it('follows the configuration when sources change', async () => {
      const { store, clock } = await setUp();
      let sources: Readonly<Record<string, SourceAccess>> = SOURCES;
      const grants = grantsOn(store, clock, () => sources);
      expect((await grants.fresh(BEN)).source('weather')).toBeDefined();
      sources = { greenhouse: { ...SOURCES['greenhouse']!, category: 'crm' } };
      const now = await grants.fresh(BEN);
      expect(now.source('weather')).toBeUndefined();
      expect(now.source('greenhouse')).toMatchObject({ category: 'crm', level: 'read-only' });
      expect(grants.known(OPERATOR).source('weather')).toBeUndefined();
    });
  });

  it('memory is bounded: an organisation that was forgotten is read again', async () => {
    const { store, clock } = await setUp();
    const grants = createStoredGrants({
      store,
      sources: () => SOURCES,
      tools: 'dynamic',
      now: () => clock.now,
      organisations: createKnownOrganisations(store, 1),
    });
    await grants.fresh(BEN);
    await grants.fresh(EVE);
    expect(grants.known(BEN).source('greenhouse')).toBeUndefined();
    expect((await grants.fresh(BEN)).source('greenhouse')).toMatchObject({ level: 'read-write' });
  });

  it('the organisations that were asked about last are kept', async () => {
    const { store } = await setUp();
    const known = createKnownOrganisations(store, 2);
    for (const id of ['acme', 'rival']) await known.at(id, 1);
    known.newest('acme');
    await known.at('nowhere', 1);
    expect([...known.ids()].sort()).toEqual(['acme', 'nowhere']);
    await known.at('acme', 2);
    await known.at('rival', 2);
    expect([...known.ids()].sort()).toEqual(['acme', 'rival']);
  });

  it('the operator may do what the configuration says, whatever an organisation allows', async () => {
    const { grants } = await setUp();
    const token = { ...OPERATOR, kind: 'token' } as const;
    for (const operator of [OPERATOR, token]) {
      for (const given of [await grants.fresh(operator), grants.known(operator)]) {
        expect(given.principal).toBe(operator);
        expect(given.source('weather')).toMatchObject({ level: 'read-write', connection: 'connected' });
      }
    }
  });

  it('a user without organisation, and whoever is not in the store, may do nothing', async () => {
    const { grants } = await setUp();
    const { organisation: _none, ...nobody } = BEN;
    expect((await grants.fresh(nobody)).source('weather')).toBeUndefined();
    await expect(Promise.resolve().then(() => grants.fresh(userOf('zed', 'nowhere')))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});
