import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { teamGateway } from './team-gateway.ts';

const error = (code: string) => ({ error: { code } });

describe('who is let in', () => {
  test('keys and the operator, nobody else, from loopback neither', async () => {
    await using team = await teamGateway();
    const anonymous = await fetch(new URL('/api/v1/config', team.url));
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Bearer'),
    ]);
    expect(await team.as('tck_wrong')('GET', '/api/v1/config')).toMatchObject([401, error('unauthorized')]);
    expect(await team.as(undefined)('POST', '/mcp', {})).toMatchObject([
      401,
      { jsonrpc: '2.0', error: { message: expect.stringMatching(/^unauthorized: /) } },
    ]);
    expect(await team.admin('GET', '/api/v1/config')).toMatchObject([
      200,
      { principal: { id: team.ann.id, organisation: team.organisation.id, roles: ['admin'] } },
    ]);
    expect(await team.operator('GET', '/api/v1/config')).toMatchObject([
      200,
      { principal: { kind: 'token' } },
    ]);
  });

  test('what concerns the whole gateway is the operator’s', async () => {
    await using team = await teamGateway();
    for (const path of ['/api/v1/catalog', '/api/v1/catalog/report', '/api/v1/catalog/diff', '/metrics']) {
      expect(
        (await fetch(new URL(path, team.url), { headers: { authorization: `Bearer ${team.ann.key}` } }))
          .status,
      ).toBe(403);
      expect(
        (await fetch(new URL(path, team.url), { headers: { authorization: 'Bearer operator-token' } }))
          .status,
      ).toBe(200);
    }
    // as described: with the provider's facts it would not be
    expect(await team.operator('GET', '/api/v1/catalog/report')).toMatchObject([
      200,
      { sources: [{ name: 'greenhouse', kind: 'manifest' }] },
    ]);
  });
});

test('organisations, users, roles, keys and levels over HTTP', async () => {
  await using team = await teamGateway();
  const { admin, operator, organisation } = team;
  expect(await admin('GET', '/api/v1/orgs')).toMatchObject([
    200,
    { organisations: [{ id: organisation.id }] },
  ]);
  expect(await admin('POST', '/api/v1/orgs', { name: 'Mine' })).toMatchObject([403, error('admin_needed')]);
  const [made, other] = await operator('POST', '/api/v1/orgs', { name: 'Other' });
  expect(made).toBe(201);
  expect(await admin('GET', `/api/v1/orgs/${other.id}`)).toMatchObject([404, error('record_unknown')]);
  expect(await admin('PATCH', `/api/v1/orgs/${organisation.id}`, { features: ['beta'] })).toMatchObject([
    200,
    { features: ['beta'] },
  ]);

  expect(await admin('PUT', '/api/v1/roles/recruiter', { permissions: ['hire'] })).toMatchObject([200, {}]);
  const bob = await team.user('Bob', { roles: ['recruiter'] });
  expect(await bob.call('GET', '/api/v1/users')).toMatchObject([200, { users: [{ id: bob.id }] }]);
  expect(await bob.call('POST', '/api/v1/users', { name: 'Eve' })).toMatchObject([
    403,
    error('admin_needed'),
  ]);
  expect(await admin('PATCH', `/api/v1/users/${bob.id}`, { nam: 'x' })).toMatchObject([
    400,
    error('request_invalid'),
  ]);
  expect(await admin('DELETE', '/api/v1/roles/recruiter')).toEqual([204, undefined]);
  expect(await admin('GET', `/api/v1/users/${bob.id}`)).toMatchObject([200, { roles: [] }]);

  const [, { keys }] = await admin('GET', '/api/v1/keys');
  expect(JSON.stringify(keys)).not.toContain(bob.key);
  expect(await bob.call('DELETE', `/api/v1/keys/${bob.keyId}`)).toMatchObject([200, { status: 'revoked' }]);
  expect(await bob.call('GET', '/api/v1/config')).toMatchObject([401, error('unauthorized')]);

  expect(await admin('PUT', '/api/v1/access', { scope: 'category:ats', level: 'read-only' })).toMatchObject([
    200,
    { user: null, level: 'read-only' },
  ]);
  expect(
    await admin('PUT', '/api/v1/access/me', { scope: 'category:ats', level: 'read-write' }),
  ).toMatchObject([200, { user: team.ann.id }]);
  expect(await admin('PUT', '/api/v1/access', { scope: 'ats', level: 'read-only' })).toMatchObject([
    400,
    { error: { pointer: '/scope' } },
  ]);
  expect((await admin('GET', '/api/v1/access'))[1].levels.length).toBeGreaterThan(1);
  expect(await admin('DELETE', '/api/v1/access?scope=category:ats')).toEqual([204, undefined]);
});

test('what is another organisation’s is not there for its admin, whichever route is asked', async () => {
  await using team = await teamGateway();
  const { admin, operator, organisation, ann } = team;
  const bob = await team.user('Bob');
  const connection = await team.connect();
  const mapping = `/api/v1/connections/${connection}/users/${bob.id}`;
  await admin('PUT', mapping, { providerUser: '7' });
  await admin('PUT', '/api/v1/roles/recruiter', { permissions: [] });
  const [, other] = await operator('POST', '/api/v1/orgs', { name: 'Other' });
  const [, eve] = await operator('POST', '/api/v1/users', {
    organisation: other.id,
    name: 'Eve',
    roles: ['admin'],
  });
  const stranger = team.as((await operator('POST', '/api/v1/keys', { user: eve.id, name: 'k' }))[1].key);
  const paths = {
    organisation: `/api/v1/orgs/${organisation.id}`,
    user: `/api/v1/users/${bob.id}`,
    key: `/api/v1/keys/${bob.keyId}`,
    connection: `/api/v1/connections/${connection}`,
  };
  const named = `organisation=${organisation.id}`;
  const level = { scope: 'category:ats', level: 'read-only' };
  await admin('PUT', '/api/v1/access', level);
  const looked = [...Object.values(paths), `${paths.connection}/users`, '/api/v1/access', '/api/v1/roles'];
  const kept = () => Promise.all(looked.map((path) => admin('GET', path)));
  const before = await kept();
  for (const [method, path, body] of [
    ...Object.values(paths).map((path) => ['GET', path] as const),
    ['PATCH', paths.organisation, { name: 'Mine' }],
    ['DELETE', paths.organisation],
    ['PATCH', paths.user, { name: 'Mine' }],
    ['DELETE', paths.user],
    ['DELETE', paths.key],
    ['PATCH', paths.connection, { name: 'Mine' }],
    ['POST', `${paths.connection}/reconnect`],
    ['DELETE', paths.connection],
    ['GET', `${paths.connection}/users`],
    ['PUT', mapping, { providerUser: '8' }],
    ['DELETE', mapping],
    ['POST', '/api/v1/users', { organisation: organisation.id, name: 'Mine' }],
    ['POST', '/api/v1/keys', { user: ann.id, name: 'k' }],
    ['POST', '/api/v1/connections', { organisation: organisation.id, source: 'greenhouse' }],
    ['PUT', '/api/v1/roles/recruiter', { organisation: organisation.id, permissions: ['hire'] }],
    ['DELETE', `/api/v1/roles/recruiter?${named}`],
    ['PUT', '/api/v1/access', { ...level, organisation: organisation.id }],
    ['PUT', '/api/v1/access', { ...level, user: bob.id }],
    ['DELETE', `/api/v1/access?${named}&scope=category:ats`],
    ['POST', '/api/v1/access/preview', { organisation: organisation.id, changes: [] }],
    ['POST', '/api/v1/access/changes', { organisation: organisation.id, changes: [] }],
    ['GET', `/api/v1/access/operations?user=${bob.id}`],
    ...['users', 'roles', 'keys', 'connections', 'access', 'access/matrix', 'access/operations'].map(
      (list) => ['GET', `/api/v1/${list}?${named}`] as const,
    ),
  ] as const) {
    expect(await stranger(method, path, body), `${method} ${path}`).toMatchObject([
      404,
      error('record_unknown'),
    ]);
  }
  for (const list of ['orgs', 'users', 'roles', 'keys', 'connections', 'access']) {
    const told = JSON.stringify(await stranger('GET', `/api/v1/${list}`));
    for (const id of [organisation.id, bob.id, bob.keyId, connection, 'recruiter'])
      expect(told, list).not.toContain(id);
  }
  expect(await kept()).toEqual(before);
});

test('the profile follows level and connection, in the seed’s spelling', async () => {
  await using team = await teamGateway();
  const profile = async () => (await team.admin('GET', '/api/skills/config'))[1];
  expect(await profile()).toMatchObject({
    hasATS: false,
    atsProvider: null,
    effectiveAccess: { ats: 'none', email: 'none', calendar: 'none', crm: 'none' },
  });
  const id = await team.connect();
  expect(await profile()).toMatchObject({
    hasATS: true,
    atsProvider: 'greenhouse',
    effectiveAccess: { ats: 'read-write' },
  });
  await team.admin('PUT', '/api/v1/access', { scope: 'category:ats', level: 'disabled' });
  expect(await profile()).toMatchObject({ hasATS: false, effectiveAccess: { ats: 'disabled' } });
  await team.admin('PUT', '/api/v1/access', { scope: 'category:ats', level: 'read-only' });
  expect(await profile()).toMatchObject({ hasATS: true, effectiveAccess: { ats: 'read-only' } });
  await team.admin('PATCH', `/api/v1/connections/${id}`, { status: 'disabled' });
  expect(await profile()).toMatchObject({ hasATS: false, effectiveAccess: { ats: 'none' } });
});

test('stored outputs are shut to who may no longer call what answered them, and to nobody else', async () => {
  await using team = await teamGateway((baseUrl) => ({
    artifacts: { always: true },
    sources: { greenhouse: { manifest: 'greenhouse', baseUrl }, own: { self: {} } },
  }));
  await team.connect();
  const bob = await team.user('Bob');
  const list = '/api/v1/artifacts';
  await bob.call('POST', '/api/v1/tools/greenhouse_list_jobs/call', {});
  const [, { artifacts }] = await bob.call('GET', list);
  expect(artifacts).toMatchObject([{ operation: 'greenhouse/list_jobs' }]);
  const path = `${list}/${artifacts[0].id}`;
  const level = (level: string) =>
    team.admin('PUT', '/api/v1/access', { user: bob.id, scope: 'category:ats', level });
  const seen = async (by: typeof bob.call) => [
    (await by('GET', path))[0],
    (await by('GET', `${path}/description`))[0],
    (await by('GET', list))[1].artifacts.length,
    (
      await by('POST', '/api/v1/tools/query_result/call', {
        topology: 'search',
        arguments: { response_id: artifacts[0].id },
      })
    )[1].error?.code,
  ];
  const open = [200, 200, 1, undefined];
  expect(await seen(bob.call)).toEqual(open);
  await level('read-only');
  expect(await seen(bob.call)).toEqual(open);
  await level('disabled');
  expect(await seen(bob.call)).toEqual([404, 404, 0, 'response_unknown']);
  expect((await bob.call('DELETE', path))[0]).toBe(404);
  expect(await seen(team.operator)).toEqual(open);
  await level('read-write');
  expect(await seen(bob.call)).toEqual(open);
});

test('the proxy goes through the router: access, acting user, record and usage', async () => {
  await using team = await teamGateway();
  const proxy = (method: string, path: string, more: object = {}) =>
    team.admin('POST', '/api/v1/ats/proxy', { provider: 'greenhouse', method, path, ...more });
  expect(await proxy('GET', '/candidates')).toMatchObject([
    400,
    { error: { message: 'No ATS integration connected' } },
  ]);
  const id = await team.connect();
  const [status, answer] = await proxy('GET', '/candidates', { query: { per_page: 1 } });
  expect([status, Array.isArray(answer.data), answer.meta.provider]).toEqual([200, true, 'greenhouse']);
  const write = [
    'POST',
    '/candidates',
    { body: { first_name: 'Ada', last_name: 'L', applications: [] } },
  ] as const;
  expect(await proxy(...write)).toMatchObject([403, { error: { code: 'acting_user_missing' } }]);
  await team.admin('PUT', `/api/v1/connections/${id}/users/${team.ann.id}`, { providerUser: '158104' });
  expect((await proxy(...write))[0]).toBeLessThan(300);
  expect(team.provider.requests.at(-1)).toMatchObject({ headers: { 'on-behalf-of': '158104' } });
  await team.admin('PUT', '/api/v1/access', { scope: 'category:ats', level: 'read-only' });
  expect(await proxy(...write)).toMatchObject([
    403,
    { error: { message: 'You have read-only access to the ATS' } },
  ]);
  expect(await proxy('DELETE', '/candidates/1')).toMatchObject([403, { error: { code: 'path_blocked' } }]);

  await expect
    .poll(async () => (await team.admin('GET', '/api/v1/usage?groupBy=operation'))[1].usage)
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: 'list_candidates', calls: 1, errors: 0 }),
        expect.objectContaining({ key: 'create_candidate', calls: 3, errors: 2 }),
        expect.objectContaining({ key: 'delete_candidate', calls: 1, errors: 1 }),
      ]),
    );
});

test('a question about events of others has the answer of one that finds nothing', async () => {
  await using team = await teamGateway();
  await team.connect();
  const bob = await team.user('Bob');
  const called = await team.admin('POST', '/api/v1/tools/greenhouse_list_jobs/call', {});
  expect(called[0]).toBe(200);
  const asked = `/api/v1/events?principal=${team.ann.id}`;
  await expect.poll(async () => (await team.admin('GET', asked))[1].events.length).toBeGreaterThan(0);
  const nothing = [200, { events: [], last: 0 }];
  for (const more of ['', '&limit=1', '&tool=greenhouse_list_jobs', '&q=list_jobs', '&q=nothing'])
    expect(await bob.call('GET', asked + more)).toEqual(nothing);
  expect(await bob.call('GET', `${asked}&after=2`)).toEqual([200, { events: [], last: 2 }]);
});

test('a key that is limited to other sources reads nothing of this one’s calls', async () => {
  const at = { baseUrl: 'http://127.0.0.1:9', connections: 'shared' };
  await using team = await teamGateway({
    sources: {
      greenhouse: {
        ...at,
        manifest: 'greenhouse',
        credentials: { apiKey: { env: 'LOOPBACK_GREENHOUSE_KEY' } },
      },
      own: { self: {} },
    },
  });
  const made = async (sources: string[]) =>
    team.as((await team.admin('POST', '/api/v1/keys', { user: team.ann.id, name: 'agent', sources }))[1].key);
  const [within, apart] = [await made(['greenhouse']), await made(['own'])];
  await team.admin('POST', '/api/v1/tools/greenhouse_list_jobs/call', {});
  const path = '/api/v1/events?type=call-failed';
  await expect.poll(async () => (await within('GET', path))[1].events.length).toBe(1);
  expect((await apart('GET', path))[1].events).toEqual([]);
  const [{ call }] = (await within('GET', path))[1].events;
  expect((await within('GET', `/api/v1/calls/${call}`))[0]).toBe(200);
  expect((await apart('GET', `/api/v1/calls/${call}`))[0]).toBe(404);
});

test('events and usage are the caller’s own', async () => {
  await using team = await teamGateway();
  await team.connect();
  const bob = await team.user('Bob');
  const [, other] = await team.operator('POST', '/api/v1/orgs', { name: 'Other' });
  await bob.call('POST', '/api/v1/tools/greenhouse_list_jobs/call', {});
  const own = async (call: typeof bob.call) => {
    const [, { events }] = await call('GET', '/api/v1/events');
    return new Set(events.map((event: { principal?: string }) => event.principal));
  };
  await expect.poll(() => own(bob.call)).toEqual(new Set([bob.id]));
  expect([...(await own(team.admin))]).toEqual(expect.arrayContaining([bob.id]));
  expect((await own(team.operator)).size).toBeGreaterThan(1);
  const [, events] = await team.admin('GET', '/api/v1/events');
  expect(JSON.stringify(events)).not.toContain(other.id);
  expect(await bob.call('GET', `/api/v1/usage?user=${team.ann.id}`)).toMatchObject([
    403,
    error('admin_needed'),
  ]);
  expect(await bob.call('GET', '/api/v1/usage?groupBy=user')).toMatchObject([
    200,
    { usage: [{ key: bob.id }] },
  ]);
});

describe('MCP sessions', () => {
  const connected = async (url: string, key: string) => {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit });
    await client.connect(transport);
    return { client, session: transport.sessionId! };
  };

  test('belong to who opened them', async () => {
    await using team = await teamGateway();
    const bob = await team.user('Bob');
    const { client, session } = await connected(team.url, team.ann.key);
    const ping = (key: string) =>
      fetch(new URL('/mcp', team.url), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });
    expect((await ping(team.ann.key)).status).toBe(200);
    expect((await ping(bob.key)).status).toBe(404);
    const [, second] = await team.admin('POST', '/api/v1/keys', {
      user: team.ann.id,
      name: 'b',
      maxAccess: 'read',
    });
    expect((await ping(second.key)).status).toBe(404);
    expect((await ping('operator-token')).status).toBe(404);
    await client.close();
  });

  test('end with the key, in the middle', async () => {
    await using team = await teamGateway();
    await team.connect();
    const bob = await team.user('Bob');
    const { client } = await connected(team.url, bob.key);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    await team.admin('PUT', '/api/v1/access', { scope: 'category:ats', level: 'disabled' });
    expect(await client.callTool({ name: 'greenhouse_list_jobs', arguments: {} })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'tool_forbidden' } },
    });
    await team.admin('DELETE', `/api/v1/keys/${bob.keyId}`);
    await expect(client.listTools()).rejects.toThrow();
    await client.close().catch(() => undefined);
  });
});

test('where the requests of a connection go is the operator’s to say, also by saying nothing', async () => {
  await using team = await teamGateway();
  const bob = await team.user('Bob');
  const [, made] = await team.operator('POST', '/api/v1/connections', {
    organisation: team.organisation.id,
    user: bob.id,
    source: 'greenhouse',
    baseUrl: 'https://private.example/v1',
    credentials: { bearer: { env: 'LOOPBACK_GREENHOUSE_KEY' } },
  });
  const path = `/api/v1/connections/${made.id}`;
  expect(await bob.call('PATCH', path, { baseUrl: null })).toMatchObject([403, error('admin_needed')]);
  expect(await team.admin('PATCH', path, { baseUrl: null })).toMatchObject([403, error('admin_needed')]);
  expect(await bob.call('PATCH', path, { name: 'mine' })).toMatchObject([
    200,
    { name: 'mine', baseUrl: 'https://private.example/v1' },
  ]);
  expect(await team.operator('PATCH', path, { baseUrl: null })).toMatchObject([200, { baseUrl: null }]);
});

test('a user has a few event streams at once, and gives them back', async () => {
  await using team = await teamGateway();
  const bob = await team.user('Bob');
  const ask = (key: string, method = 'GET', signal?: AbortSignal) =>
    fetch(new URL('/api/v1/events', team.url), {
      method,
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
      ...(signal === undefined ? {} : { signal }),
    });
  for (let count = 0; count < 20; count++) expect((await ask(bob.key, 'HEAD')).status).toBe(200);
  const ends = Array.from({ length: 16 }, () => new AbortController());
  for (const { signal } of ends) expect((await ask(bob.key, 'GET', signal)).status).toBe(200);
  expect((await ask(bob.key)).status).toBe(429);
  const other = new AbortController();
  expect((await ask(team.ann.key, 'GET', other.signal)).status).toBe(200);
  for (const end of [...ends, other]) end.abort();
  const again = new AbortController();
  await expect.poll(async () => (await ask(bob.key, 'GET', again.signal)).status).toBe(200);
  again.abort();
});

test('lists of people, keys and accounts are read in pages by who asks for them', async () => {
  await using team = await teamGateway();
  const { admin } = team;
  for (const name of ['One', 'Two', 'Three']) await admin('POST', '/api/v1/users', { name });
  for (const name of ['k1', 'k2']) await admin('POST', '/api/v1/keys', { name, user: team.ann.id });
  for (const list of ['users', 'keys'] as const) {
    const [, whole] = await admin('GET', `/api/v1/${list}`);
    expect(whole[list].length).toBeGreaterThan(2);
    expect(whole).not.toHaveProperty('next');
    const read: unknown[] = [];
    let after = '';
    do {
      const [status, page] = await admin('GET', `/api/v1/${list}?limit=2${after}`);
      expect([status, page[list].length <= 2]).toEqual([200, true]);
      read.push(...page[list]);
      after = page.next === undefined ? '' : `&after=${page.next}`;
    } while (after !== '');
    expect(read).toEqual(whole[list]);
  }
  expect(await admin('GET', '/api/v1/connections?limit=1')).toEqual([200, { connections: [] }]);
  for (const list of ['users', 'keys', 'connections'])
    expect(await admin('GET', `/api/v1/${list}?after=gone`)).toMatchObject([400, error('cursor_invalid')]);
  expect(await admin('GET', '/api/v1/users?limit=0')).toMatchObject([400, error('request_invalid')]);
});
