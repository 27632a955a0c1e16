import type { BudgetChoice, CandidateCost } from '../../operations/index.ts';

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
