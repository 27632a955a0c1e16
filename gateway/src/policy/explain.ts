import { ACCESS_LEVELS, type OperationFacts, type Principal } from '../operations/index.ts';

/** What policy reads of an operation; an Operation fits. */
export type PolicyFacts = Pick<OperationFacts, 'access' | 'requirements'>;

export interface PolicyCheck {
  readonly check: 'dangerous' | 'access' | 'roles' | 'permissions' | 'feature' | 'quarantine';
  /** What is there. */
  readonly value: string;
  /** What it takes. */
  readonly needed: string;
  readonly passes: boolean;
}

export interface Explanation {
  /** True when every check passes. */
  readonly visible: boolean;
  readonly checks: readonly PolicyCheck[];
}

/** What is known of an operation beyond its facts. */
export interface OperationState {
  /** Its changed definition waits for acceptance. */
  readonly quarantined?: boolean;
}

/**
 * Every check that decides whether a principal sees and may call an operation, with its values. Listing,
 * authorisation at call time and `toolcrib explain` all ask here. Whatever cannot be decided does not pass.
 */
export function explain(
  operation: PolicyFacts,
  principal: Principal,
  state: OperationState = {},
): Explanation {
  const { requirements = {} } = operation;
  const checks = [dangerousCheck(operation), accessCheck(operation, principal)];
  if (requirements.roles?.length) checks.push(rolesCheck(requirements.roles, principal));
  if (requirements.permissions?.length) checks.push(permissionsCheck(requirements.permissions, principal));
  if (requirements.feature !== undefined) checks.push(featureCheck(requirements.feature));
  if (state.quarantined) checks.push(QUARANTINED);
  return { visible: checks.every((check) => check.passes), checks };
}

/** The first check that does not pass, as a sentence; undefined when the call is allowed. */
export function refusal(
  operation: PolicyFacts,
  principal: Principal,
  state: OperationState = {},
): string | undefined {
  const failed = explain(operation, principal, state).checks.find((check) => !check.passes);
  return failed && describeCheck(failed);
}

/** One check in one sentence, e.g. `access: needs delete, has read`. */
export function describeCheck({ check, value, needed }: PolicyCheck): string {
  return `${check}: needs ${needed}, has ${value}`;
}

function dangerousCheck({ access }: PolicyFacts): PolicyCheck {
  return {
    check: 'dangerous',
    value: String(access),
    needed: 'read, write or delete',
    passes: rank(access) >= 0 && access !== 'dangerous',
  };
}

function accessCheck({ access }: PolicyFacts, { maxAccess }: Principal): PolicyCheck {
  const granted = rank(maxAccess);
  const passes = rank(access) >= 0 && granted >= rank(access) && granted < rank('dangerous');
  return { check: 'access', value: granted < 0 ? 'none' : maxAccess, needed: String(access), passes };
}

/** Any one of the roles will do. */
function rolesCheck(needed: readonly string[], { roles }: Principal): PolicyCheck {
  return {
    check: 'roles',
    value: listed(roles),
    needed: needed.length === 1 ? listed(needed) : `one of ${listed(needed)}`,
    passes: needed.some((role) => roles.includes(role)),
  };
}

/** All of them; a permission is held by the role of its name. */
function permissionsCheck(needed: readonly string[], { roles }: Principal): PolicyCheck {
  return {
    check: 'permissions',
    value: listed(roles),
    needed: listed(needed),
    passes: needed.every((permission) => roles.includes(permission)),
  };
}

/** Nobody can switch a feature on yet: an operation that needs one stays hidden. */
function featureCheck(feature: string): PolicyCheck {
  return { check: 'feature', value: 'off', needed: feature, passes: false };
}

const QUARANTINED: PolicyCheck = Object.freeze({
  check: 'quarantine',
  value: 'a changed definition that waits for acceptance',
  needed: 'the accepted definition',
  passes: false,
});

/** -1 for anything that is no access level, above all null and undefined. */
function rank(access: unknown): number {
  return (ACCESS_LEVELS as readonly unknown[]).indexOf(access);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
