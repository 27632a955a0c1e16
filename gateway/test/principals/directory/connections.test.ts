import { describe, expect, it, vi } from 'vitest';
import { onEveryStore } from '../../store/support/stores.ts';
import { ADA, BEN, createTeam, EVE, OPERATOR } from '../team.ts';

const nango = (connection: string, integration = 'greenhouse') => ({ nango: { integration, connection } });

onEveryStore((bench) => {
  const team = async () => createTeam(await bench.open());

  it('the operator connects an account by any reference, never by a secret', async () => {
    const { connections } = (await team()).directory;
    const input = { organisation: 'acme', source: 'greenhouse' };
    await expect(
      connections.create(OPERATOR, { ...input, credentials: { bearer: 'the-secret-itself' } }),
    ).rejects.toMatchObject({ code: 'record_invalid', pointer: '/credentials/bearer' });
    expect(
      await connections.create(OPERATOR, {
        ...input,
        credentials: { bearer: { env: 'GREENHOUSE_TOKEN' } },
        baseUrl: 'https://harvest.example/v1',
      }),
    ).toMatchObject({
      user: null,
      name: 'greenhouse',
      status: 'connected',
      baseUrl: 'https://harvest.example/v1',
      credentials: { bearer: { env: 'GREENHOUSE_TOKEN' } },
    });
  });

  it('a record without credentials is not connected', async () => {
    const { connections } = (await team()).directory;
    expect(await connections.create(ADA, { source: 'greenhouse' })).toMatchObject({
      status: 'unauthenticated',
      credentials: null,
    });
  });

  it("users connect their own account, admins also the organisation's", async () => {
    const { directory, events } = await team();
    const { connections } = directory;
    const own = await connections.create(BEN, {
      user: 'ben',
      source: 'greenhouse',
      credentials: nango('ben:greenhouse'),
    });
    expect(own).toMatchObject({ user: 'ben', status: 'connected' });
    await expect(connections.create(BEN, { source: 'zoho' })).rejects.toMatchObject({
      code: 'admin_needed',
      next: expect.stringContaining('name yourself as `user`'),
    });
    const shared = await connections.create(ADA, {
      source: 'greenhouse',
      credentials: nango('ada:greenhouse'),
    });
    expect((await connections.list(BEN)).map(({ id }) => id).sort()).toEqual([own.id, shared.id].sort());
    expect(await connections.list(BEN, { source: 'greenhouse' })).toHaveLength(2);
    expect(await connections.list(BEN, { source: 'zoho' })).toEqual([]);
    await expect(connections.update(BEN, shared.id, { status: 'disabled' })).rejects.toMatchObject({
      code: 'admin_needed',
    });
    await expect(connections.remove(BEN, shared.id)).rejects.toMatchObject({ code: 'admin_needed' });
    expect(await connections.update(BEN, own.id, { status: 'disabled' })).toMatchObject({
      status: 'disabled',
    });
    await connections.remove(ADA, own.id);
    await expect(connections.get(BEN, own.id)).rejects.toMatchObject({ code: 'record_unknown' });
    expect(events.map(({ change }) => change)).toEqual([
      'created for greenhouse',
      'created for greenhouse',
      'changed status (disabled)',
      'removed',
    ]);
  });

  it("a user's own account in Nango has the user's and the provider's name where nothing else is named", async () => {
    const { connections } = (await team()).directory;
    const credentials = { nango: { integration: 'greenhouse' } };
    const own = { source: 'greenhouse', user: 'ben' };
    const { id, ...made } = await connections.create(BEN, { ...own, credentials });
    expect(made).toMatchObject({ status: 'connected', credentials: nango('ben:greenhouse') });
    await connections.update(BEN, id, { credentials: null });
    expect(await connections.update(OPERATOR, id, { credentials })).toMatchObject({
      credentials: nango('ben:greenhouse'),
    });
    await connections.remove(BEN, id);
    expect(await connections.create(ADA, { ...own, credentials })).toMatchObject({
      credentials: nango('ben:greenhouse'),
    });
    // beside it, and without one, the operator's references stay as they are
    const { id: again } = (await connections.list(BEN))[0]!;
    for (const [given, kept] of [
      [
        { ...credentials, bearer: { env: 'A' } },
        { ...nango('ben:greenhouse'), bearer: { env: 'A' } },
      ],
      [{ bearer: { env: 'A' } }, { bearer: { env: 'A' } }],
    ]) {
      expect((await connections.update(OPERATOR, again, { credentials: given })).credentials).toEqual(kept);
    }
    // an organisation's has no such name
    const ours = await connections.create(OPERATOR, {
      source: 'greenhouse',
      organisation: 'acme',
      credentials,
    });
    expect(ours.credentials).toEqual(credentials);
  });

  it('what is told of a record is what is kept, and what is not named stays', async () => {
    const { connections } = (await team()).directory;
    const bearer = { bearer: { env: 'A' } };
    const made = await connections.create(OPERATOR, {
      organisation: 'acme',
      source: 'zoho',
      name: 'ours',
      region: 'eu',
      baseUrl: 'https://proxy.example/v1',
      credentials: bearer,
    });
    const kept = () => connections.get(ADA, made.id);
    expect(await kept()).toStrictEqual(made);
    for (const changes of [
      { name: 'yours' },
      { status: 'disabled' },
      { region: 'us' },
      { baseUrl: null },
      { credentials: { bearer: { env: 'B' } } },
      { credentials: null },
    ] as const) {
      const before = await kept();
      const changed = await connections.update(OPERATOR, made.id, changes);
      expect(changed).toStrictEqual({ ...before, ...changes, updatedAt: changed.updatedAt });
      expect(await kept()).toStrictEqual(changed);
    }
    const plain = await connections.create(ADA, { source: 'greenhouse', credentials: null });
    expect(plain).toMatchObject({
      status: 'unauthenticated',
      region: null,
      baseUrl: null,
      credentials: null,
    });
    expect(await connections.get(ADA, plain.id)).toStrictEqual(plain);
  });

  it('are listed by source and id', async () => {
    const { connections } = (await team()).directory;
    for (const source of ['zoho', 'greenhouse'])
      for (const user of ['ben', 'ada', null]) await connections.create(ADA, { source, user });
    const listed = (await connections.list(ADA)).map(({ source, id }) => `${source} ${id}`);
    expect(listed).toHaveLength(6);
    expect(listed).toEqual(listed.toSorted());
  });

  it('a private connection of somebody else is not there', async () => {
    const { directory } = await team();
    const cleo = await directory.users.create(ADA, { name: 'Cleo' });
    const own = await directory.connections.create(ADA, { user: cleo.id, source: 'greenhouse' });
    await expect(directory.connections.get(BEN, own.id)).rejects.toMatchObject({ code: 'record_unknown' });
    expect(await directory.connections.list(BEN)).toEqual([]);
    expect((await directory.connections.list(ADA)).length).toBe(1);
  });

  it('one account of a source for each owner', async () => {
    const { connections } = (await team()).directory;
    await connections.create(ADA, { source: 'greenhouse' });
    await expect(connections.create(ADA, { source: 'greenhouse', name: 'second' })).rejects.toMatchObject({
      code: 'record_conflict',
      pointer: '/source',
    });
    await connections.create(ADA, { source: 'greenhouse', user: 'ben' });
  });

  describe('nobody but the operator reaches secrets or tokens of others', () => {
    it('a credential that is not known to be theirs is refused', async () => {
      const { connections } = (await team()).directory;
      const { id } = await connections.create(ADA, { source: 'greenhouse' });
      for (const [what, credentials, pointer] of [
        ['an environment variable', { bearer: { env: 'SERVER_SECRET' } }, '/credentials'],
        ['a file', { apiKey: { file: '/etc/passwd' } }, '/credentials'],
        ['no credential', 'none', '/credentials'],
        ['an environment variable beside', { ...nango('ada:g'), bearer: { env: 'X' } }, '/credentials'],
        ["somebody else's Nango connection", nango('eve:greenhouse'), '/credentials/nango/connection'],
        ['a name that only begins alike', nango('adalbert:greenhouse'), '/credentials/nango/connection'],
        ['no connection', { nango: { integration: 'greenhouse' } }, '/credentials/nango/connection'],
        ['another integration', nango('ada:google', 'google'), '/credentials/nango/integration'],
        [
          'a Nango elsewhere',
          { nango: { ...nango('ada:g').nango, baseUrl: 'https://nango.evil.example' } },
          '/credentials/nango',
        ],
        [
          'a secret as its key',
          { nango: { ...nango('ada:g').nango, secretKey: { env: 'SERVER_SECRET' } } },
          '/credentials/nango',
        ],
      ] as const) {
        const given = credentials as never;
        const refused = { code: 'record_invalid', pointer };
        const creating = connections.create(ADA, { source: 'greenhouse', credentials: given });
        await expect(creating, what).rejects.toMatchObject(refused);
        await expect(connections.update(ADA, id, { credentials: given }), what).rejects.toMatchObject(
          refused,
        );
      }
    });

    it('an account of its own has no login by name and password, not even from the operator', async () => {
      const { connections } = (await team()).directory;
      const credentials = {
        login: { url: '/login', form: { user: 'ada', password: { env: 'X' } } },
      } as never;
      await expect(
        connections.create(OPERATOR, { organisation: 'acme', source: 'greenhouse', credentials }),
      ).rejects.toMatchObject({ code: 'record_invalid', pointer: '/credentials/login' });
    });

    it('a base URL would carry the credential away', async () => {
      const { connections } = (await team()).directory;
      const baseUrl = 'https://evil.example';
      await expect(connections.create(ADA, { source: 'greenhouse', baseUrl })).rejects.toMatchObject({
        code: 'admin_needed',
      });
      const { id } = await connections.create(ADA, { source: 'greenhouse' });
      await expect(connections.update(ADA, id, { baseUrl })).rejects.toMatchObject({ code: 'admin_needed' });
      await expect(
        connections.update(OPERATOR, id, { baseUrl: 'https://user:pass@evil.example' }),
      ).rejects.toMatchObject({ code: 'record_invalid', pointer: '/baseUrl' });
    });

    it('a connection that Nango confirms is theirs', async () => {
      const asked: unknown[] = [];
      const { directory } = await createTeam(await bench.open(), {
        ownsNangoConnection: async ({ connection }, owner) => {
          asked.push({ connection, owner });
          return connection === '7f3c';
        },
      });
      const input = { user: 'ben', source: 'greenhouse' };
      await expect(
        directory.connections.create(BEN, { ...input, credentials: nango('9999') }),
      ).rejects.toMatchObject({ code: 'record_invalid' });
      expect(await directory.connections.create(BEN, { ...input, credentials: nango('7f3c') })).toMatchObject(
        {
          status: 'connected',
        },
      );
      expect(asked).toEqual([
        {
          connection: '9999',
          owner: { organisation: 'acme', user: 'ben', source: 'greenhouse', asking: 'ben' },
        },
        {
          connection: '7f3c',
          owner: { organisation: 'acme', user: 'ben', source: 'greenhouse', asking: 'ben' },
        },
      ]);
    });

    it('Nango is not asked for somebody who may not manage the connection', async () => {
      const ownsNangoConnection = vi.fn(async () => true);
      const { directory } = await createTeam(await bench.open(), { ownsNangoConnection });
      const { connections } = directory;
      const { id } = await connections.create(ADA, { source: 'greenhouse' });
      const credentials = nango('7f3c');
      for (const trying of [
        connections.create(BEN, { source: 'greenhouse', credentials }),
        connections.update(BEN, id, { credentials }),
      ])
        await expect(trying).rejects.toMatchObject({ code: 'admin_needed' });
      expect(ownsNangoConnection).not.toHaveBeenCalled();
    });
  });

  it('sources and regions are those that there are', async () => {
    const { connections } = (await team()).directory;
    for (const [input, pointer, message] of [
      [{ source: 'nothing' }, '/source', 'There is no source "nothing".'],
      [{ source: 'weather' }, '/source', 'has one account'],
      [{ source: 'zoho', region: 'moon' }, '/region', 'the regions are: us, eu.'],
      [{ source: 'greenhouse', region: 'us' }, '/region', 'this provider has none.'],
    ] as const) {
      const creating = connections.create(ADA, input);
      await expect(creating, JSON.stringify(input)).rejects.toMatchObject({
        code: 'record_invalid',
        pointer,
        message: expect.stringContaining(message),
      });
    }
    expect(await connections.create(ADA, { source: 'zoho', region: 'eu' })).toMatchObject({ region: 'eu' });
  });

  describe('acting users', () => {
    it('are mapped by an admin, for users of the organisation', async () => {
      const { directory, events } = await team();
      const { actingUsers, connections } = directory;
      const { id: connection } = await connections.create(ADA, { source: 'greenhouse' });
      const mapping = { connection, user: 'ben', providerUser: '4080' };
      await expect(actingUsers.set(BEN, mapping)).rejects.toMatchObject({ code: 'admin_needed' });
      await expect(actingUsers.set(ADA, { ...mapping, user: 'eve' })).rejects.toMatchObject({
        code: 'record_unknown',
      });
      await expect(actingUsers.set(OPERATOR, { ...mapping, user: 'eve' })).rejects.toMatchObject({
        code: 'record_unknown',
      });
      await actingUsers.set(ADA, mapping);
      expect(events.at(-1)).toMatchObject({ type: 'connection-changed', change: 'user ben mapped' });
      await actingUsers.set(ADA, { ...mapping, providerUser: '4081' });
      await actingUsers.set(ADA, { ...mapping, user: 'ada', providerUser: '1' });
      expect(await actingUsers.list(BEN, connection)).toEqual([{ ...mapping, providerUser: '4081' }]);
      for (const admin of [ADA, OPERATOR]) {
        const users = (await actingUsers.list(admin, connection)).map(({ user }) => user);
        expect(users).toEqual(['ada', 'ben']);
      }
      await expect(actingUsers.list(EVE, connection)).rejects.toMatchObject({ code: 'record_unknown' });
      await actingUsers.remove(ADA, mapping);
      expect(events.at(-1)).toMatchObject({
        type: 'connection-changed',
        subject: connection,
        change: 'user ben no longer mapped',
      });
      await expect(actingUsers.remove(ADA, mapping)).rejects.toMatchObject({ code: 'record_unknown' });
    });

    it("of a user's own account are that user alone", async () => {
      const { actingUsers, connections } = (await team()).directory;
      const { id: connection } = await connections.create(ADA, { source: 'greenhouse', user: 'ben' });
      const mapping = { connection, user: 'ben', providerUser: '4080' };
      await expect(actingUsers.set(ADA, { ...mapping, user: 'ada' })).rejects.toMatchObject({
        code: 'record_unknown',
      });
      expect(await actingUsers.set(ADA, mapping)).toEqual(mapping);
    });

    it('are of their connection: what becomes of one leaves the other as it is', async () => {
      const { directory, store } = await team();
      const { actingUsers, connections } = directory;
      const [one, other] = [
        (await connections.create(ADA, { source: 'greenhouse' })).id,
        (await connections.create(ADA, { source: 'zoho' })).id,
      ];
      for (const connection of [one, other]) {
        for (const user of ['ada', 'ben'])
          await actingUsers.set(ADA, { connection, user, providerUser: '1' });
      }
      const mapped = async (connection: string) =>
        (await actingUsers.list(ADA, connection)).map((mapping) => [mapping.connection, mapping.user]);
      await actingUsers.remove(ADA, { connection: one, user: 'ben' });
      expect(await mapped(one)).toEqual([[one, 'ada']]);
      const both = [
        [other, 'ada'],
        [other, 'ben'],
      ];
      expect(await mapped(other)).toEqual(both);
      await connections.remove(ADA, one);
      expect((await connections.list(ADA)).map(({ id }) => id)).toEqual([other]);
      expect(await store.database.selectFrom('acting_users').selectAll().execute()).toHaveLength(2);
      expect(await mapped(other)).toEqual(both);
    });
  });
});
