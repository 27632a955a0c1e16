import type { BudgetRule } from '../operations/index.ts';
import { coversSomething, type Listed } from './coverage.ts';
import type { Finding } from './finding.ts';

/** Budgets that cover nothing: a slip of the pen limits nobody. */
export function checkBudgets(rules: readonly BudgetRule[], listed: Listed): Finding[] {
  return rules
    .filter((rule) => !coversSomething(rule, listed))
    .map(({ name }) => ({
      check: `budget ${name}`,
      status: 'warning',
      message: 'It covers none of the tools that are there.',
      next: 'Compare its tool, source, operation, tag and access with `toolcrib tools` and `toolcrib describe TOOL`.',
    }));
}
