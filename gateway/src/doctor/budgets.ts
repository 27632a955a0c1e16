import type { View } from '../gateway-types.ts';
import type { BudgetRule } from '../operations/index.ts';
import type { Finding } from './finding.ts';

/** Budgets that cover nothing: a slip of the pen limits nobody. */
export function checkBudgets(rules: readonly BudgetRule[], view: Pick<View, 'catalog' | 'tools'>): Finding[] {
  return rules
    .filter((rule) => !coversSomething(rule, view))
    .map(({ name }) => ({
      check: `budget ${name}`,
      status: 'warning',
      message: 'It covers none of the tools that are there.',
      next: 'Compare its tool, source, operation, tag and access with `toolcrib tools` and `toolcrib describe TOOL`.',
    }));
}

function coversSomething(
  { tool, source, operation, tag, access }: BudgetRule,
  { catalog, tools }: Pick<View, 'catalog' | 'tools'>,
): boolean {
  const only = { source, operation, tag, access };
  // a tool that reaches several operations is no entry of the catalog
  if (tool !== undefined && catalog.byTool(tool) === undefined)
    return tools.some(({ name }) => name === tool) && Object.values(only).every((one) => one === undefined);
  return catalog.entries.some(
    ({ name, facts }) =>
      (tool === undefined || tool === name) &&
      (source === undefined || source === facts.source) &&
      (operation === undefined || operation === facts.id) &&
      (tag === undefined || facts.tags.includes(tag)) &&
      (access === undefined || access === facts.access),
  );
}
