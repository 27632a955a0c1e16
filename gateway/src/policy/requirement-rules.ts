import { matchesPathGlob } from '../operations/http/path-glob.ts';
import {
  type Diagnostic,
  isRequest,
  type Operation,
  type OperationSelector,
  type Requirements,
} from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
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
  /** Tags whose category tools are for administrators. */
  readonly adminOnlyTags?: readonly string[] | undefined;
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
  { permissions = [], features = {}, adminOnlyTags = [] }: RequirementRules,
): Diagnostic[] {
  const unmatched = permissions.flatMap((rule, index): Diagnostic[] => {
    if (operations.some((operation) => matchesSelector(operation, rule))) return [];
    const message = `Permission rule ${index + 1} (${rule.permissions.join(', ') || 'none needed'}) matches no operation and has no effect.`;
    const pointer = `#/permissions/rules/${index}`;
    return [{ code: 'permission-rule-unmatched', severity: 'warning', message, pointer }];
  });
  const counted = Object.entries(features).flatMap(([name, rule]): Diagnostic[] => {
    const count = operations.filter((operation) => belongs(operation, rule)).length;
    const pointer = `#/features/${name}`;
    const idle = idleParts(operations, rule);
    if (count === 0) {
      const message = `Feature ${name} matches no operation and has no effect.${idle[0]?.meant ?? ''}`;
      return [{ code: 'feature-unmatched', severity: 'warning', message, pointer }];
    }
    const parts = idle.map(({ part, value, meant }): Diagnostic => {
      const message = `Feature ${name} names ${value} in \`${part}\`, which matches no operation.${meant}`;
      return { code: 'feature-unmatched', severity: 'warning', message, pointer: `${pointer}/${part}` };
    });
    const plural = count === 1 ? 'operation is' : 'operations are';
    const message = rule.enabled
      ? `Feature ${name} is on: without it ${count} ${plural} hidden.`
      : `Feature ${name} is off: ${count} ${plural} hidden.`;
    return [
      { code: rule.enabled ? 'feature-on' : 'feature-off', severity: 'info', message, pointer },
      ...parts,
    ];
  });
  return [...unmatched, ...counted, ...idleAdminTags(operations, adminOnlyTags)];
}

/** Parts of a feature that match nothing: what they were to switch off stays on. */
function idleParts(
  operations: readonly Operation[],
  { tags = [], paths = [], operations: ids = [] }: FeatureRule,
) {
  const known = {
    tags: operations.flatMap((operation) => operation.tags),
    paths: [],
    operations: operations.map(({ id }) => id),
  };
  const parts = Object.entries({ tags, paths, operations: ids }) as Array<
    [keyof typeof known, readonly string[]]
  >;
  return parts.flatMap(([part, values]) =>
    values
      .filter((value) => !operations.some((one) => belongs(one, { [part]: [value], enabled: true })))
      .map((value) => ({ part, value, meant: didYouMean(value, new Set(known[part])) })),
  );
}

function idleAdminTags(operations: readonly Operation[], adminOnlyTags: readonly string[]): Diagnostic[] {
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  const plain = (tag: string) => tag.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const known = new Set([...tags].map(plain));
  return adminOnlyTags.flatMap((tag, index): Diagnostic[] => {
    if (known.has(plain(tag))) return [];
    const message = `\`adminOnlyTags\` names ${tag}, which is no tag of an operation and hides no category tool.${didYouMean(tag, tags)}`;
    const pointer = `#/permissions/adminOnlyTags/${index}`;
    return [{ code: 'admin-tag-unmatched', severity: 'warning', message, pointer }];
  });
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
