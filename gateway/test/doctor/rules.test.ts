import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseConfiguration } from '../../src/config/parse.ts';
import { shapingConfiguration, surfaceConfiguration } from '../../src/config/settings/topology.ts';
import { checkApprovalRules } from '../../src/doctor/approval-rules.ts';
import { checkBudgets } from '../../src/doctor/budgets.ts';
import { checkDefaultLevels } from '../../src/doctor/default-levels.ts';
import { checkTopology } from '../../src/doctor/topology.ts';
import { checkTopologyRoles } from '../../src/doctor/topology-roles.ts';
import type { BudgetRule } from '../../src/operations/index.ts';
import { openStore } from '../../src/store/open-store.ts';

const entry = {
  name: 'shop_order',
  operation: 'shop/order',
  facts: {
    id: 'order',
    source: 'shop',
    tags: ['orders'],
    access: 'write',
    http: { method: 'POST', path: '/desk/orders' },
  },
};
const view = {
  catalog: { entries: [entry], byTool: (name: string) => (name === entry.name ? entry : undefined) },
  tools: [entry, { name: 'crm_list_people' }],
} as unknown as Parameters<typeof checkBudgets>[1];

describe('doctor looks at rules of approvals', () => {
  it.each([
    [{}, true],
    [{ source: 'shop', operation: 'order' }, true],
    [{ operation: 'order', role: 'cashier', hint: 'requires_confirmation' }, true],
    [{ source: 'shpo' }, false],
    [{ operation: 'order.*' }, false],
    [{ tool: 'shop_order', access: 'delete' }, false],
  ] as const)('%j picks something: %s', (part, picks) => {
    const findings = checkApprovalRules([{ ...part, action: 'ask' }], view);
    expect(findings.map(({ status }) => status)).toEqual(picks ? [] : ['warning']);
  });

  it('names the rule', () => {
    const [finding] = checkApprovalRules([{ action: 'allow' }, { source: 'shpo', action: 'ask' }], view);
    expect(finding?.message).toContain('Rule 2 of policy.approvals.rules (source shpo: ask)');
  });
});

describe('doctor looks at budgets', () => {
  it.each<[Partial<BudgetRule>, boolean]>([
    [{}, true],
    [{ tool: 'shop_order', access: 'write' }, true],
    [{ tool: 'shop_ordre' }, false],
    [{ source: 'shop', tag: 'orders' }, true],
    [{ source: 'shop', tag: 'order' }, false],
    [{ operation: 'shop_order' }, false],
    [{ access: 'delete' }, false],
    [{ tool: 'crm_list_people' }, true],
    [{ tool: 'crm_list_people', access: 'read' }, false],
  ])('%j covers something: %s', (part, covers) => {
    const rule = { name: 'b', per: 'principal' as const, windowMs: 1, calls: 1, ...part };
    expect(checkBudgets([rule], view).map(({ check }) => check)).toEqual(covers ? [] : ['budget b']);
  });
});

describe('doctor looks at what the topology names', () => {
  const said = (topology: object) =>
    checkTopology(surfaceConfiguration({ topology: { name: 'hybrid', ...topology } }), view, {}).map(
      ({ message }) => message,
    );

  it.each([
    { pinned: ['order', 'shop_order', 'shop/order', 'orders', 'desk'] },
    { ranking: ['orders', 'mine', 'shop'], categories: { mine: { select: [{ path: '/desk/**' }] } } },
    { categories: { mine: { tags: ['nothing', 'orders'] } } },
  ])('%j is all there', (topology) => {
    expect(said(topology)).toEqual([]);
  });

  it('and at what is not there', () => {
    const categories = { none: { tags: ['ordres'] } };
    expect(said({ pinned: ['ordr'], ranking: ['order', 'none'], categories })).toEqual([
      'topology.pinned names ordr, and no operation and no category is called so. Did you mean "order"?',
      'topology.ranking names order, and no category is called so. Did you mean "orders"?',
      'topology.categories.none picks none of the operations that are there.',
    ]);
  });
});

describe('doctor looks at what the limits and fields of shaping are for', () => {
  const said = (shaping: object, ofShop?: object) =>
    checkTopology(surfaceConfiguration({ topology: 'hybrid', shaping }), view, {
      shop: ofShop === undefined ? {} : { shaping: shapingConfiguration(ofShop) },
    }).map(({ message }) => message);

  it('which is there', () => {
    const shaping = { limits: { orders: 5, desk: 7, '*': 9 }, essential: { orders: ['id'] } };
    expect(said(shaping, { limits: { orders: 1, '*': 2 } })).toEqual([]);
    expect(said({ limits: {} }, { enabled: false })).toEqual([]);
  });

  it('and which is not', () => {
    const shaping = { limits: { ordres: 5, listOrders: 3 }, essential: { Orders: ['id'] } };
    expect(said(shaping, { limits: { people: 1 } })).toEqual([
      'shaping.limits names ordres, and no tag and no word of a path is called so. Did you mean "orders"?',
      'shaping.limits names listOrders, and no tag and no word of a path is called so.',
      'shaping.essential names Orders, and no tag and no word of a path is called so. Did you mean "orders"?',
      'sources.shop.shaping.limits names people, and no tag and no word of a path is called so.',
    ]);
  });
});

describe('doctor looks at what new organisations and users get', () => {
  const listed = (...sources: ReadonlyArray<{ name: string; provider?: { category: string } }>) =>
    ({ catalog: { sources } }) as unknown as Parameters<typeof checkDefaultLevels>[1];
  const said = async (levels: object, catalog = listed({ name: 'shop' }, { name: 'hire' })) => {
    const sources = {
      shop: { openapi: 'shop.json' },
      hire: { openapi: 'hire.json', category: 'ats' },
    };
    const raw = { sources, policy: { defaults: { user: levels } } };
    const findings = checkDefaultLevels(
      await parseConfiguration(raw, { baseDirectory: '/', env: {} }),
      catalog,
    );
    return findings.map(({ status, message }) => `${status}: ${message}`);
  };

  it('categories of sources, with that of those that name none', async () => {
    expect(await said({ '*': 'none', api: 'read-only', ats: 'disabled' })).toEqual([]);
  });

  it('a category that is nearly one is a warning, one that may come a note', async () => {
    expect(await said({ atss: 'disabled', files: 'read-only' })).toEqual([
      'warning: policy.defaults.user names the category atss, which no source has. Did you mean "ats"?',
      'info: policy.defaults.user names the category files, which no source has.',
    ]);
  });

  it('says nothing where a source could not be compiled, which may have it', async () => {
    expect(await said({ atss: 'disabled' }, listed({ name: 'hire' }))).toEqual([]);
  });
});

describe('doctor looks at roles of the topology', () => {
  const topology = {
    name: 'flat',
    for: [
      { client: 'x', name: 'base' },
      { role: 'recruitr', name: 'base' },
    ],
  };
  const said = async (more: object) =>
    (
      await checkTopologyRoles(
        await parseConfiguration({ topology, ...more }, { baseDirectory: '/', env: {} }),
      )
    ).map(({ message, next }) => `${message} ${next}`);

  it('of which there are none without a team', async () => {
    expect(await said({})).toEqual([
      'Rule 2 of topology.for is for the role recruitr, which nobody has. Without `auth.mode: team` nobody has a role: choose by `client`, or take the rule out.',
    ]);
  });

  it('that no organisation of the store has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-roles-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const store = `sqlite:${join(folder, 'store.db')}`;
    const team = { store, auth: { mode: 'team' } };
    expect(await said(team)).toEqual([]);
    const { database, close } = await openStore(store);
    await database
      .insertInto('organisations')
      .values({ id: 'acme', name: 'Acme', tools: null, features: '[]', created_at: 0 })
      .execute();
    await database
      .insertInto('roles')
      .values({ organisation_id: 'acme', name: 'recruiter', permissions: '[]' })
      .execute();
    await close();
    expect(await said(team)).toEqual([
      'Rule 2 of topology.for is for the role recruitr, which nobody has. Did you mean "recruiter"? Correct the role, or add it: `toolcrib admin role set`.',
    ]);
    const jwt = { issuer: 'https://id.example', audience: 'tools' };
    expect(await said({ store, auth: { mode: 'team', jwt } })).toEqual([]);
  });
});
