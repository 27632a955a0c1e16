import type { CostProfile, CostRule, Diagnostic, Operation } from '../operations/index.ts';
import { matchesSelector } from './selector.ts';

/**
 * The operations with the costs that the operator's rules give them; unchanged ones are the same objects. Rules apply
 * in order, so the last that says a member wins; what no rule says stays as the author said it.
 */
export function applyCostRules(
  operations: readonly Operation[],
  rules: readonly CostRule[] = [],
): readonly Operation[] {
  if (rules.length === 0) return operations;
  return operations.map((operation) => {
    const matching = rules.filter((rule) => matchesSelector(operation, rule));
    if (matching.length === 0) return operation;
    const stated = matching.map(
      ({ usd, typicalMs }): CostProfile => ({
        ...(usd === undefined ? {} : { usd }),
        ...(typicalMs === undefined ? {} : { typicalMs }),
      }),
    );
    return Object.freeze({ ...operation, cost: Object.assign({}, operation.cost, ...stated) as CostProfile });
  });
}

/** Rules that match no operation, so that a slip of the pen is seen. */
export function reviewCostRules(
  operations: readonly Operation[],
  rules: readonly CostRule[] = [],
): Diagnostic[] {
  return rules.flatMap((rule, index): Diagnostic[] => {
    if (operations.some((operation) => matchesSelector(operation, rule))) return [];
    const message = `Cost rule ${index + 1} matches no operation and has no effect.`;
    return [{ code: 'cost-rule-unmatched', severity: 'warning', message, pointer: `#/costs/${index}` }];
  });
}
