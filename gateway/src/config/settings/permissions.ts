import type { z } from 'zod';
import type { OperationSelector } from '../../operations/index.ts';
import { milliseconds } from '../measures.ts';
import type { permissionsShape } from '../schema/permissions.ts';

/** What calls of a source's operations need; the last rule that matches decides over the document. */
export type PermissionRule = OperationSelector & { readonly permissions: readonly string[] };

/** How a service is asked which roles an account has. */
export interface ProbeConfiguration {
  /** Below the base URL. */
  readonly path: string;
  /** JSON Pointer to the list of roles. */
  readonly roles: string;
  readonly ttlMs: number;
  readonly timeoutMs: number;
}

/** What one source's operations require of their callers, and where that is learnt. */
export interface PermissionsConfiguration {
  /** False: no operation requires a permission. */
  readonly enabled: boolean;
  /** Member of an operation in the document. */
  readonly extension: string;
  /** OAuth scopes count as permissions. */
  readonly scopes: boolean;
  readonly rules: readonly PermissionRule[];
  readonly probe?: ProbeConfiguration;
  readonly adminOnlyTags: readonly string[];
  /** Upper case. */
  readonly adminRoles: readonly string[];
}

const DEFAULT_ROLES_POINTER = '/roles';
const DEFAULT_TTL_MS = 5 * 60_000;
const DEFAULT_TIMEOUT_MS = 5000;

export const DEFAULT_PERMISSIONS: PermissionsConfiguration = Object.freeze({
  enabled: true,
  extension: 'x-required-permissions',
  scopes: false,
  rules: [],
  adminOnlyTags: [],
  adminRoles: ['ADMIN', 'ADMINISTRATOR'],
});

/** `permissions` of a source, complete. */
export function permissionsConfiguration(given: z.infer<typeof permissionsShape>): PermissionsConfiguration {
  if (given === false) return { ...DEFAULT_PERMISSIONS, enabled: false };
  const { extension, scopes, rules, probe, adminOnlyTags, adminRoles } = given;
  return {
    enabled: true,
    extension: extension ?? DEFAULT_PERMISSIONS.extension,
    scopes: scopes ?? DEFAULT_PERMISSIONS.scopes,
    rules: (rules ?? []) as readonly PermissionRule[],
    ...(probe === undefined ? {} : { probe: probeConfiguration(probe) }),
    adminOnlyTags: adminOnlyTags ?? DEFAULT_PERMISSIONS.adminOnlyTags,
    adminRoles: (adminRoles ?? DEFAULT_PERMISSIONS.adminRoles).map((role) => role.toUpperCase()),
  };
}

type ProbeFile = NonNullable<Exclude<z.infer<typeof permissionsShape>, false>['probe']>;

function probeConfiguration({ path, roles, ttl, timeout }: ProbeFile): ProbeConfiguration {
  return {
    path,
    roles: roles ?? DEFAULT_ROLES_POINTER,
    ttlMs: ttl === undefined ? DEFAULT_TTL_MS : milliseconds(ttl),
    timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : milliseconds(timeout),
  };
}

/** Without a check of permissions: tag rules and probe fall away with it. */
export function uncheckedPermissions({
  probe: _probe,
  ...rest
}: PermissionsConfiguration): PermissionsConfiguration {
  return { ...rest, enabled: false, adminOnlyTags: [] };
}
