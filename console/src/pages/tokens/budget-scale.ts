/** Steps of the slider from the smallest budget to the largest. */
export const STEPS = 120;

const LEAST = 100;

/** The largest budget that changes anything, with room to its right. */
export function mostOf(tokens: readonly number[], budget: number): number {
  return rounded(Math.max(20_000, budget, ...tokens) * 1.25);
}

/** Each step is as much more as the one before in proportion: a hundred tokens matter at five hundred only. */
export function budgetAt(step: number, most: number): number {
  return rounded(LEAST * (most / LEAST) ** (step / STEPS));
}

export function stepOf(budget: number, most: number): number {
  const share = Math.log(Math.max(budget, LEAST) / LEAST) / Math.log(most / LEAST);
  return Math.round(Math.min(share, 1) * STEPS);
}

/** Two digits that count: 19,000 and not 19,047. */
function rounded(value: number): number {
  const unit = 10 ** Math.max(Math.floor(Math.log10(value)) - 1, 0);
  return Math.round(value / unit) * unit;
}
