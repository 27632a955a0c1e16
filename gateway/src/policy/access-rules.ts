import {
  type Access,
  type AccessRule,
  type Diagnostic,
  describeSelector,
  type Operation,
} from '../operations/index.ts';
import { didYouMeanOperation, matchesSelector } from './selector.ts';

/**
 * The operations with the access that the operator's rules give them; unchanged ones are the same objects.
 * Rules apply in order, so the last that matches wins. Once an operation is `dangerous`, by its document or by
 * a rule, only a rule that names its id can change that, and only to `delete`.
 */
export function applyAccessRules(
  operations: readonly Operation[],
  rules: readonly AccessRule[],
): readonly Operation[] {
  if (rules.length === 0) return operations;
  return operations.map((operation) => {
    const { access, wasDangerous } = accessByRules(operation, rules);
    return withAccess(operation, access, wasDangerous && access !== 'dangerous');
  });
}

/** Rules that do nothing, so that a slip of the pen is seen: no operation matches, or all refuse to be re-classed. */
export function reviewAccessRules(
  operations: readonly Operation[],
  rules: readonly AccessRule[],
): Diagnostic[] {
  return rules.flatMap((rule, index): Diagnostic[] => {
    const matching = operations.filter((operation) => matchesSelector(operation, rule));
    const pointer = `#/access/${index}`;
    if (matching.length === 0) {
      const meant = didYouMeanOperation(rule, operations);
      const message = `Access rule ${index + 1} (${describeRule(rule)}) matches no operation and has no effect.${meant}`;
      return [{ code: 'access-rule-unmatched', severity: 'warning', message, pointer }];
    }
    const refused = matching.filter(({ id, access }) => access === 'dangerous' && !mayReclass(rule, id));
    return refused.map(({ id, source }) => ({
      code: 'access-rule-refused',
      severity: 'warning',
      message: `Operation ${id} is dangerous: access rule ${index + 1} (${describeRule(rule)}) does not change that. Name its operation id, with access delete.`,
      source,
      pointer,
    }));
  });
}

function accessByRules(
  operation: Operation,
  rules: readonly AccessRule[],
): { readonly access: Access; readonly wasDangerous: boolean } {
  let { access } = operation;
  let wasDangerous = access === 'dangerous';
  for (const rule of rules) {
    if (!matchesSelector(operation, rule) || (wasDangerous && !mayReclass(rule, operation.id))) continue;
    access = rule.access;
    wasDangerous ||= access === 'dangerous';
  }
  return { access, wasDangerous };
}

/** All operations of a connection name none of them. */
function mayReclass(rule: AccessRule, id: string): boolean {
  return rule.access === 'dangerous' || (rule.operation === id && rule.access === 'delete');
}

/** The safety profile follows: what reads destroys nothing, what deletes does, and what only read may not be written twice. */
function withAccess(operation: Operation, access: Access, enabledDangerous: boolean): Operation {
  if (access === operation.access && !enabledDangerous) return operation;
  const { destructiveUnknown: _unknown, ...known } = operation.safety;
  const safety =
    access === 'write'
      ? { ...operation.safety, ...(operation.access === 'read' ? { idempotent: false } : {}) }
      : { ...known, destructive: access !== 'read' };
  return Object.freeze({
    ...operation,
    access,
    safety,
    ...(enabledDangerous ? { enabledDangerous: true as const } : {}),
  });
}

function describeRule({ access, ...selector }: AccessRule): string {
  return `${describeSelector(selector)}: ${access}`;
}
