import type { CandidateCost, TopologyName } from '../../operations/index.ts';

/** What `auto` takes within a budget, and every candidate up to it. */
export interface BudgetChoice {
  readonly took: TopologyName;
  readonly tools: number;
  readonly tokens: number;
  readonly considered: ReadonlyArray<CandidateCost & { readonly fits: boolean }>;
  /** False: nothing fits, and the last candidate is taken all the same. */
  readonly fits: boolean;
}

/** The richest candidate within the budget, as `auto` takes it. Undefined where there is no candidate. */
export function withinBudget(candidates: readonly CandidateCost[], budget: number): BudgetChoice | undefined {
  const fitting = candidates.findIndex(({ tokens }) => tokens <= budget);
  const taken = candidates.at(fitting);
  if (taken === undefined) return undefined;
  const looked = fitting < 0 ? candidates : candidates.slice(0, fitting + 1);
  return {
    took: taken.name,
    tools: taken.tools,
    tokens: taken.tokens,
    considered: looked.map((one) => ({ ...one, fits: one.tokens <= budget })),
    fits: fitting >= 0,
  };
}
