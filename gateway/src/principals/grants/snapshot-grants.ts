import { createHash } from 'node:crypto';
import type { GrantSource, Grants, Principal, ToolChoice } from '../../operations/index.ts';
import type { SourceAccess } from '../../policy/source-access.ts';
import { BoundedMap } from '../bounded-map.ts';
import { ADMIN_ROLE } from '../directory/actor.ts';
import { unauthorized } from '../unauthorized.ts';
import type { OrganisationSnapshot, UserSnapshot } from './organisation-snapshot.ts';
import { sourceGrants } from './source-grants.ts';

export type SourceAccesses = Readonly<Record<string, SourceAccess>>;
type SharedGrants = Omit<Grants, 'principal'>;

/** Grants that were made from one snapshot. */
export interface Made {
  sources: SourceAccesses;
  readonly grants: BoundedMap<string, SharedGrants>;
  /** The same by the principal object, for those who come back with it. */
  seen: WeakMap<Principal, Grants>;
}

const PRINCIPALS_EACH = 5000;

export function newlyMade(sources: SourceAccesses): Made {
  return { sources, grants: new BoundedMap(PRINCIPALS_EACH), seen: new WeakMap() };
}

export interface SnapshotGrantsOptions {
  readonly sources: SourceAccesses;
  readonly tools: ToolChoice;
}

/** Grants of one snapshot and nothing newer: what is in force, or what would be. Asks no store. */
export function createSnapshotGrants(
  snapshot: OrganisationSnapshot,
  { sources, tools }: SnapshotGrantsOptions,
): GrantSource {
  const made = newlyMade(sources);
  const fresh = (principal: Principal) =>
    grantsOfSnapshot(snapshot, made, principal, sources, tools, Date.now());
  return {
    fresh,
    known: (principal) =>
      snapshot.users.get(principal.id)?.active === true ? fresh(principal) : nothing(principal, tools),
    onChange: () => () => undefined,
  };
}

/** Throws `unauthorized` for a user or key that is gone. */
export function grantsOfSnapshot(
  snapshot: OrganisationSnapshot | undefined,
  made: Made,
  principal: Principal,
  sources: SourceAccesses,
  tools: ToolChoice,
  now: number,
): Grants {
  const user = snapshot?.users.get(principal.id);
  if (snapshot === undefined || user?.active !== true) {
    throw unauthorized(`User ${principal.id} was disabled or has left the organisation.`);
  }
  if (principal.key !== undefined) checkKey(snapshot, principal, now);
  if (made.sources !== sources) {
    made.sources = sources;
    made.grants.clear();
    made.seen = new WeakMap();
  }
  let grants = made.seen.get(principal);
  if (grants === undefined) {
    grants = { ...sharedGrants(made, snapshot, user, principal, tools), principal };
    made.seen.set(principal, grants);
  }
  return grants;
}

function sharedGrants(
  { sources, grants }: Made,
  snapshot: OrganisationSnapshot,
  user: UserSnapshot,
  principal: Principal,
  tools: ToolChoice,
): SharedGrants {
  const limits = [principal.maxAccess, principal.sources];
  const name = JSON.stringify([principal.id, principal.roles, limits]);
  const made = grants.get(name);
  if (made !== undefined) return made;
  const held = user.roles.filter((role) => role === ADMIN_ROLE || snapshot.permissions.has(role));
  const roles = [...new Set([...held, ...principal.roles])].sort();
  const content = {
    roles,
    permissions: [...new Set(roles.flatMap((role) => snapshot.permissions.get(role) ?? []))].sort(),
    features: snapshot.features,
    tools: user.tools ?? snapshot.tools ?? tools,
  };
  const granted = sourceGrants(sources, snapshot, user);
  const shared: SharedGrants = {
    ...content,
    since: roles.includes(ADMIN_ROLE) ? snapshot.since : user.since,
    stamp: stampOf([content, limits, [...granted]]),
    source: (source) => granted.get(source),
  };
  grants.set(name, shared);
  return shared;
}

function checkKey(snapshot: OrganisationSnapshot, { id, key }: Principal, now: number): void {
  const stored = snapshot.keys.get(key!);
  if (stored?.user !== id) throw unauthorized('The API key was revoked.');
  if (stored.expiresAt !== null && !(stored.expiresAt > now)) throw unauthorized('The API key has expired.');
}

/** Who belongs to no organisation, or is not known here, may do nothing. */
export function nothing(principal: Principal, tools: ToolChoice): Grants {
  return {
    principal,
    stamp: 'nothing',
    roles: [],
    permissions: [],
    features: [],
    tools,
    source: () => undefined,
  };
}

/** Principals who may do the same with the same accounts share a stamp. */
function stampOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
