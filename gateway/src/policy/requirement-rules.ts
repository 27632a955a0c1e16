import { matchesPathGlob } from '../operations/http/path-glob.ts';
import {
  type Diagnostic,
  isRequest,
  type Operation,
  type OperationSelector,
  type Requirements,
} from '../operations/index.ts';
import { matchesSelector } from './selector.ts';

/** Whoever calls what it selects must hold all of these permissions; it decides over the document, the last rule over others. */
export type PermissionRule = OperationSelector & { readonly permissions: readonly string[] };

/** A group of operations that can be switched off: any of its tags, path globs or operation ids. */
export interface FeatureRule {
  readonly tags?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly operations?: readonly string[] | undefined;
  /** As the configuration says it; it can be switched at run time. */
  readonly enabled: boolean;
}

export interface RequirementRules {
  readonly permissions?: readonly PermissionRule[] | undefined;
  /** By name within the source. */
  readonly features?: Readonly<Record<string, FeatureRule>> | undefined;
}

/** What grants call a source's feature. */
export function featureName(source: string, feature: string): string {
  return `${source}.${feature}`;
}

/**
 * The operations with what the operator's rules require for them; unchanged ones are the same objects. The last
 * permission rule that matches takes the place of what the document asks for. An operation of several features needs
 * all of them.
 */
export function applyRequirementRules(
  operations: readonly Operation[],
  { permissions = [], features = {} }: RequirementRules,
): readonly Operation[] {
  const groups = Object.entries(features);
  if (permissions.length === 0 && groups.length === 0) return operations;
  return operations.map((operation) => {
    const asked = permissions.findLast((rule) => matchesSelector(operation, rule))?.permissions;
    const needed = groups
      .filter(([, rule]) => belongs(operation, rule))
      .map(([name]) => featureName(operation.source, name));
    if (asked === undefined && needed.length === 0) return operation;
    const { requirements: known, ...rest } = operation;
    const requirements = joined(known, asked ?? known?.permissions ?? [], needed);
    return Object.freeze(Object.keys(requirements).length === 0 ? rest : { ...rest, requirements });
  });
}

/** How many operations each feature holds, and rules that match none, so that a slip of the pen is seen. */
export function reviewRequirementRules(
  operations: readonly Operation[],
  { permissions = [], features = {} }: RequirementRules,
): Diagnostic[] {
  const unmatched = permissions.flatMap((rule, index): Diagnostic[] => {
    if (operations.some((operation) => matchesSelector(operation, rule))) return [];
    const message = `Permission rule ${index + 1} (${rule.permissions.join(', ') || 'none needed'}) matches no operation and has no effect.`;
    const pointer = `#/permissions/rules/${index}`;
    return [{ code: 'permission-rule-unmatched', severity: 'warning', message, pointer }];
  });
  const counted = Object.entries(features).map(([name, rule]): Diagnostic => {
    const count = operations.filter((operation) => belongs(operation, rule)).length;
    const pointer = `#/features/${name}`;
    if (count === 0) {
      const message = `Feature ${name} matches no operation and has no effect.`;
      return { code: 'feature-unmatched', severity: 'warning', message, pointer };
    }
    const plural = count === 1 ? 'operation is' : 'operations are';
    return {
      code: rule.enabled ? 'feature-on' : 'feature-off',
      severity: 'info',
      message: rule.enabled
        ? `Feature ${name} is on: without it ${count} ${plural} hidden.`
        : `Feature ${name} is off: ${count} ${plural} hidden.`,
      pointer,
    };
  });
  return [...unmatched, ...counted];
}

function belongs(operation: Operation, { tags = [], paths = [], operations = [] }: FeatureRule): boolean {
  const { id, invocation } = operation;
  return (
    operations.includes(id) ||
    tags.some((tag) => operation.tags.includes(tag)) ||
    (isRequest(invocation) && paths.some((path) => matchesPathGlob(invocation.path, path)))
  );
}

function joined(
  known: Requirements | undefined,
  permissions: readonly string[],
  features: readonly string[],
): Requirements {
  const { permissions: _replaced, feature, ...rest } = known ?? {};
  const own = feature === undefined ? [] : typeof feature === 'string' ? [feature] : feature;
  const all = [...new Set([...own, ...features])];
  return {
    ...rest,
    ...(permissions.length === 0 ? {} : { permissions: [...new Set(permissions)] }),
    ...(all.length === 0 ? {} : { feature: all.length === 1 ? all[0]! : all }),
  };
}
