import { confirmationOf } from '../hints/index.ts';
import {
  type ApprovalPolicy,
  type ApprovalRule,
  canonicalHash,
  type Operation,
  type SkillAgreement,
  type SkillConcern,
  type StandingScope,
} from '../operations/index.ts';
import { describeSelector } from '../operations/selectors/selector.ts';
import { picksTool } from '../operations/selectors/tool-selector.ts';

/** Why a person is asked, and what an `approve_always` could cover. */
export interface ApprovalNeed {
  /** One sentence. */
  readonly reason: string;
  readonly standing: StandingScope;
  /** The skill that is a reason to ask; with `standing: 'skill'` it is the only one. */
  readonly skill?: AskedSkill;
}

/** A call of a skill's tool that a person agrees to first. */
export interface AskedSkill extends SkillConcern {
  /** What the person is shown and agrees to; worked out when somebody is asked. */
  agreement(): SkillAgreement;
}

/** What the policy looks at. */
export interface ApprovalSubject {
  readonly tool: string;
  /** The operation's own tool, where it is called by way of another: rules that name it count all the same. */
  readonly ownTool?: string | undefined;
  readonly operation: Operation;
  /** Roles that the caller holds now. */
  readonly roles: readonly string[];
}

/**
 * Whether a person must agree. The strictest wins: what destroys and what was dangerous always asks; else a rule that
 * asks beats one that allows, whatever their order; else descriptions and hints that ask for a confirmation ask, also for
 * reading, unless a rule allows the operation by its id; else the default of the access decides. Reading alone never asks.
 */
export function needsApproval(policy: ApprovalPolicy, subject: ApprovalSubject): ApprovalNeed | undefined {
  const { operation } = subject;
  if (operation.enabledDangerous || operation.access === 'dangerous') {
    return { reason: 'The operation is dangerous and was enabled by the operator.', standing: 'never' };
  }
  if (operation.safety.destructive) return { reason: 'The operation destroys data.', standing: 'arguments' };
  const matching = policy.rules.filter((rule) => matches(rule, subject));
  const asking = matching.find(({ action }) => action === 'ask');
  if (asking !== undefined) {
    return { reason: `The policy asks for ${describeRule(asking)}.`, standing: 'tool' };
  }
  const confirmation = confirmationOf(operation.hints);
  if (operation.confirmation !== undefined && !matching.some((rule) => rule.operation === operation.id)) {
    return { reason: operation.confirmation, standing: 'tool' };
  }
  if (confirmation !== undefined && !matching.some((rule) => rule.operation === operation.id)) {
    const { reason } = confirmation;
    const why = reason === undefined ? '' : `: ${reason}`;
    return { reason: `The description asks for a confirmation${why}`.replace(/\.?$/, '.'), standing: 'tool' };
  }
  if (matching.length > 0) return undefined;
  switch (operation.access) {
    case 'read':
      return undefined;
    case 'write':
      return policy.write === 'allow'
        ? undefined
        : { reason: 'The policy asks for every write.', standing: 'tool' };
    default:
      return policy.delete === 'allow'
        ? undefined
        : { reason: 'The policy asks for everything that deletes.', standing: 'arguments' };
  }
}

/** The version of a policy: what was asked under another one is void. How people are reached does not count. */
export function policyHash({ write, delete: deletes, rules, approvers, expiresMs }: ApprovalPolicy): string {
  return canonicalHash({ write, delete: deletes, rules, approvers, expiresMs });
}

function matches(rule: ApprovalRule, { tool, ownTool, operation, roles }: ApprovalSubject): boolean {
  return (
    picksTool(rule, operation, (name) => name === tool || name === ownTool) &&
    (rule.role === undefined || roles.includes(rule.role)) &&
    (rule.hint === undefined || isSet(operation.hints, rule.hint))
  );
}

/** Vendor hints may stand in groups, and their extension may be named: `x-llm-hints.requires_confirmation`. */
function isSet(hints: Operation['hints'], name: string): boolean {
  const [, member] = /^x-[^.]+\.(.+)$/.exec(name) ?? [];
  return isMemberSet(hints, name) || (member !== undefined && isMemberSet(hints, member));
}

function isMemberSet(hints: Operation['hints'], name: string): boolean {
  let value: unknown = hints;
  if (hints !== undefined && Object.hasOwn(hints, name)) value = hints[name];
  else {
    for (const part of name.split('.')) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Record<string, unknown>)[part]
          : undefined;
    }
  }
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 'false';
}

function describeRule({ action: _action, ...rule }: ApprovalRule): string {
  return describeSelector(rule, 'every call');
}
