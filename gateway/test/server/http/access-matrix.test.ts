import { describe, expect, test } from 'vitest';
import { createGateway, defineTool } from '../../../src/index.ts';
import type { Principal } from '../../../src/operations/index.ts';
import type { AccessMatrix, OperationsPage } from '../../../src/server/http/admin/access-administration.ts';
import type { SharedMatrix } from '../../../src/server/http/routes/access/share-cells.ts';
import fc from '../../properties.ts';
import { accessTeam, anyChanges } from './access-team.ts';

/** Without a role, while every level is open. */
const VISIBLE_TO_BEN = [
  'items_create_item',
  'items_delete_item',
  'items_list_items',
  'notes_list_notes',
  'pets_addPet',
  'pets_listPets',
];
const matrixOf = (organisation: string) => `/api/v1/access/matrix?organisation=${organisation}`;
const hello = defineTool({ name: 'hello', description: 'Says hello', access: 'read', handler: () => ({}) });
const wipe = defineTool({ name: 'wipe', description: 'Wipes', access: 'dangerous', handler: () => ({}) });
const error = (code: string) => ({ error: { code } });

test('whatever is granted, the matrix says what explain says, operation by operation', async () => {
  await using team = await accessTeam();
  const { operator, organisation, gateway, people, account } = team;
  const dangerous = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      anyChanges(people),
      fc.constantFrom('connected', 'unauthenticated', 'disabled'),
      async (changes, status) => {
        await team.done(operator, 'PATCH', `/api/v1/connections/${account}`, { status });
        await team.done(operator, 'POST', '/api/v1/access/changes', {
          organisation: organisation.id,
          changes,
        });
        const matrix: AccessMatrix = await team.done(operator, 'GET', matrixOf(organisation.id));
        expect(matrix.rows.map(({ id }) => id).sort()).toEqual([...people].sort());
        for (const row of matrix.rows) {
          const page: OperationsPage = await team.done(
            operator,
            'GET',
            `/api/v1/access/operations?user=${row.id}&limit=200`,
          );
          expect(page.operations).toHaveLength(page.total);
          const principal: Principal = {
            id: row.id,
            kind: 'user',
            maxAccess: 'delete',
            roles: [],
            organisation: organisation.id,
          };
          for (const { id } of page.never ?? []) dangerous.add(id);
          for (const explained of page.operations) {
            // a disabled user is not explained: nothing is granted
            if (row.status === 'disabled') expect(explained.visible).toBe(false);
            else expect(explained).toEqual(await gateway.explain(explained.tool, principal));
          }
          const visible = page.operations.filter((one) => one.visible);
          for (const cell of row.cells) {
            const seen = visible.filter(({ operation }) => operation.source === cell.source);
            expect([row.id, cell.source, cell.visible]).toEqual([row.id, cell.source, seen.length]);
          }
        }
      },
    ),
    { numRuns: 20 },
  );
  expect([...dangerous].sort()).toEqual(['burn_notes', 'purge_items', 'wipePets']);
}, 120_000);

test('cells=shared writes each different cell once, and says the same', async () => {
  await using team = await accessTeam();
  const { operator, organisation } = team;
  const matrix: AccessMatrix = await team.done(operator, 'GET', matrixOf(organisation.id));
  const { shared, rows, ...rest }: SharedMatrix = await team.done(
    operator,
    'GET',
    `${matrixOf(organisation.id)}&cells=shared`,
  );
  expect(new Set(shared.map((cell) => JSON.stringify(cell))).size).toBe(shared.length);
  const cellsOf = ({ at }: SharedMatrix['rows'][number]) =>
    at.map((place, index) => ({ source: rest.sources[index]!.name, ...shared[place] }));
  const whole = rows.map(({ at, ...row }) => {
    expect(row.cells).toEqual([]);
    return { ...row, cells: cellsOf({ at, ...row }) };
  });
  expect({ ...rest, rows: whole }).toEqual(matrix);
});

describe('who sees which rows', () => {
  test('an admin the own organisation without dangerous operations, a user the own row', async () => {
    await using team = await accessTeam();
    const { admin, ben, organisation, rival, ann } = team;
    const own: AccessMatrix = await team.done(admin, 'GET', '/api/v1/access/matrix');
    expect(own).toMatchObject({ mode: 'team', organisation: organisation.id, manages: true, total: 3 });
    expect(own.rows.map(({ name }) => name)).toEqual(['Ann', 'Ben', 'Cat']);
    expect(own.sources).toMatchObject([
      { name: 'items', category: 'crm', connections: 'records', allowed: 'read-write', operations: 6 },
      { name: 'notes', connections: 'shared', allowedBy: 'category:*', operations: 2 },
      { name: 'pets', category: 'api', operations: 2 },
    ]);
    expect(JSON.stringify(own)).not.toContain('Eve');

    const bens: AccessMatrix = await team.done(ben.call, 'GET', '/api/v1/access/matrix');
    expect(bens).toMatchObject({ manages: false, total: 1, rows: [{ id: ben.id }] });
    expect(await ben.call('GET', `/api/v1/access/operations?user=${ann.id}`)).toMatchObject([
      404,
      error('record_unknown'),
    ]);

    for (const path of [matrixOf(rival.id), `/api/v1/access/operations?user=${rival.user}`]) {
      expect(await admin('GET', path)).toMatchObject([404, error('record_unknown')]);
    }
    expect(await admin('GET', `/api/v1/access/operations?organisation=${rival.id}`)).toMatchObject([
      404,
      error('record_unknown'),
    ]);
    const listed: OperationsPage = await team.done(admin, 'GET', `/api/v1/access/operations?user=${ben.id}`);
    expect(listed).not.toHaveProperty('never');
    expect(listed.total).toBe(10);
    // what only an admin would change is told to the admin alone
    const told: OperationsPage = await team.done(ben.call, 'GET', '/api/v1/access/operations');
    expect(told).not.toHaveProperty('never');
    expect(told.operations.map(({ tool }) => tool)).toEqual(VISIBLE_TO_BEN);
  });

  test('a user learns what the own level would open, and nothing that only an admin could', async () => {
    await using team = await accessTeam();
    const { admin, ben } = team;
    await team.done(ben.call, 'PUT', '/api/v1/access/me', { scope: 'source:items', level: 'read-only' });
    await team.done(admin, 'PUT', '/api/v1/access', { scope: 'source:notes', level: 'disabled' });
    const names = async (query = '') => {
      const page: OperationsPage = await team.done(ben.call, 'GET', `/api/v1/access/operations${query}`);
      return page.operations.map(({ tool }) => tool);
    };
    expect(await names()).toEqual(VISIBLE_TO_BEN.filter((name) => !name.startsWith('notes')));
    expect(await names('?show=hidden')).toEqual(['items_create_item', 'items_delete_item']);
    expect(await names('?show=visible&source=pets')).toEqual(['pets_addPet', 'pets_listPets']);
  });

  test('the operator names the organisation, approvers and strangers see nothing', async () => {
    await using team = await accessTeam();
    expect(await team.operator('GET', '/api/v1/access/matrix')).toMatchObject([400, error('record_invalid')]);
    expect(await team.operator('GET', '/api/v1/access/operations')).toMatchObject([
      400,
      error('record_invalid'),
    ]);
    expect(await team.as(undefined)('GET', '/api/v1/access/matrix')).toMatchObject([
      401,
      error('unauthorized'),
    ]);
    const key = await team.done(team.operator, 'POST', '/api/v1/keys', {
      user: team.ann.id,
      name: 'decides',
      purpose: 'approve',
    });
    expect(await team.as(key.key)('GET', '/api/v1/access/matrix')).toMatchObject([
      403,
      error('tool_forbidden'),
    ]);
  });
});

test('pages hold everybody once, in order of their names, numbers in them as numbers', async () => {
  await using team = await accessTeam();
  for (const name of ['bot-10', 'bot-9', 'cat', 'bot-9'])
    await team.done(team.admin, 'POST', '/api/v1/users', { name });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page: AccessMatrix = await team.done(
      team.admin,
      'GET',
      `/api/v1/access/matrix?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    );
    names.push(...page.rows.map(({ name }) => name));
    expect(page.total).toBe(7);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(['Ann', 'Ben', 'bot-9', 'bot-9', 'bot-10', 'cat', 'Cat']);
  const found: AccessMatrix = await team.done(team.admin, 'GET', '/api/v1/access/matrix?q=SELL');
  expect(found.rows.map(({ name }) => name)).toEqual(['Cat']);

  const tools: string[] = [];
  cursor = undefined;
  do {
    const page: OperationsPage = await team.done(
      team.admin,
      'GET',
      `/api/v1/access/operations?user=${team.cat.id}&limit=3${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    );
    tools.push(...page.operations.map(({ tool }) => tool));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(tools).toEqual([...new Set(tools)].sort());
  expect(tools).toHaveLength(10);
});

test('a gateway without users shows its one caller, by the configuration', async () => {
  await using stack = new AsyncDisposableStack();
  const gateway = await createGateway(
    { store: 'none', cache: false, watch: false },
    { functions: { tools: { tools: [hello, wipe] } } },
  );
  stack.defer(() => gateway.close());
  const ask = async (path: string) => {
    const response = await gateway.fetch(new Request(new URL(path, 'http://127.0.0.1')));
    return [response.status, await response.json()];
  };
  expect(await ask('/api/v1/access/matrix')).toMatchObject([
    200,
    {
      mode: 'configuration',
      organisation: null,
      manages: false,
      sources: [{ name: 'tools', category: 'api', allowed: 'read-write', operations: 1 }],
      rows: [{ id: 'local', cells: [{ source: 'tools', level: 'read-write', visible: 1 }] }],
    },
  ]);
  expect(await ask('/api/v1/access/operations?source=tools')).toMatchObject([
    200,
    {
      principal: 'local',
      operations: [{ tool: 'hello', visible: true, callable: true }],
      never: [{ id: 'wipe', source: 'tools' }],
    },
  ]);
  for (const path of ['/api/v1/access/matrix?organisation=acme', '/api/v1/access/operations?user=ada']) {
    expect(await ask(path)).toMatchObject([404, error('not_found')]);
  }
});
