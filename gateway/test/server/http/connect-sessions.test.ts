import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNangoConnect } from '../../../src/credentials/nango/index.ts';
import { createEgress } from '../../../src/egress/index.ts';
import type { Principal } from '../../../src/operations/index.ts';
import { bootstrap, createDirectory } from '../../../src/principals/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { startNango } from '../../doubles/nango.ts';
import { httpEndpoint } from './http-endpoint.ts';

const LEVELS = { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } } as const;

/** The HTTP side over a real directory and a loopback Nango; every request comes from `caller`. */
async function connecting() {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-connect-'));
  const store = await openStore(`sqlite:${join(folder, 'team.db')}`);
  const nango = await startNango();
  const egress = createEgress({ allow: [new URL(nango.url).origin] });
  const { organisation, user } = await bootstrap(store, {
    defaults: LEVELS,
    organisation: { name: 'Acme' },
    user: { name: 'Ann', email: 'ann@example.com' },
  });
  const sources = {
    greenhouse: {
      category: 'ats',
      connections: 'records',
      whenUnauthenticated: 'hide',
      integration: 'greenhouse',
    },
  } as const;
  const links = createNangoConnect({
    egress,
    nango: { baseUrl: nango.url },
    env: { NANGO_SECRET_KEY: nango.secretKey },
  });
  const ann: Principal = {
    id: user.id,
    kind: 'user',
    organisation: organisation.id,
    maxAccess: 'delete',
    roles: [],
  };
  let caller = ann;
  const directory = createDirectory({ store, defaults: LEVELS, sources: () => sources });
  const endpoint = await httpEndpoint(
    { tools: [] },
    {},
    {
      directory,
      configuration: { sources: { greenhouse: {}, weather: {} } } as never,
      nango: (source) => (source === 'greenhouse' ? { ...links, integration: 'greenhouse' } : undefined),
    },
    { authenticate: async () => caller },
  );
  return {
    ann,
    nango,
    directory,
    as(principal: Principal) {
      caller = principal;
    },
    async post(path: string, body: unknown = {}) {
      return endpoint.json(path, {
        method: 'POST',
        headers: { authorization: 'Bearer tck_x', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    },
    async [Symbol.asyncDispose]() {
      await endpoint[Symbol.asyncDispose]();
      await store.close();
      await egress.close();
      await nango.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test('a user opens a page on which an account is connected, and another that connects it again', async () => {
  await using team = await connecting();
  const [status, session] = await team.post('/api/v1/connections/session', { source: 'greenhouse' });
  expect([status, session]).toEqual([
    201,
    {
      token: expect.any(String),
      connectLink: expect.stringMatching(/^https?:/),
      expiresAt: expect.any(String),
    },
  ]);
  expect(team.nango.sessions.at(-1)?.body).toMatchObject({
    end_user: { id: team.ann.id, email: 'ann@example.com' },
    allowed_integrations: ['greenhouse'],
  });

  team.nango.add({
    id: `${team.ann.id}:greenhouse`,
    integration: 'greenhouse',
    credentials: { type: 'API_KEY', apiKey: 'k' },
  });
  const { id } = await team.directory.connections.create(team.ann, {
    source: 'greenhouse',
    user: team.ann.id,
    credentials: { nango: { integration: 'greenhouse', connection: `${team.ann.id}:greenhouse` } },
  });
  expect(await team.post(`/api/v1/connections/${id}/reconnect`)).toMatchObject([
    201,
    { connectLink: expect.any(String) },
  ]);
});

test('not for a source without Nango, an unknown one, or an account that is not theirs to change', async () => {
  await using team = await connecting();
  const session = (source: string) => team.post('/api/v1/connections/session', { source });
  expect(await session('weather')).toMatchObject([400, { error: { code: 'record_invalid' } }]);
  expect(await session('nope')).toMatchObject([404, { error: { code: 'source_unknown' } }]);
  const { id } = await team.directory.connections.create(team.ann, {
    source: 'greenhouse',
    credentials: { nango: { integration: 'greenhouse', connection: `${team.ann.id}:greenhouse` } },
  });
  const bob = await team.directory.users.create(team.ann, { name: 'Bob' });
  team.as({ ...team.ann, id: bob.id });
  expect(await team.post(`/api/v1/connections/${id}/reconnect`)).toMatchObject([
    403,
    { error: { code: 'admin_needed' } },
  ]);
  expect(team.nango.sessions).toEqual([]);
});

test('a gateway without a store says so', async () => {
  await using endpoint = await httpEndpoint({ tools: [] });
  for (const path of ['/api/v1/orgs', '/api/v1/users', '/api/v1/usage']) {
    expect(await endpoint.json(path)).toMatchObject([404, { error: { code: 'not_found' } }]);
  }
});

test.each<Partial<Principal>>([{ maxAccess: 'read' }, { sources: ['weather'] }])(
  'a credential with %j connects no account',
  async (limits) => {
    await using team = await connecting();
    team.as({ ...team.ann, ...limits });
    expect(await team.post('/api/v1/connections/session', { source: 'greenhouse' })).toMatchObject([
      403,
      { error: { code: 'admin_needed' } },
    ]);
  },
);
