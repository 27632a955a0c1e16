import { ACCESS_LEVELS, type Grants, levelFor, type SourceGrant } from '../operations/index.ts';
import { allows, effectiveLevel } from './effective-access.ts';
import type { Factor, PolicyFacts, Question } from './factor.ts';
import { listed, namesOf } from './names.ts';
import { SKILL_FACTOR } from './skill-factor.ts';

/** Every factor, in the order in which they are asked. Whatever cannot be decided does not pass. */
export const FACTORS: readonly Factor[] = Object.freeze<Factor[]>([
  {
    check: 'dangerous',
    passes: ({ operation: { access } }) => rank(access) >= 0 && access !== 'dangerous',
    value: ({ operation }) => String(operation.access),
    needed: () => 'read, write or delete',
    change: () =>
      "Only the operator's configuration: an access rule that names the operation id, with access delete.",
  },
  {
    check: 'credential',
    passes: ({ operation: { access, source }, grants: { principal } }) =>
      mostAllowed(principal.maxAccess) >= Math.max(rank(access), 0) &&
      (principal.sources === undefined || includes(principal.sources, source)),
    value: credentialText,
    needed: ({ operation }) => `${operation.access} on ${operation.source}`,
    change: () =>
      'Another API key: an admin creates keys with other access and sources. Or an address whose `source` and `maxAccess` leave more.',
  },
  {
    check: 'admin-level',
    passes: ({ operation, grant }) => allows(grant?.admin, operation.access),
    value: ({ grant }) => levelText(grant?.admin, grant?.reasons?.admin),
    needed: levelNeeded,
    change: ({ operation, grant }) =>
      `An admin of the organisation sets the level of ${scopesText(operation.source, grant)}.`,
  },
  {
    check: 'user-level',
    passes: ({ operation, grant }) => allows(grant?.user, operation.access),
    value: ({ grant }) => levelText(grant?.user, grant?.reasons?.user),
    needed: levelNeeded,
    change: ({ operation, grant }) => `The user chooses the level of ${scopesText(operation.source, grant)}.`,
  },
  {
    check: 'connection',
    passes: ({ grant }) => grant?.connection === 'connected' || isListedAnyway(grant),
    value: ({ grant }) => withReason(grant?.connection ?? 'missing', grant?.reasons?.connection),
    needed: ({ grant }) => (isListedAnyway(grant) ? 'connected, before a call' : 'connected'),
    change: ({ operation, grants }) =>
      grants.principal.kind === 'user'
        ? `Connect an account of ${operation.source}: the organisation's or the user's own.`
        : `Set sources.${operation.source}.credentials in the configuration.`,
  },
  {
    check: 'access',
    passes: ({ operation, grant }) => allows(levelOf(grant), operation.access),
    value: ({ grant }) => levelOf(grant),
    needed: levelNeeded,
    change: () => 'It is the lower of admin level and user level, and none while nothing is connected.',
  },
  {
    check: 'roles',
    applies: ({ operation }) => needs(operation.requirements?.roles),
    passes: ({ operation, grants }) =>
      listOf(operation.requirements?.roles).some((role) => includes(grants.roles, role)),
    value: ({ grants }) => listed(grants.roles),
    needed: ({ operation }) => {
      const roles = listOf(operation.requirements?.roles);
      return roles.length === 1 ? listed(roles) : `one of ${listed(roles)}`;
    },
    change: () => 'An admin gives the user one of the roles.',
  },
  {
    check: 'permissions',
    applies: ({ operation }) => needs(operation.requirements?.permissions),
    passes: ({ operation, grants, grant }) => {
      const held = heldPermissions(grants, grant);
      const isAdmin = isAdministrator(grant);
      const wanted: readonly unknown[] = listOf(operation.requirements?.permissions);
      return wanted.every((one) => typeof one === 'string' && (isAdmin || holds(held, one)));
    },
    value: ({ grants, grant }) => {
      const asked =
        grant?.roles === undefined
          ? ''
          : ` (${grant.reasons?.roles === undefined ? 'roles by the service' : `no roles: ${grant.reasons.roles}`})`;
      return listed(heldPermissions(grants, grant)) + asked;
    },
    needed: ({ operation }) => listed(listOf(operation.requirements?.permissions)),
    change: ({ grant }) => {
      if (grant?.roles === undefined)
        return 'An admin gives the user a role that holds them; a role also holds the one of its own name.';
      return grant.reasons?.roles === undefined
        ? 'The service gives the account a role that holds them.'
        : 'The service is reached and says which roles the account has: correct the credential or `permissions.probe`.';
    },
  },
  {
    check: 'feature',
    applies: ({ operation }) => needs(operation.requirements?.feature),
    passes: ({ operation, grants }) =>
      featuresOf(operation).every((feature) => includes(grants.features, feature)),
    value: ({ grants }) => listed(grants.features),
    needed: ({ operation }) => listed(featuresOf(operation)),
    change: ({ operation }) =>
      featuresOf(operation).some((feature) => feature.startsWith(`${operation.source}.`))
        ? 'The operator switches it on: `toolcrib features on` with its name.'
        : 'The operator or an admin switches the feature on for the organisation.',
  },
  SKILL_FACTOR,
  {
    check: 'quarantine',
    applies: ({ state }) => state.quarantined === true,
    passes: () => false,
    value: () => 'a changed definition that waits for acceptance',
    needed: () => 'the accepted definition',
    change: () => 'The operator reviews the change with `toolcrib compile --diff` and accepts it.',
  },
  {
    check: 'blocklist',
    applies: ({ state }) => state.blocked !== undefined,
    passes: ({ state }) => state.blocked === false,
    value: ({ state }) => (state.blocked === false ? 'free' : String(state.blocked)),
    needed: () => 'free',
    change: () => 'Nothing but the provider manifest: its blocklist counts for every caller.',
  },
]);

/** Its tools are listed without a connected account; a call then ends as `connection_missing`. */
export function isListedAnyway(grant: SourceGrant | undefined): boolean {
  return (
    grant?.whenUnauthenticated === 'list' &&
    (grant.connection === 'unauthenticated' || grant.connection === 'missing')
  );
}

/** The effective level; of what is listed anyway, the level that it will have when connected. */
function levelOf(grant: SourceGrant | undefined): NonNullable<SourceGrant['level']> {
  if (grant === undefined) return 'none';
  if (!isListedAnyway(grant)) return grant.level;
  return effectiveLevel({ admin: grant.admin, user: grant.user, connection: 'connected' });
}

function credentialText({ grants: { principal } }: Question): string {
  const { maxAccess, sources, expiresAt } = principal;
  const parts = [mostAllowed(maxAccess) < 0 ? 'none' : `up to ${maxAccess}`];
  parts.push(sources === undefined ? 'all sources' : `sources ${listed(sources)}`);
  if (expiresAt !== undefined) parts.push(`until ${new Date(expiresAt).toISOString()}`);
  return parts.join(', ');
}

function levelNeeded({ operation }: Question): string {
  return levelFor(operation.access) ?? 'what nobody has';
}

function levelText(level: string | null | undefined, reason: string | undefined): string {
  return withReason(level ?? 'nothing', reason);
}

function withReason(value: string, reason: string | undefined): string {
  return reason === undefined ? value : `${value} (${reason})`;
}

function scopesText(source: string, grant: SourceGrant | undefined): string {
  return grant === undefined ? `source ${source}` : `category ${grant.category} or source ${source}`;
}

/** Roles of a service that hold every permission of it. */
const ADMIN_ROLES: readonly string[] = ['admin', 'administrator'];

/**
 * The permissions given, and the roles: each also holds the permission of its own name. Where the service was asked
 * which roles an account has, those count instead: a role of ours says nothing about a role of the same name there.
 */
function heldPermissions({ permissions, roles }: Grants, grant: SourceGrant | undefined): readonly string[] {
  const own = grant?.roles === undefined ? roles : grant.roles;
  return [...new Set([...namesOf(permissions), ...namesOf(own)])];
}

function isAdministrator(grant: SourceGrant | undefined): boolean {
  const held = namesOf(grant?.roles);
  return namesOf(grant?.adminRoles ?? ADMIN_ROLES).some((role) => holds(held, role));
}

/** Whether case is written or not: services spell roles in capitals and permissions small. */
function holds(held: readonly string[], permission: string): boolean {
  const wanted = lowerCase(permission);
  return held.some((one) => lowerCase(one) === wanted);
}

/** Letters of ASCII only: the Kelvin sign is no `k` of a permission. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Anything but a name or names is a feature that nobody can switch on. */
function featuresOf({ requirements }: PolicyFacts): readonly string[] {
  const feature: unknown = requirements?.feature;
  return typeof feature === 'string' ? [feature] : listOf(feature);
}

/** -1 for anything that is no access, above all null and undefined. */
function rank(access: unknown): number {
  return (ACCESS_LEVELS as readonly unknown[]).indexOf(access);
}

/** The rank of the most that a credential allows; dangerous is nothing that can be allowed. */
function mostAllowed(access: unknown): number {
  return access === 'dangerous' ? -1 : rank(access);
}

/** An empty list asks for nothing; what should be a list and is not asks for what nobody has. */
function needs(names: unknown): boolean {
  return names !== undefined && !(Array.isArray(names) && names.length === 0);
}

const NOBODY: readonly string[] = Object.freeze(['(unreadable)']);

function listOf(names: unknown): readonly string[] {
  return Array.isArray(names) ? (names as string[]) : NOBODY;
}

function includes(names: unknown, name: unknown): boolean {
  return Array.isArray(names) && names.includes(name);
}
