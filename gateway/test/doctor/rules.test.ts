import { describe, expect, it } from 'vitest';
import { surfaceConfiguration } from '../../src/config/settings/topology.ts';
import { checkApprovalRules } from '../../src/doctor/approval-rules.ts';
import { checkBudgets } from '../../src/doctor/budgets.ts';
import { checkTopology } from '../../src/doctor/topology.ts';
import type { BudgetRule } from '../../src/operations/index.ts';

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
    checkTopology(surfaceConfiguration({ topology: { name: 'hybrid', ...topology } }), view).map(
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
