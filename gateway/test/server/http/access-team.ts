import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessChange } from '../../../src/principals/access/access-records.ts';
import fc from '../../properties.ts';
import { manifestWith } from '../../sources/manifest/item-manifest.ts';
import { type Caller, teamGateway } from './team-gateway.ts';

const operation = (id: string, access: string, requires?: object) => ({
  id,
  method: access === 'read' ? 'GET' : access === 'delete' ? 'DELETE' : 'POST',
  path: `/${id}`,
  access,
  description: `${id} of the store.`,
  ...(requires === undefined ? {} : { requires }),
});

const provider = (name: string, category: string, operations: readonly object[]) =>
  JSON.stringify({ ...manifestWith({}, { provider: name, category }), operations });

const ITEMS = provider('items', 'crm', [
  operation('list_items', 'read'),
  operation('create_item', 'write'),
  operation('delete_item', 'delete'),
  operation('purge_items', 'dangerous'),
  operation('audit_items', 'read', { roles: ['auditor', 'admin'] }),
  operation('price_item', 'write', { permissions: ['prices'] }),
  operation('rank_items', 'read', { feature: 'beta' }),
]);
const NOTES = provider('notes', 'office', [
  operation('list_notes', 'read'),
  operation('write_note', 'write', { roles: ['writer'] }),
  operation('burn_notes', 'dangerous'),
]);
const PETS = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: {
    '/pets': {
      get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } },
      post: { operationId: 'addPet', responses: { 200: { description: 'ok' } } },
    },
    '/pets/wipe': {
      post: {
        operationId: 'wipePets',
        'x-toolcrib-access': 'dangerous',
        responses: { 200: { description: 'ok' } },
      },
    },
  },
});

export const ROLES = ['auditor', 'writer', 'seller'] as const;
export const SOURCES = ['items', 'notes', 'pets'] as const;

/**
 * A gateway for a team over three sources that hold every kind of factor: `items` with accounts of each
 * organisation, `notes` and `pets` with one for all. Two users beside the admin, and the rival organisation.
 */
export async function accessTeam() {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-access-'));
  await writeFile(join(folder, 'items.yaml'), ITEMS);
  await writeFile(join(folder, 'notes.yaml'), NOTES);
  await writeFile(join(folder, 'pets.json'), PETS);
  const local = { baseUrl: 'http://127.0.0.1:9', credentials: 'none' };
  const team = await teamGateway({
    sources: {
      items: { manifest: join(folder, 'items.yaml'), ...local, whenUnauthenticated: 'list' },
      notes: { manifest: join(folder, 'notes.yaml'), ...local, connections: 'shared' },
      pets: {
        openapi: join(folder, 'pets.json'),
        baseUrl: local.baseUrl,
        features: { adding: { operations: ['addPet'] } },
      },
    },
  });
  const { admin, operator, organisation } = team;
  const done = async (caller: Caller, ...[method, path, body]: Parameters<Caller>) => {
    const [status, answer] = await caller(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  for (const role of ROLES) {
    await done(admin, 'PUT', `/api/v1/roles/${role}`, { permissions: role === 'seller' ? ['prices'] : [] });
  }
  const ben = await team.user('Ben');
  const cat = await team.user('Cat', { roles: ['seller'] });
  const rival = (await done(operator, 'POST', '/api/v1/orgs', { name: 'Rival' })).id as string;
  const eve = await done(operator, 'POST', '/api/v1/users', {
    organisation: rival,
    name: 'Eve of Rival',
    roles: ['admin'],
  });
  const eveKey = await done(operator, 'POST', '/api/v1/keys', { user: eve.id, name: 'eve' });
  const account = await done(operator, 'POST', '/api/v1/connections', {
    organisation: organisation.id,
    source: 'items',
    credentials: 'none',
  });
  return {
    ...team,
    ben,
    cat,
    people: [team.ann.id, ben.id, cat.id],
    rival: { id: rival, user: eve.id as string, admin: team.as(eveKey.key) },
    account: account.id as string,
    done,
    async [Symbol.asyncDispose]() {
      await team[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const level = fc.constantFrom('read-write', 'read-only', 'disabled', 'none', null);
const scope = fc.constantFrom(
  'category:*',
  'category:crm',
  'category:office',
  'category:api',
  ...SOURCES.map((name) => `source:${name}`),
);

/** Any edits about these people, the same thing twice among them. */
export function anyChanges(people: readonly string[]): fc.Arbitrary<AccessChange[]> {
  const user = fc.constantFrom(...people);
  const change = fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant('level' as const), scope, level }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant('level' as const), user, scope, level }), weight: 5 },
    {
      arbitrary: fc.record({
        kind: fc.constant('user' as const),
        user,
        roles: fc.uniqueArray(fc.constantFrom('admin', ...ROLES)),
        status: fc.constantFrom('active' as const, 'active' as const, 'disabled' as const),
      }),
      weight: 3,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('feature' as const),
        feature: fc.constantFrom('beta', 'pets.adding', 'gamma'),
        enabled: fc.boolean(),
      }),
      weight: 1,
    },
  );
  return fc.array(change, { maxLength: 8 });
}
