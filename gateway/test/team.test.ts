import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConfigurationInput, createGateway } from '../src/index.ts';
import { type Bootstrapped, bootstrap } from '../src/principals/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { startGreenhouse } from './doubles/greenhouse.ts';
import { type NangoDouble, startNango } from './doubles/nango.ts';
import type { ProviderDouble } from './doubles/provider-double.ts';

const OPERATOR = 'operator-token-0123456789';
const GREENHOUSE_USER = '158104';

let folder: string;
let greenhouse: ProviderDouble;
let nango: NangoDouble;
let url: string;
let first: Bootstrapped;
const open: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-team-'));
  greenhouse = await startGreenhouse();
  nango = await startNango();
  process.env['TEAM_TEST_NANGO_KEY'] = nango.secretKey;
  const store = await openStore(`sqlite:${join(folder, 'team.db')}`);
  first = await bootstrap(store, {
    organisation: { name: 'Acme' },
    user: { name: 'Ada' },
    defaults: { organisation: { '*': 'read-only' }, user: { '*': 'read-only' } },
  });
  await store.close();
  url = (await start()).url;
});

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await greenhouse.close();
  await nango.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<{ url: string }> {
  const configuration: ConfigurationInput = {
    stateDirectory: join(folder, 'state'),
    store: `sqlite:${join(folder, 'team.db')}`,
    auth: { mode: 'team' },
    server: { port: 0, token: OPERATOR },
    tools: 'both',
    sources: {
      greenhouse: {
        manifest: 'greenhouse',
        baseUrl: greenhouse.url,
        credentials: {
          nango: {
            integration: 'greenhouse-eu',
            baseUrl: nango.url,
            secretKey: { env: 'TEAM_TEST_NANGO_KEY' },
          },
        },
      },
    },
  };
  const started = await createGateway(configuration, { baseDirectory: folder });
  open.push(started);
  const listening = await started.listen();
  return { url: listening.url };
}

async function api(method: string, path: string, key: string, body?: unknown, at = url) {
  const response = await fetch(new URL(path, at), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function connect(key: string, at = url): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', at), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  open.push(client);
  return client;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const greenhouseTools = async (client: Client) =>
  (await namesOf(client)).filter((name) => name.startsWith('greenhouse_'));

const accountAtNango = () => ({
  id: `${first.user.id}:greenhouse`,
  integration: 'greenhouse-eu',
  credentials: { type: 'BASIC', username: 'greenhouse-key', password: '' },
});

/** The admin's own account of Greenhouse, kept by Nango, and who Ada is there. */
async function connectGreenhouse(): Promise<string> {
  nango.add(accountAtNango());
  const made = await api('POST', '/api/v1/connections', first.key.key, {
    source: 'greenhouse',
    credentials: { nango: { integration: 'greenhouse-eu', connection: `${first.user.id}:greenhouse` } },
  });
  expect(made).toMatchObject({ status: 201, body: { status: 'connected' } });
  const id = made.body.id as string;
  const mapped = await api('PUT', `/api/v1/connections/${id}/users/${first.user.id}`, first.key.key, {
    providerUser: GREENHOUSE_USER,
  });
  expect(mapped.status).toBeLessThan(300);
  return id;
}

const setLevels = async (admin: string, user: string) => {
  const access = (level: string, more: object) =>
    api('PUT', '/api/v1/access', first.key.key, { scope: 'category:ats', level, ...more });
  expect((await access(admin, {})).status).toBe(200);
  expect((await access(user, { user: first.user.id })).status).toBe(200);
};

describe('a team', () => {
  it('lets nobody in without a key', async () => {
    expect((await fetch(new URL('/api/v1/tools', url))).status).toBe(401);
    expect((await api('GET', '/api/v1/tools', 'tck_wrong')).status).toBe(401);
  });

  it('shows what admin and user allow, once an account is connected', async () => {
    const client = await connect(first.key.key);
    expect(await greenhouseTools(client)).toEqual([]);
    await connectGreenhouse();
    expect(await greenhouseTools(client)).toHaveLength(16);
    await setLevels('read-write', 'read-write');
    expect(await greenhouseTools(client)).toHaveLength(29);
    await setLevels('read-write', 'read-only');
    expect(await greenhouseTools(client)).toHaveLength(16);
    await setLevels('disabled', 'read-write');
    expect(await greenhouseTools(client)).toEqual([]);
  });

  it('calls with the account of the caller, as the caller, and writes down that it did', async () => {
    await connectGreenhouse();
    await setLevels('read-write', 'read-write');
    const client = await connect(first.key.key);
    const created = await client.callTool({
      name: 'greenhouse_add_candidate_note',
      arguments: { id: 53883394, user_id: 158104, body: 'Called.', visibility: 'private' },
    });
    const request = greenhouse.requests.at(-1);
    expect(created.isError, JSON.stringify(created.content)).not.toBe(true);
    expect(request?.headers).toMatchObject({
      'on-behalf-of': GREENHOUSE_USER,
      authorization: `Basic ${Buffer.from('greenhouse-key:').toString('base64')}`,
    });
    const usage = await api('GET', '/api/v1/usage?groupBy=operation', first.key.key);
    expect(usage.body.usage).toMatchObject([{ key: 'add_candidate_note', calls: 1, errors: 0 }]);
  });

  it('says of an account that Nango no longer has since when, until a call goes through again', async () => {
    const connection = await connectGreenhouse();
    const client = await connect(first.key.key);
    const call = () => client.callTool({ name: 'greenhouse_list_jobs', arguments: {} });
    const since = async () =>
      (await api('GET', `/api/v1/connections/${connection}`, first.key.key)).body.reconnectSince;
    expect(await since()).toBeNull();
    nango.add({ ...accountAtNango(), id: 'of-others' });
    nango.remove(`${first.user.id}:greenhouse`);
    expect((await call()).isError).toBe(true);
    await vi.waitFor(async () => expect(await since()).toMatch(/^\d{4}-/));
    nango.add(accountAtNango());
    expect((await call()).isError).not.toBe(true);
    await vi.waitFor(async () => expect(await since()).toBeNull());
  });

  it('takes an access away in the middle of a session, at the next call, on every process', async () => {
    const connection = await connectGreenhouse();
    const other = await start();
    const clients = [await connect(first.key.key), await connect(first.key.key, other.url)];
    const call = (client: Client) => client.callTool({ name: 'greenhouse_list_jobs', arguments: {} });
    for (const client of clients) expect((await call(client)).isError).not.toBe(true);
    await setLevels('disabled', 'read-only');
    for (const client of clients) {
      const refused = await call(client).catch((error: Error) => ({ isError: true, content: error.message }));
      expect(JSON.stringify(refused)).toMatch(/admin-level|tool_forbidden|tool_unknown|Unknown tool|no tool/);
    }
    await setLevels('read-only', 'read-only');
    for (const client of clients) expect((await call(client)).isError).not.toBe(true);
    expect((await api('DELETE', `/api/v1/connections/${connection}`, first.key.key)).status).toBeLessThan(
      300,
    );
    for (const client of clients) {
      const refused = await call(client).catch((error: Error) => ({ isError: true, content: error.message }));
      expect(refused.isError).toBe(true);
    }
    expect((await api('DELETE', `/api/v1/keys/${first.key.record.id}`, first.key.key)).status).toBeLessThan(
      300,
    );
    for (const client of clients) await expect(call(client)).rejects.toThrow();
  });

  it('has the seed’s capability profile', async () => {
    const before = await api('GET', '/api/skills/config', first.key.key);
    expect(before.body).toMatchObject({ hasATS: false, atsProvider: null, effectiveAccess: { ats: 'none' } });
    await connectGreenhouse();
    const after = await api('GET', '/api/skills/config', first.key.key);
    expect(after.body).toMatchObject({
      hasATS: true,
      atsProvider: 'greenhouse',
      effectiveAccess: { ats: 'read-only', email: 'none' },
    });
  });

  it('carries a proxy request through the same checks', async () => {
    await connectGreenhouse();
    const send = (body: object) =>
      api('POST', '/api/v1/ats/proxy', first.key.key, { provider: 'greenhouse', ...body });
    expect(await send({ method: 'GET', path: '/jobs' })).toMatchObject({
      status: 200,
      body: { meta: { provider: 'greenhouse', method: 'GET', path: '/jobs' } },
    });
    expect(
      await send({ method: 'POST', path: '/candidates', body: { first_name: 'A', last_name: 'B' } }),
    ).toMatchObject({
      status: 403,
      body: { error: { message: 'You have read-only access to the ATS' } },
    });
    expect(await send({ method: 'GET', path: '/candidates/../users' })).toMatchObject({
      status: 403,
      body: { error: { message: 'Access to this endpoint is not allowed' } },
    });
    const { body } = await api('GET', '/api/v1/usage?groupBy=operation', first.key.key);
    expect(JSON.stringify(body)).toContain('list_jobs');
  });

  it('offers the generic tools over the connected provider', async () => {
    await connectGreenhouse();
    const client = await connect(first.key.key);
    expect(await namesOf(client)).toEqual(
      expect.arrayContaining(['get_ats_candidate', 'search_ats_candidates']),
    );
    const found = await client.callTool({ name: 'search_ats_candidates', arguments: { limit: 1 } });
    expect(found.structuredContent).toMatchObject({
      candidates: [{ provider: 'greenhouse', id: expect.any(String) }],
    });
    const refused = await client.callTool({ name: 'search_ats_candidates', arguments: { query: 'ada' } });
    expect(JSON.stringify(refused.content)).toContain('cannot take query');
  });

  it('says in which integration its members connect accounts, which may be called otherwise than its provider', async () => {
    const { body } = await api('GET', '/api/v1/config', first.key.key);
    expect(body.capabilities.sources).toEqual([
      {
        name: 'greenhouse',
        provider: 'greenhouse',
        category: 'ats',
        level: 'none',
        connection: 'missing',
        integration: 'greenhouse-eu',
      },
    ]);
  });

  it('keeps one organisation from another', async () => {
    await connectGreenhouse();
    const org = await api('POST', '/api/v1/orgs', OPERATOR, { name: 'Other' });
    expect(org.status).toBe(201);
    const user = await api('POST', '/api/v1/users', OPERATOR, {
      organisation: org.body.id,
      name: 'Eve',
      roles: ['admin'],
    });
    const key = await api('POST', '/api/v1/keys', OPERATOR, { user: user.body.id, name: 'k' });
    const eve = key.body.key as string;
    expect(await greenhouseTools(await connect(eve))).toEqual([]);
    expect((await api('GET', `/api/v1/users/${first.user.id}`, eve)).status).toBe(404);
    const stolen = await api('POST', '/api/v1/connections', eve, {
      source: 'greenhouse',
      credentials: { nango: { integration: 'greenhouse-eu', connection: `${first.user.id}:greenhouse` } },
    });
    expect(stolen.status).toBe(400);
    expect((await api('GET', '/api/v1/usage?groupBy=user', eve)).body).not.toMatchObject({
      usage: [expect.anything()],
    });
  });
});
