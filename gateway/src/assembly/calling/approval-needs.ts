import { needsApproval, skillNeed } from '../../approvals/index.ts';
import type { ApprovalNeed } from '../../approvals/policy.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { DEFAULT_APPROVALS } from '../../config/settings/approvals.ts';
import {
  type ApprovalPolicy,
  type Call,
  DEFAULT_SKILL_POLICY,
  type GrantSource,
  isOfSkill,
  type Operation,
} from '../../operations/index.ts';
import { taintedNeed } from '../../router/layers/taint.ts';
import { createToolOf } from './operation-tools.ts';

export interface ApprovalNeedsParts {
  readonly configuration: () => Configuration;
  readonly catalog: { readonly current: Catalog };
  readonly grants: Pick<GrantSource, 'known'>;
  /** Programs of skills run in a sandbox. */
  readonly isolated: () => boolean;
}

/**
 * Why a person must agree to a call, of three: the policy of approvals, what its caller has read of strangers, and the
 * skill that brought the tool. Throws what the mode of skills refuses.
 */
export function createApprovalNeeds(
  parts: ApprovalNeedsParts,
): (call: Pick<Call, 'tool' | 'operation' | 'principal' | 'tainted'>) => ApprovalNeed | undefined {
  const { configuration, catalog, grants, isolated } = parts;
  const toolOf = createToolOf(() => catalog.current);
  return ({ tool, operation, principal, tainted }) => {
    const { approvals = DEFAULT_APPROVALS, skills = DEFAULT_SKILL_POLICY } = configuration().policy;
    const now = grants.known(principal);
    // access ended since the call was authorised: whoever holds no role any more is asked as if every rule named them
    const roles = now.source(operation.source) === undefined ? askedRoles(approvals) : now.roles;
    const need = needsApproval(approvals, { tool, ownTool: toolOf(operation), operation, roles });
    return skillNeed(taintedNeed(need, tainted), operation, skills, isolated(), () =>
      operationsOfSkill(catalog.current, operation),
    );
  };
}

function askedRoles({ rules }: ApprovalPolicy): readonly string[] {
  return rules.flatMap(({ action, role }) => (action === 'ask' && role !== undefined ? [role] : []));
}

/** Every operation that the same skill brought. */
function operationsOfSkill({ entries }: Catalog, { source, invocation }: Operation): readonly Operation[] {
  if (!isOfSkill(invocation)) return [];
  const own = entries.filter((entry) => entry.source === source && entry.facts.skill === invocation.skill);
  return own.map((entry) => entry.load());
}
