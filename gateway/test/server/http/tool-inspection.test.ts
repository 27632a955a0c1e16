import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, teamGateway } from './team-gateway.ts';

const operation = (operationId: string, summary: string, more: object = {}) => ({
  operationId,
  summary,
  tags: ['pets'],
  responses: { 200: { description: 'ok' } },
  ...more,
});
const NAME = { name: 'name', in: 'query', required: true, schema: { type: 'string' } };

const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: {
    '/pets': {
      get: operation('listPets', 'List all pets'),
      post: operation('addPet', 'Add a pet', { parameters: [NAME] }),
      delete: operation('removePets', 'Remove pets'),
    },
    '/vault': { get: operation('readVault', 'Read the vault', { 'x-required-permissions': ['keeper'] }) },
    '/beta': { get: operation('readBeta', 'Read what is new') },
    '/everything': { delete: operation('purgeEverything', 'Destroy everything') },
  },
};
const VANS = {
  ...PETS,
  paths: { '/vans': { get: operation('listVans', 'List all vans'), post: operation('addVan', 'Add a van') } },
};

let folder: string;
let team: Awaited<ReturnType<typeof teamGateway>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-inspection-'));
  await writeFile(join(folder, 'pets.json'), JSON.stringify(PETS));
  await writeFile(join(folder, 'vans.json'), JSON.stringify(VANS));
  team = await teamGateway({
    topology: 'flat',
    policy: {
      defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      approvals: { write: 'ask' },
    },
    sources: {
      pets: {
        openapi: join(folder, 'pets.json'),
        prefix: 'none',
        access: [{ operation: 'purgeEverything', access: 'dangerous' }],
        permissions: { extension: 'x-required-permissions' },
        features: { beta: { operations: ['readBeta'], enabled: false } },
      },
      vans: { openapi: join(folder, 'vans.json'), prefix: 'none' },
    },
  });
});
afterAll(async () => {
  await team[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const states = async (call: Caller, query = '') => {
  const [status, body] = await call('GET', `/api/v1/operations${query}`);
  expect(status).toBe(200);
  return Object.fromEntries(
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    body.operations.map(({ tool, state, hidden, gate }: any) => [
      tool,
      [state, hidden?.check, gate === undefined ? undefined : 'gated'].filter(Boolean).join(' '),
    ]),
  );
};
const key = async (user: string, more: object) => {
  const [, made] = await team.admin('POST', '/api/v1/keys', { user, name: 'narrow', ...more });
  return team.as(made.key);
};

describe('GET /api/v1/operations', () => {
  it('shows the operator everything, with what hides it', async () => {
    expect(await states(team.operator)).toEqual({
      addPet: 'listed gated',
      addVan: 'listed gated',
      listPets: 'listed',
      listVans: 'listed',
      readBeta: 'hidden feature',
      readVault: 'hidden permissions',
      removePets: 'listed gated',
    });
    const [, body] = await team.operator('GET', '/api/v1/operations?state=hidden');
    expect(body).toMatchObject({
      counts: { all: 7, listed: 5, hidden: 2, gated: 3, reachable: 0 },
      sources: ['pets', 'vans'],
    });
    expect(body.operations[1]).toMatchObject({
      operation: 'readVault',
      access: 'read',
      method: 'GET',
      path: '/vault',
      hidden: { check: 'permissions', value: 'none', needed: 'keeper', change: expect.any(String) },
    });
  });

  it('names to a user nothing that others withhold, and what the own choice would open', async () => {
    const ben = await team.user('Ben');
    expect(await states(ben.call)).toEqual({
      addPet: 'listed gated',
      addVan: 'listed gated',
      listPets: 'listed',
      listVans: 'listed',
      removePets: 'listed gated',
    });
    await ben.call('PUT', '/api/v1/access/me', { scope: 'source:pets', level: 'read-only' });
    expect(await states(ben.call)).toMatchObject({ addPet: 'hidden user-level', listPets: 'listed' });
    await team.admin('PUT', '/api/v1/access', { user: ben.id, scope: 'source:vans', level: 'disabled' });
    const text = JSON.stringify((await ben.call('GET', '/api/v1/operations'))[1]);
    for (const withheld of ['purge', 'Vault', 'Beta', 'keeper']) expect(text).not.toContain(withheld);
  });

  it('names to an admin what the organisation can open, and nothing dangerous', async () => {
    expect(await states(team.admin)).toMatchObject({
      readBeta: 'hidden feature',
      readVault: 'hidden permissions',
    });
    const [, body] = await team.admin('GET', '/api/v1/operations?q=purge');
    expect(body).toMatchObject({ operations: [], counts: { all: 0 } });
  });

  it('keeps to what a key is limited to', async () => {
    const eve = await team.user('Eve');
    const onlyVans = await key(eve.id, { sources: ['vans'], maxAccess: 'read' });
    expect(await states(onlyVans)).toEqual({ listVans: 'listed' });
    const [, body] = await onlyVans('GET', '/api/v1/operations');
    expect(body.sources).toEqual(['vans']);
  });

  it('filters, and pages by name', async () => {
    expect(Object.keys(await states(team.operator, '?source=vans&access=write'))).toEqual(['addVan']);
    expect(Object.keys(await states(team.operator, '?q=get+vault'))).toEqual(['readVault']);
    expect(Object.keys(await states(team.operator, '?state=gated'))).toEqual([
      'addPet',
      'addVan',
      'removePets',
    ]);
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const [, page] = await team.operator('GET', `/api/v1/operations?limit=3&cursor=${cursor}`);
      // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
      seen.push(...page.operations.map(({ tool }: any) => tool));
      cursor = page.next;
    }
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toHaveLength(7);
    expect((await team.operator('GET', '/api/v1/operations?state=nothing'))[0]).toBe(400);
  });
});

describe('GET /api/v1/search', () => {
  it('finds what a model finds, and only what the caller may call', async () => {
    const [status, body] = await team.operator('GET', '/api/v1/search?q=add+a+pet');
    expect(status).toBe(200);
    expect(body.hits[0]).toMatchObject({
      tool: 'addPet',
      listed: true,
      operation: 'addPet',
      source: 'pets',
      access: 'write',
      method: 'POST',
      path: '/pets',
      description: 'Add a pet',
      score: expect.any(Number),
    });
    const ida = await team.user('Ida');
    const [, withheld] = await ida.call('GET', '/api/v1/search?q=destroy+everything+vault+new&limit=50');
    expect(JSON.stringify(withheld)).not.toMatch(/purge|Vault|Beta/);
    const reading = await key(ida.id, { maxAccess: 'read', sources: ['vans'] });
    const [, narrow] = await reading('GET', '/api/v1/search?q=add+list+pets+vans');
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    expect(narrow.hits.map(({ tool }: any) => tool)).toEqual(['listVans']);
    const [, intent] = await team.operator('GET', '/api/v1/search?q=pets&intent=delete&source=pets');
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    expect(intent.hits.map(({ tool }: any) => tool)).toEqual(['removePets']);
  });
});

describe('GET /api/v1/tools/{name}', () => {
  it('gives an example, what asks, and what it costs', async () => {
    const [, body] = await team.operator('GET', '/api/v1/tools/addPet?tokens=true');
    expect(body).toMatchObject({
      listed: true,
      example: { arguments: { name: 'example' }, made: ['/name'] },
      approval: { kind: 'asks', reason: 'The policy asks for every write.' },
      calls: '/api/v1/events?tool=addPet',
      tokens: expect.any(Number),
    });
    expect(body.tokens).toBeGreaterThan(10);
    const [, reading] = await team.operator('GET', '/api/v1/tools/listPets');
    expect(reading.approval).toBeUndefined();
    expect(reading.tokens).toBeUndefined();
  });

  it.each([
    ['GET', '/api/v1/tools?topology=serach'],
    ['GET', '/api/v1/tools/listPets?topology=serach'],
    ['GET', '/api/v1/tokens?topology=serach'],
    ['POST', '/api/v1/tools/listPets/call', { topology: 'serach' }],
  ])('says that there is no such topology: %s %s', async (method, path, body?: object) => {
    const message = expect.stringMatching(/no topology "serach".*it has: .*search/);
    expect(await team.operator(method, path, body)).toMatchObject([
      400,
      { error: { code: 'request_invalid', pointer: '/topology', message } },
    ]);
  });

  it('gives operations that other tools reach, and the tools of a topology', async () => {
    const [, body] = await team.operator('GET', '/api/v1/tools/call_tool?topology=search');
    expect(body).toMatchObject({ tool: { name: 'call_tool' }, listed: false });
    expect((await team.operator('GET', '/api/v1/tools/call_tool'))[0]).toBe(404);
    const [, flat] = await team.operator('GET', '/api/v1/tools/listPets?topology=flat');
    expect(flat).toMatchObject({ listed: true, operation: { id: 'listPets' } });
    const joe = await team.user('Joe');
    for (const hidden of ['purgeEverything', 'readVault', 'readBeta'])
      expect((await joe.call('GET', `/api/v1/tools/${hidden}?topology=flat`))[0]).toBe(404);
  });
});

describe('GET /api/v1/tokens', () => {
  it('measures every topology, and what auto takes within any budget', async () => {
    const [status, body] = await team.operator('GET', '/api/v1/tokens');
    expect(status).toBe(200);
    const names = body.topologies.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['flat', 'hybrid', 'search', 'base', 'categories']));
    const flat = body.topologies.find(({ name }: { name: string }) => name === 'flat');
    expect(body).toMatchObject({
      encoding: 'o200k_base',
      listed: { topologies: ['flat'], tools: 5, tokens: flat.tokens },
      configured: { topology: 'flat', budget: 20_000 },
      budget: 20_000,
      auto: { took: 'flat', fits: true, considered: [{ name: 'flat', tools: 5, tokens: flat.tokens }] },
      largest: { topology: 'flat' },
    });
    const sum = body.largest.tools.reduce((all: number, one: { tokens: number }) => all + one.tokens, 0);
    expect(sum).toBe(flat.tokens);

    const [, least] = await team.operator('GET', '/api/v1/tokens?budget=1');
    expect(least.auto).toMatchObject({ fits: false });
    expect(least.auto.considered.every(({ fits }: { fits: boolean }) => !fits)).toBe(true);
    const [, exact] = await team.operator('GET', `/api/v1/tokens?budget=${flat.tokens}`);
    expect(exact.auto.took).toBe('flat');
    const [, less] = await team.operator('GET', `/api/v1/tokens?budget=${flat.tokens - 1}`);
    expect(less.auto.took).not.toBe('flat');
    expect(less.auto.considered[0]).toMatchObject({ name: 'flat', fits: false });
  });

  it('measures the view of another user for an admin, and for nobody else', async () => {
    const kim = await team.user('Kim');
    await team.admin('PUT', '/api/v1/access', { user: kim.id, scope: 'category:*', level: 'disabled' });
    const [, own] = await team.admin('GET', '/api/v1/tokens');
    const [, hers] = await team.admin('GET', `/api/v1/tokens?as=${kim.id}`);
    expect(own.listed.tools).toBeGreaterThan(0);
    expect(hers.listed).toMatchObject({ tools: 0, tokens: 0 });
    const leo = await team.user('Leo');
    expect((await leo.call('GET', `/api/v1/tokens?as=${kim.id}`))[0]).toBe(404);
    expect(JSON.stringify((await leo.call('GET', '/api/v1/tokens?topology=flat'))[1])).not.toMatch(
      /purge|Vault|Beta/,
    );
  });
});
