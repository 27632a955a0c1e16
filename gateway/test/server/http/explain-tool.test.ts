import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { LOCAL_PRINCIPAL, type Principal, type ToolExplanation } from '../../../src/operations/index.ts';
import { createDirectory, type Directory } from '../../../src/principals/index.ts';
import type { GatewayAdmin } from '../../../src/server/http/admin/gateway-admin.ts';
import { explainTool } from '../../../src/server/http/routes/tools/explain-tool.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: { '/pets': { post: { operationId: 'addPet', responses: { 200: { description: 'ok' } } } } },
};

let folder: string;
let store: Store;
let directory: Directory;
let gateway: Gateway;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-explain-route-'));
  await writeFile(join(folder, 'pets.json'), JSON.stringify(DOCUMENT));
  const address = `sqlite:${join(folder, 'team.db')}`;
  store = await openStore(address);
  const defaults = { organisation: { '*': 'read-write' }, user: { '*': 'read-only' } } as const;
  directory = createDirectory({ store, defaults, sources: () => ({}) });
  for (const id of ['acme', 'rival']) await directory.organisations.create(LOCAL_PRINCIPAL, { id, name: id });
  const add = (id: string, organisation: string, roles: string[]) =>
    directory.users.create(LOCAL_PRINCIPAL, { id, organisation, name: id, roles });
  await add('ada', 'acme', ['admin']);
  await add('ben', 'acme', []);
  await add('eve', 'rival', ['admin']);
  gateway = await createGateway(
    {
      store: address,
      auth: { mode: 'team' },
      stateDirectory: join(folder, 'state'),
      sources: { pets: { openapi: './pets.json', prefix: 'none' } },
    },
    { baseDirectory: folder },
  );
});
afterAll(async () => {
  await gateway.close();
  await store.close();
  await rm(folder, { recursive: true });
});

const user = (id: string, organisation: string): Principal => ({
  id,
  kind: 'user',
  maxAccess: 'delete',
  roles: [],
  organisation,
});
const ask = async (principal: Principal, query: { as?: string } = {}, name = 'addPet') => {
  const admin = { ...gateway, directory } as unknown as GatewayAdmin;
  const context = { gateway: admin, principal } as unknown as Parameters<typeof explainTool.handle>[1];
  return (await explainTool.handle({ params: { name }, query, body: undefined }, context)) as ToolExplanation;
};

it('a principal is told about itself', async () => {
  const { principal, visible, checks } = await ask(user('ben', 'acme'));
  expect({ principal, visible }).toEqual({ principal: 'ben', visible: false });
  expect(checks.find(({ check }) => check === 'user-level')).toEqual({
    check: 'user-level',
    value: 'read-only (category:*)',
    needed: 'read-write',
    passes: false,
    change: 'The user chooses the level of category api or source pets.',
  });
  expect(await ask(user('ben', 'acme'), { as: 'ben' })).toMatchObject({ principal: 'ben' });
});

it('an admin is told about users of the own organisation, others about nobody', async () => {
  expect(await ask(user('ada', 'acme'), { as: 'ben' })).toMatchObject({ principal: 'ben', visible: false });
  expect(await ask(LOCAL_PRINCIPAL, { as: 'ben' })).toMatchObject({ principal: 'ben' });
  for (const asking of [user('ben', 'acme'), user('eve', 'rival')]) {
    await expect(ask(asking, { as: 'ada' })).rejects.toMatchObject({ code: 'record_unknown' });
  }
});

it('a tool that is not there is unknown', async () => {
  await expect(ask(user('ben', 'acme'), {}, 'nothing')).rejects.toMatchObject({ code: 'tool_unknown' });
});
