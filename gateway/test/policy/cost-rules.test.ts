import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/operations/index.ts';
import { applyCostRules, reviewCostRules } from '../../src/policy/cost-rules.ts';

const operation = (id: string, cost?: Operation['cost']): Operation => ({
  id,
  source: 'maps',
  description: 'd',
  input: { type: 'object' },
  access: 'read',
  tags: id === 'find' ? ['search'] : [],
  safety: { network: true, file: false, destructive: false, idempotent: true, openWorld: true },
  ...(cost === undefined ? {} : { cost }),
  invocation: { kind: 'function', function: id },
});

describe('cost rules', () => {
  const all = [operation('find', { usd: 1, typicalMs: 50 }), operation('read')];

  it('set what they say, the last one first, and leave what the author said', () => {
    const [find, read] = applyCostRules(all, [{ usd: 0.01 }, { tag: 'search', usd: 0.05 }]);
    expect(find!.cost).toEqual({ usd: 0.05, typicalMs: 50 });
    expect(read!.cost).toEqual({ usd: 0.01 });
  });

  it('leave what a later rule does not speak of as the one before said it, and the author’s own untouched', () => {
    const [find] = applyCostRules(all, [{ usd: 2 }, { typicalMs: 9 }, { tag: 'search', usd: 3 }]);
    expect(find!.cost).toEqual({ usd: 3, typicalMs: 9 });
    expect(applyCostRules(all, [{ usd: 2 }, { typicalMs: 9 }])[1]!.cost).toEqual({ usd: 2, typicalMs: 9 });
    expect(all[0]!.cost).toEqual({ usd: 1, typicalMs: 50 });
  });

  it('leave operations alone that none of them matches', () => {
    expect(applyCostRules(all, [{ operation: 'find', usd: 2 }])[1]).toBe(all[1]);
    expect(applyCostRules(all)).toBe(all);
  });

  it('are named where they match nothing', () => {
    expect(reviewCostRules(all, [{ usd: 1 }, { operation: 'fnid', usd: 1 }])).toMatchObject([
      { code: 'cost-rule-unmatched', severity: 'warning', pointer: '#/costs/1' },
    ]);
  });
});
