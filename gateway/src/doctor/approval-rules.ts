import { type ApprovalRule, describeSelector } from '../operations/index.ts';
import { coversSomething, type Listed } from './coverage.ts';
import type { Finding } from './finding.ts';

/** Rules of approvals that pick no tool: a slip of the pen in one asks nobody. */
export function checkApprovalRules(rules: readonly ApprovalRule[], listed: Listed): Finding[] {
  return rules.flatMap((rule, index): Finding[] => {
    const { action, role: _role, hint: _hint, ...selector } = rule;
    if (coversSomething(selector, listed)) return [];
    return [
      {
        check: 'approvals',
        status: 'warning',
        message: `Rule ${index + 1} of policy.approvals.rules (${describeSelector(selector)}: ${action}) picks none of the tools that are there.`,
        next: 'Compare its tool, source, operation, tag and access with `toolcrib tools` and `toolcrib describe TOOL`.',
      },
    ];
  });
}
