import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_TOPOLOGY_OPTIONS, type TokenCount } from '../../../src/operations/index.ts';
import { createTokenCounter } from '../../../src/tokens/index.ts';
import { chooseTopology, measureCandidates } from '../../../src/topology/auto.ts';
import { withinBudget } from '../../../src/topology/measuring/within-budget.ts';
import { TOPOLOGIES } from '../../../src/topology/registry.ts';
import type { OperationSet } from '../../../src/topology/topology.ts';
import { plainOperations, setOf } from '../search-set.ts';

let count: TokenCount;
let set: OperationSet;
beforeAll(async () => {
  count = createTokenCounter();
  set = setOf(plainOperations('desk', 60), plainOperations('shop', 7));
});

const withBudget = (tokenBudget: number) => ({ ...DEFAULT_TOPOLOGY_OPTIONS, tokenBudget });

describe('withinBudget', () => {
  it('takes what auto takes, for every budget', () => {
    const { considered } = measureCandidates(set, withBudget(20_000), count, TOPOLOGIES);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: considered[0]!.tokens * 2 }), (budget) => {
        const auto = chooseTopology(set, withBudget(budget), { count }, TOPOLOGIES);
        const choice = withinBudget(considered, budget)!;
        expect(choice.took).toBe(auto.took);
        expect(choice.tools).toBe(auto.tools.length);
        expect(choice.fits).toBe(auto.warning === undefined);
        expect(choice.considered.map(({ name, tools, fits }) => ({ name, tools, fits }))).toEqual(
          auto.considered.map(({ name, tools, fits }) => ({ name, tools, fits })),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('takes nothing where there is nothing', () => {
    expect(withinBudget([], 100)).toBeUndefined();
  });
});
