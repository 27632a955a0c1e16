import { describe, expect, it } from 'vitest';
import { storeActivations } from '../../../src/activation/store-activations.ts';
import type { ArtifactBytes } from '../../../src/artifacts/artifact-bytes.ts';
import { createIndexedArtifacts } from '../../../src/artifacts/indexed-store.ts';
import { hashApiKey } from '../../../src/principals/authentication/api-key.ts';
import { createDirectory } from '../../../src/principals/index.ts';
import type { Store } from '../../../src/store/store.ts';
import { onEveryStore } from '../../store/support/stores.ts';
import { ADA, BEN, createTeam, DEFAULTS, EVE, OPERATOR, SOURCES, START, userOf } from '../team.ts';

const DAY = 86_400_000;
const NO_BYTES: ArtifactBytes = {
  write: async () => undefined,
  has: async () => true,
  stream: () => new ReadableStream(),
  remove: async () => undefined,
};
const refused = (code: string, pointer?: string) => ({ code, ...(pointer === undefined ? {} : { pointer }) });

onEveryStore((bench) => {
  const team = async () => createTeam(await bench.open());

  /** A call of ben's that somebody agreed to. */
  const AGREED = {
    principal_id: 'ben',
    organisation_id: 'acme',
    tool: 'wipe',
    source: 'shop',
    operation: 'wipe',
    definition: 'd',
    arguments_hash: 'h',
  };
  /** From then on. */
  const STANDING = {
    ...AGREED,
    id: 's',
    approval_id: 'a',
    created_at: 1,
    created_by: 'ada',
    channel: 'cli',
    skill: null,
    agreement: null,
  } as const;

  describe('organisations', () => {
    it('get explicit default levels and the role admin', async () => {
      const { directory } = await team();
      expect(await directory.levels.list(OPERATOR, { organisation: 'acme', user: null })).toMatchObject([
        { organisation: 'acme', user: null, scope: 'category:*', level: 'read-only' },
      ]);
      expect(await directory.roles.list(ADA)).toMatchObject([{ name: 'admin', permissions: [] }]);
    });

    it('are made by the operator only, changed by their admin, and read by their users', async () => {
      const { directory, events } = await team();
      const { organisations } = directory;
      await expect(organisations.create(ADA, { name: 'More' })).rejects.toMatchObject(
        refused('admin_needed'),
      );
      await expect(organisations.update(BEN, 'acme', { name: 'X' })).rejects.toMatchObject(
        refused('admin_needed'),
      );
      await expect(organisations.remove(ADA, 'acme')).rejects.toMatchObject(refused('admin_needed'));
      const changed = await organisations.update(ADA, 'acme', { features: ['beta'], tools: 'both' });
      expect(changed).toMatchObject({ name: 'Acme', features: ['beta'], tools: 'both' });
      expect(await organisations.list(BEN)).toEqual([changed]);
      expect((await organisations.list(OPERATOR)).map(({ id }) => id)).toEqual(['acme', 'rival']);
      // what names nothing changes nothing, and is told to nobody
      expect(await organisations.update(ADA, 'acme', {})).toEqual(changed);
      expect(events).toEqual([
        {
          type: 'organisation-changed',
          organisation: 'acme',
          principal: 'ada',
          subject: 'acme',
          change: 'changed features, tools',
        },
      ]);
    });

    it('come and go where the log can tell', async () => {
      const { directory, events } = await team();
      const made = await directory.organisations.create(OPERATOR, { id: 'abc', name: 'Abc' });
      expect(made).toStrictEqual(await directory.organisations.get(OPERATOR, 'abc'));
      expect((await directory.organisations.list(OPERATOR)).map(({ id }) => id)).toEqual([
        'abc',
        'acme',
        'rival',
      ]);
      await directory.organisations.remove(OPERATOR, 'abc');
      const told = {
        type: 'organisation-changed',
        organisation: 'abc',
        principal: OPERATOR.id,
        subject: 'abc',
      };
      expect(events).toEqual([
        { ...told, change: 'created' },
        { ...told, change: 'removed' },
      ]);
    });

    it('get a random id, or the one given where it is free', async () => {
      const { organisations } = (await team()).directory;
      expect((await organisations.create(OPERATOR, { name: 'New' })).id).toMatch(/^org_[0-9a-f]{32}$/);
      await expect(organisations.create(OPERATOR, { id: 'acme', name: 'Again' })).rejects.toMatchObject(
        refused('record_conflict', '/id'),
      );
    });

    it.each(['user', 'organisation'])(
      'nothing of a removed %s counts for the next of that id',
      async (what) => {
        const { store, directory, ended } = await team();
        const { database } = store;
        const artifacts = createIndexedArtifacts({ store, bytes: NO_BYTES });
        const owner = JSON.stringify(['acme', 'ben']);
        const stored = await artifacts.put(Buffer.from('x'), { mimeType: 'a/b', name: 'a', owner });
        const limited = JSON.stringify(['acme', 'ben', ['shop']]);
        await artifacts.put(Buffer.from('x'), { mimeType: 'a/b', name: 'a', owner: limited });
        const activated = storeActivations(store, Date.now);
        await activated.activate('ben', ['shop/wipe'], 10);
        await database.insertInto('standing_approvals').values(STANDING).execute();
        const asked = {
          run: '',
          access: 'delete',
          policy: 'p',
          preview: '{}',
          reason: '',
          standing: 'tool',
          agreement: null,
        };
        const open = {
          call_id: 'c',
          created_at: 1,
          expires_at: 2e15,
          decided_at: null,
          decided_by: null,
          channel: null,
          note: null,
        };
        const states = ['pending', 'approved', 'denied', 'executed'];
        await database
          .insertInto('approvals')
          .values(
            states.map((state) => ({
              ...AGREED,
              ...asked,
              ...open,
              id: state,
              state,
              edited: null,
              used_call: null,
              rounds: 0,
              told_at: state === 'denied' ? 1 : null,
            })),
          )
          .execute();
        if (what === 'user') await directory.users.remove(ADA, 'ben');
        else {
          await directory.organisations.remove(OPERATOR, 'acme');
          await directory.organisations.create(OPERATOR, { id: 'acme', name: 'Acme' });
        }
        await directory.users.create(OPERATOR, { id: 'ben', name: 'Another', organisation: 'acme' });
        expect(await database.selectFrom('standing_approvals').selectAll().execute()).toEqual([]);
        const approvals = await database
          .selectFrom('approvals')
          .select(['id', 'state', 'told_at', 'principal_id', 'organisation_id'])
          .orderBy('id')
          .execute();
        expect(approvals.map(({ id, state }) => [id, state])).toEqual([
          ['approved', 'stale'],
          ['denied', 'denied'],
          ['executed', 'executed'],
          ['pending', 'stale'],
        ]);
        expect(approvals.map(({ told_at }) => told_at)).not.toContain(null);
        // who heard of it before heard of it then
        expect(Number(approvals[1]!.told_at)).toBe(1);
        expect(new Set(approvals.map(({ organisation_id }) => organisation_id))).toEqual(
          new Set([what === 'user' ? 'acme' : 'acme (removed)']),
        );
        expect(new Set(approvals.map(({ principal_id }) => principal_id))).toEqual(
          new Set(['ben (removed)']),
        );
        const message = 'The user was removed.';
        const told = { type: 'approval-void', principal: 'ben', organisation: 'acme', message };
        expect(ended).toMatchObject([
          { ...told, approval: STANDING.approval_id, state: 'executed' },
          { ...told, approval: 'pending', state: 'stale' },
          { ...told, approval: 'approved', state: 'stale' },
        ]);
        await expect.poll(() => activated.known('ben')).toEqual([]);
        expect(await artifacts.list({ owner, ownersWithin: `${owner.slice(0, -1)},` })).toEqual([]);
        expect((await artifacts.open(stored.id))?.owner).toBe(JSON.stringify(['acme', 'ben (removed)']));
        await activated.close();
      },
    );

    it('leave agreements behind when they move to another organisation and back', async () => {
      const { directory, store, ended } = await team();
      await store.database.insertInto('standing_approvals').values(STANDING).execute();
      const before = await store.revision('approvals');
      await directory.users.update(OPERATOR, 'ben', { organisation: 'rival' });
      expect(ended).toMatchObject([
        {
          type: 'approval-void',
          approval: STANDING.approval_id,
          message: 'The user was moved to another organisation.',
        },
      ]);
      await directory.users.update(OPERATOR, 'ben', { organisation: 'acme' });
      expect(await store.database.selectFrom('standing_approvals').selectAll().execute()).toEqual([]);
      expect(await store.revision('approvals')).toBeGreaterThan(before);
    });

    it('take everything along when they are removed', async () => {
      const { directory, store } = await team();
      await directory.keys.create(OPERATOR, { user: 'ben', name: 'k' });
      const used = { budget: 'rule:r', window_start: 0, principal_id: null, run_id: null, ends_at: 2e15 };
      const amounts = { calls: 1, nanodollars: 0, bytes: 0, terms: '{}' };
      await store.database
        .insertInto('budget_counters')
        .values(['acme', 'rival'].map((id) => ({ ...used, ...amounts, subject: id, organisation_id: id })))
        .execute();
      await directory.organisations.remove(OPERATOR, 'acme');
      const left = await store.database.selectFrom('budget_counters').select('subject').execute();
      expect(left).toEqual([{ subject: 'rival' }]);
      expect((await directory.users.list(OPERATOR)).map(({ id }) => id)).toEqual(['eve']);
      expect(await directory.keys.list(OPERATOR)).toEqual([]);
      await expect(directory.organisations.list(ADA)).rejects.toMatchObject(refused('unauthorized'));
    });
  });

  describe('users', () => {
    it('are made by an admin, with default levels and roles of the organisation', async () => {
      const { directory } = await team();
      await directory.roles.set(ADA, { name: 'recruiter', permissions: ['candidates'] });
      const cleo = await directory.users.create(ADA, {
        name: 'Cleo',
        email: 'cleo@acme.example',
        roles: ['recruiter', 'admin'],
      });
      expect(cleo).toMatchObject({ organisation: 'acme', status: 'active', roles: ['admin', 'recruiter'] });
      expect(await directory.levels.list(ADA, { user: cleo.id })).toMatchObject([
        { user: cleo.id, scope: 'category:*', level: 'read-only' },
      ]);
      await expect(directory.users.create(ADA, { name: 'X', roles: ['boss'] })).rejects.toMatchObject(
        refused('record_invalid', '/roles/0'),
      );
    });

    it('see themselves only; admins see all of the organisation', async () => {
      const { users } = (await team()).directory;
      expect((await users.list(BEN)).map(({ id }) => id)).toEqual(['ben']);
      expect((await users.list(ADA)).map(({ id, roles }) => [id, roles])).toEqual([
        ['ada', ['admin']],
        ['ben', []],
      ]);
      await expect(users.get(BEN, 'ada')).rejects.toMatchObject(refused('record_unknown'));
      await expect(users.update(BEN, 'ben', { roles: ['admin'] })).rejects.toMatchObject(
        refused('admin_needed'),
      );
      await expect(users.remove(BEN, 'ben')).rejects.toMatchObject(refused('admin_needed'));
    });

    it('administer nothing by any other role', async () => {
      const { directory } = await team();
      await directory.roles.set(ADA, { name: 'recruiter', permissions: ['candidates'] });
      await directory.users.update(ADA, 'ben', { roles: ['recruiter'] });
      expect((await directory.users.list(BEN)).map(({ id }) => id)).toEqual(['ben']);
      for (const attempt of [
        directory.users.create(BEN, { name: 'X' }),
        directory.users.update(BEN, 'ben', { roles: ['admin'] }),
        directory.roles.set(BEN, { name: 'recruiter', permissions: ['everything'] }),
        directory.levels.set(BEN, { scope: 'category:*', level: 'read-write' }),
        directory.connections.create(BEN, { source: 'greenhouse' }),
        directory.keys.create(BEN, { user: 'ben', name: 'k' }),
      ])
        await expect(attempt).rejects.toMatchObject(refused('admin_needed'));
    });

    it('have a subject of their own', async () => {
      const { users } = (await team()).directory;
      await expect(users.create(ADA, { name: 'B', subject: 'idp|ben' })).rejects.toMatchObject(
        refused('record_conflict', '/subject'),
      );
      expect(await users.update(ADA, 'ben', { subject: 'idp|ben', name: 'Benjamin' })).toMatchObject({
        name: 'Benjamin',
        subject: 'idp|ben',
      });
    });

    it('leave everything behind when the operator moves them', async () => {
      const { directory, store } = await team();
      await directory.users.update(OPERATOR, 'ben', { roles: ['admin'] });
      await directory.levels.set(BEN, { user: 'ben', scope: 'category:ats', level: 'read-write' });
      await directory.keys.create(OPERATOR, { user: 'ben', name: 'k' });
      await expect(directory.users.update(ADA, 'ben', { organisation: 'rival' })).rejects.toMatchObject(
        refused('admin_needed'),
      );
      const before = await Promise.all(['acme', 'rival'].map((id) => store.revision(`organisation:${id}`)));
      const moved = await directory.users.update(OPERATOR, 'ben', { organisation: 'rival' });
      const after = await Promise.all(['acme', 'rival'].map((id) => store.revision(`organisation:${id}`)));
      for (const [index, revision] of after.entries()) expect(revision).toBeGreaterThan(before[index]!);
      expect(moved).toMatchObject({ organisation: 'rival', roles: [] });
      expect(await directory.levels.list(OPERATOR, { user: 'ben' })).toMatchObject([{ scope: 'category:*' }]);
      expect(await directory.keys.list(OPERATOR, { user: 'ben' })).toEqual([]);
      await expect(directory.users.list(BEN)).rejects.toMatchObject(refused('unauthorized'));
      expect(await directory.users.update(OPERATOR, 'ben', { organisation: null })).toMatchObject({
        organisation: null,
      });
    });

    it('whom an admin removes are gone, and that is told', async () => {
      const { directory, events } = await team();
      await directory.users.remove(ADA, 'ben');
      expect(events.at(-1)).toMatchObject({ type: 'user-changed', subject: 'ben', change: 'removed' });
      await expect(directory.users.get(ADA, 'ben')).rejects.toMatchObject(refused('record_unknown'));
    });

    it('without organisation can do nothing', async () => {
      const { directory } = await team();
      const dan = await directory.users.create(OPERATOR, { name: 'Dan', organisation: null });
      const { organisation: _none, ...principal } = userOf(dan.id);
      await expect(directory.users.list(principal)).rejects.toMatchObject(refused('organisation_missing'));
      await expect(directory.keys.create(OPERATOR, { user: dan.id, name: 'k' })).rejects.toMatchObject(
        refused('record_invalid', '/user'),
      );
      expect(await directory.users.principal(OPERATOR, dan.id)).not.toHaveProperty('organisation');
      await expect(directory.users.create(ADA, { name: 'Dan', organisation: null })).rejects.toMatchObject(
        refused('admin_needed'),
      );
    });
  });

  describe('keys', () => {
    it('are shown once and stored as a hash', async () => {
      const { directory, store, events } = await team();
      const { key, record } = await directory.keys.create(ADA, { user: 'ben', name: 'laptop' });
      expect(record).toMatchObject({
        user: 'ben',
        hint: key.slice(0, 8),
        maxAccess: 'delete',
        sources: null,
        status: 'active',
        expiresAt: new Date(START + 90 * DAY).toISOString(),
      });
      const row = await store.database.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
      expect(row.hash).toBe(hashApiKey(key));
      const everything = JSON.stringify([row, record, events, await directory.keys.list(ADA)]);
      expect(everything).not.toContain(key);
      expect(everything).not.toContain(key.slice(4));
    });

    it('are listed for their user, and all of an organisation for its admin', async () => {
      const { keys } = (await team()).directory;
      for (const user of ['ada', 'ben', 'eve']) await keys.create(OPERATOR, { user, name: `of ${user}` });
      const names = async (...asked: Parameters<typeof keys.list>) =>
        (await keys.list(...asked)).map(({ name }) => name).sort();
      expect(await names(BEN)).toEqual(['of ben']);
      expect(await names(BEN, { user: 'ada' })).toEqual([]);
      expect(await names(ADA)).toEqual(['of ada', 'of ben']);
      expect(await names(OPERATOR)).toEqual(['of ada', 'of ben', 'of eve']);
    });

    it('are revoked by an admin or their user, once', async () => {
      const { directory, clock, events } = await team();
      const { record } = await directory.keys.create(ADA, { user: 'ben', name: 'laptop' });
      await directory.keys.create(ADA, { user: 'ben', name: 'ci', maxAccess: 'read', sources: ['weather'] });
      clock.now += 5;
      const revoked = await directory.keys.revoke(BEN, record.id);
      expect(revoked).toMatchObject({ status: 'revoked', revokedAt: new Date(START + 5).toISOString() });
      clock.now += 5;
      expect(await directory.keys.revoke(ADA, record.id)).toEqual(revoked);
      expect(events.map(({ change }) => change)).toEqual([
        'created for ben, at most delete',
        'created for ben, at most read, for weather',
        'revoked',
      ]);
    });

    it('are for sources that there are', async () => {
      const { keys } = (await team()).directory;
      await expect(
        keys.create(ADA, { user: 'ben', name: 'k', sources: ['greenhouse', 'grenhouse'] }),
      ).rejects.toMatchObject(refused('record_invalid', '/sources/1'));
    });

    it('live 366 days at most', async () => {
      const { directory, clock } = await team();
      await expect(
        directory.keys.create(ADA, { user: 'ben', name: 'k', expiresInDays: 367 }),
      ).rejects.toMatchObject(refused('record_invalid', '/expiresInDays'));
      const { record } = await directory.keys.create(ADA, { user: 'ben', name: 'k', expiresInDays: 1 });
      clock.now += DAY;
      expect((await directory.keys.get(BEN, record.id)).status).toBe('expired');
    });

    it('are for admins to make, and none makes one that may do more', async () => {
      const { keys } = (await team()).directory;
      await expect(keys.create(BEN, { user: 'ben', name: 'k' })).rejects.toMatchObject(
        refused('admin_needed'),
      );
      const writer = userOf('ada', 'acme', { maxAccess: 'write' });
      await expect(
        keys.create(writer, { user: 'ben', name: 'k', maxAccess: 'delete' }),
      ).rejects.toMatchObject(refused('record_invalid', '/maxAccess'));
      expect((await keys.create(writer, { user: 'ben', name: 'k' })).record.maxAccess).toBe('write');
      for (const limited of [{ maxAccess: 'read' }, { sources: ['greenhouse'] }] as const) {
        await expect(
          keys.create(userOf('ada', 'acme', limited), { user: 'ben', name: 'k', maxAccess: 'read' }),
        ).rejects.toMatchObject(refused('admin_needed'));
      }
    });

    it('a revoked key administers no more, though its principal is still held', async () => {
      const { directory } = await team();
      const { record } = await directory.keys.create(OPERATOR, { user: 'ada', name: 'k' });
      const held = userOf('ada', 'acme', { key: record.id });
      await directory.organisations.update(held, 'acme', { name: 'One' });
      await directory.keys.revoke(OPERATOR, record.id);
      await expect(directory.organisations.update(held, 'acme', { name: 'Two' })).rejects.toMatchObject(
        refused('unauthorized'),
      );
    });
  });

  describe('levels', () => {
    it("users choose their own; what the organisation allows is an admin's", async () => {
      const { directory, events } = await team();
      const { levels } = directory;
      const own = { user: 'ben', scope: 'category:ats', level: 'read-write' } as const;
      expect(await levels.set(BEN, own)).toMatchObject({ user: 'ben', level: 'read-write' });
      expect(await levels.set(BEN, { ...own, level: 'disabled' })).toMatchObject({ level: 'disabled' });
      await expect(levels.set(BEN, { scope: 'category:ats', level: 'read-write' })).rejects.toMatchObject(
        refused('admin_needed'),
      );
      await expect(levels.set(BEN, { ...own, user: 'ada' })).rejects.toMatchObject(refused('record_unknown'));
      await levels.set(ADA, { scope: 'source:greenhouse', level: 'read-write' });
      expect((await levels.list(BEN)).map(({ user, scope, level }) => [user, scope, level])).toEqual([
        [null, 'category:*', 'read-only'],
        [null, 'source:greenhouse', 'read-write'],
        ['ben', 'category:*', 'read-only'],
        ['ben', 'category:ats', 'disabled'],
      ]);
      await levels.remove(ADA, { scope: 'source:greenhouse' });
      await expect(levels.remove(ADA, { scope: 'source:greenhouse' })).rejects.toMatchObject(
        refused('record_unknown'),
      );
      expect(events.at(-1)).toMatchObject({
        type: 'access-changed',
        change: 'level source:greenhouse removed',
      });
    });

    it('refuse scopes and levels that mean nothing', async () => {
      const { levels } = (await team()).directory;
      for (const [scope, level, pointer] of [
        ['ats', 'read-only', '/scope'],
        ['category:', 'read-only', '/scope'],
        ['source:*', 'read-only', '/scope'],
        ['source:nothing', 'read-only', '/scope'],
        ['category:ats', 'everything', '/level'],
        ['category:ats', null, '/level'],
      ] as const) {
        await expect(levels.set(ADA, { scope, level: level as 'none' }), scope).rejects.toMatchObject(
          refused('record_invalid', pointer),
        );
      }
    });
  });

  it('nothing is allowed to an organisation that was removed meanwhile', async () => {
    const { store, directory, clock } = await team();
    const change: Store['change'] = async (...parts) => {
      await directory.organisations.remove(OPERATOR, 'acme');
      return store.change(...parts);
    };
    const slow = createDirectory({
      ...{ store: { ...store, change }, defaults: DEFAULTS, sources: () => SOURCES, now: () => clock.now },
    });
    await expect(
      slow.levels.set(OPERATOR, { organisation: 'acme', scope: 'category:*', level: 'read-write' }),
    ).rejects.toMatchObject(refused('record_unknown'));
  });

  it('organisations are found by their id', async () => {
    const { organisations } = (await team()).directory;
    for (const id of ['acme', 'rival']) expect(await organisations.get(OPERATOR, id)).toMatchObject({ id });
    await expect(organisations.get(OPERATOR, 'nobody')).rejects.toMatchObject(refused('record_unknown'));
  });

  describe('roles', () => {
    it('are of their organisation, whatever those of others are called', async () => {
      const { users, roles } = (await team()).directory;
      await roles.set(ADA, { name: 'recruiter', permissions: ['candidates'] });
      await roles.set(EVE, { name: 'recruiter', permissions: ['everything'] });
      await roles.set(EVE, { name: 'scout', permissions: ['everything'] });
      await users.update(EVE, 'eve', { roles: ['admin', 'recruiter'] });
      await users.update(ADA, 'ben', { roles: ['recruiter'] });
      await expect(users.update(ADA, 'ben', { roles: ['scout'] })).rejects.toMatchObject(
        refused('record_invalid', '/roles/0'),
      );
      await expect(roles.remove(ADA, 'scout')).rejects.toMatchObject(refused('record_unknown'));
      await roles.remove(ADA, 'recruiter');
      expect((await users.get(ADA, 'ben')).roles).toEqual([]);
      expect((await users.get(EVE, 'eve')).roles).toEqual(['admin', 'recruiter']);
      expect(await roles.list(EVE)).toMatchObject([
        { name: 'admin' },
        { name: 'recruiter', permissions: ['everything'] },
        { name: 'scout' },
      ]);
    });

    it("are an admin's; admin itself stays", async () => {
      const { directory, events } = await team();
      await expect(directory.roles.set(BEN, { name: 'r', permissions: [] })).rejects.toMatchObject(
        refused('admin_needed'),
      );
      await directory.roles.set(ADA, { name: 'r', permissions: ['a', 'a', 'b'] });
      await directory.users.update(ADA, 'ben', { roles: ['r'] });
      expect(await directory.roles.list(BEN)).toMatchObject([
        { name: 'admin' },
        { name: 'r', permissions: ['a', 'b'] },
      ]);
      await directory.roles.set(ADA, { name: 'a', permissions: [] });
      await directory.roles.set(ADA, { name: 'r', permissions: ['c'] });
      expect((await directory.roles.list(ADA)).map(({ name, permissions }) => [name, permissions])).toEqual([
        ['a', []],
        ['admin', []],
        ['r', ['c']],
      ]);
      await directory.roles.remove(ADA, 'r');
      expect((await directory.users.get(ADA, 'ben')).roles).toEqual([]);
      const changes = events.filter(({ type, organisation }) => type + organisation === 'access-changedacme');
      expect(changes.map(({ subject, change }) => [subject, change])).toEqual([
        ['r', 'role r set'],
        ['a', 'role a set'],
        ['r', 'role r set'],
        ['r', 'role r removed'],
      ]);
      await expect(directory.roles.remove(ADA, 'r')).rejects.toMatchObject(refused('record_unknown'));
      await expect(directory.roles.remove(ADA, 'admin')).rejects.toMatchObject(refused('record_conflict'));
    });

    it('are set by who says what they were changed from as long as nobody else changed them', async () => {
      const { roles } = (await team()).directory;
      const set = (permissions: string[], before?: string[] | null) =>
        roles.set(ADA, { name: 'r', permissions, before });
      const conflict = refused('record_conflict', '/before');
      await expect(set(['a'], ['b'])).rejects.toMatchObject(conflict);
      await set(['a', 'b'], null);
      await expect(set(['c'], null)).rejects.toMatchObject(conflict);
      await set(['c'], ['b', 'a']);
      await expect(set(['d'], ['a', 'b'])).rejects.toMatchObject(conflict);
      expect(await roles.list(ADA)).toMatchObject([{ name: 'admin' }, { permissions: ['c'] }]);
      await set(['d']);
    });
  });

  describe('another organisation', () => {
    it('is not there, as far as an admin can tell', async () => {
      const { directory } = await team();
      const { record: key } = await directory.keys.create(ADA, { user: 'ben', name: 'k' });
      const connection = await directory.connections.create(OPERATOR, {
        organisation: 'acme',
        source: 'greenhouse',
        credentials: { bearer: { env: 'TOKEN' } },
      });
      const { organisations, users, roles, keys, levels, connections, actingUsers } = directory;
      const mapping = { connection: connection.id, user: 'ben', providerUser: '1' };
      const attempts: Array<[string, () => Promise<unknown>]> = [
        ['organisation', () => organisations.get(EVE, 'acme')],
        ['rename', () => organisations.update(EVE, 'acme', { name: 'X' })],
        ['remove', () => organisations.remove(EVE, 'acme')],
        ['users', () => users.list(EVE, { organisation: 'acme' })],
        ['user', () => users.get(EVE, 'ben')],
        ['user as principal', () => users.principal(EVE, 'ben')],
        ['user update', () => users.update(EVE, 'ben', { status: 'disabled' })],
        ['user removal', () => users.remove(EVE, 'ben')],
        ['user creation', () => users.create(EVE, { organisation: 'acme', name: 'X', roles: ['admin'] })],
        ['roles', () => roles.list(EVE, { organisation: 'acme' })],
        ['role', () => roles.set(EVE, { organisation: 'acme', name: 'r', permissions: [] })],
        ['keys', () => keys.list(EVE, { organisation: 'acme' })],
        ['key', () => keys.get(EVE, key.id)],
        ['key creation', () => keys.create(EVE, { user: 'ben', name: 'k' })],
        ['key revocation', () => keys.revoke(EVE, key.id)],
        ['levels', () => levels.list(EVE, { organisation: 'acme' })],
        ['level', () => levels.set(EVE, { organisation: 'acme', scope: 'category:*', level: 'none' })],
        ['level of a user', () => levels.set(EVE, { user: 'ben', scope: 'category:*', level: 'none' })],
        ['connections', () => connections.list(EVE, { organisation: 'acme' })],
        ['connection', () => connections.get(EVE, connection.id)],
        ['connection update', () => connections.update(EVE, connection.id, { status: 'disabled' })],
        ['connection removal', () => connections.remove(EVE, connection.id)],
        ['connection for a user', () => connections.create(EVE, { user: 'ben', source: 'greenhouse' })],
        ['acting users', () => actingUsers.list(EVE, connection.id)],
        ['acting user', () => actingUsers.set(EVE, mapping)],
        ['acting user removal', () => actingUsers.remove(EVE, mapping)],
      ];
      for (const [what, attempt] of attempts) {
        await expect(attempt(), what).rejects.toMatchObject({ code: 'record_unknown' });
      }
      expect(await keys.list(EVE)).toEqual([]);
      expect(await connections.list(EVE)).toEqual([]);
      expect((await users.list(EVE)).map(({ id }) => id)).toEqual(['eve']);
      expect(await users.get(ADA, 'ben')).toMatchObject({ status: 'active' });
    });
  });

  describe('who asks is looked up again', () => {
    it('a user who was disabled, removed or demoted meanwhile', async () => {
      const { users, organisations } = (await team()).directory;
      await users.update(OPERATOR, 'ada', { roles: [] });
      await expect(organisations.update(ADA, 'acme', { name: 'X' })).rejects.toMatchObject(
        refused('admin_needed'),
      );
      await users.update(OPERATOR, 'ada', { status: 'disabled' });
      await expect(organisations.list(ADA)).rejects.toMatchObject(refused('unauthorized'));
      await users.remove(OPERATOR, 'ada');
      await expect(organisations.list(ADA)).rejects.toMatchObject(refused('unauthorized'));
    });
  });

  it('what is sent is checked, and the member that is wrong is named', async () => {
    const { users } = (await team()).directory;
    for (const [input, pointer] of [
      [{ name: '' }, '/name'],
      [{ name: 'X', extra: 1 }, '/extra'],
      [{ name: 'X', email: 'nobody' }, '/email'],
      [{ name: 'X', tools: 'all' }, '/tools'],
      [{ name: 'X', subject: 'a\u0000b' }, '/subject'],
      [null, '/'],
    ] as const) {
      await expect(users.create(ADA, input as never), pointer).rejects.toMatchObject(
        refused('record_invalid', pointer),
      );
    }
  });
});
