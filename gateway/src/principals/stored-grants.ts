import { createHash } from 'node:crypto';
import { isToolcribError, ToolcribError } from '../errors.ts';
import type { GrantSource, Grants, Principal, ToolChoice } from '../operations/index.ts';
import { localGrants } from '../policy/local-grants.ts';
import type { SourceAccess } from '../policy/source-access.ts';
import type { Store } from '../store/store.ts';
import { ADMIN_ROLE } from './actor.ts';
import { hasEnded } from './authenticator.ts';
import { BoundedMap } from './bounded-map.ts';
import { scopeOf } from './directory-context.ts';
import {
  createKnownOrganisations,
  type KnownOrganisation,
  type KnownOrganisations,
} from './known-organisations.ts';
import type { OrganisationSnapshot, UserSnapshot } from './organisation-snapshot.ts';
import { sourceGrants } from './source-grants.ts';

export interface StoredGrantsOptions {
  readonly store: Store;
  /** What is known of each configured source now; the same object while nothing of it changed. */
  readonly sources: () => Readonly<Record<string, SourceAccess>>;
  /** Where neither user nor organisation says. */
  readonly tools: ToolChoice;
  readonly now?: () => number;
  /** Given where others ask about the same organisations. */
  readonly organisations?: KnownOrganisations;
}

type SourceAccesses = Readonly<Record<string, SourceAccess>>;
type SharedGrants = Omit<Grants, 'principal'>;

/** Grants that were made from one snapshot. */
interface Made {
  sources: SourceAccesses;
  readonly grants: BoundedMap<string, SharedGrants>;
  /** The same by the principal object, for those who come back with it. */
  seen: WeakMap<Principal, Grants>;
}

const PRINCIPALS_EACH = 5000;

/** Grants from the store: an organisation is read again only when its revision was raised, by whichever process. */
export function createStoredGrants(options: StoredGrantsOptions): GrantSource {
  const { store, sources, tools } = options;
  const now = options.now ?? Date.now;
  const organisations = options.organisations ?? createKnownOrganisations(store);
  const made = new WeakMap<KnownOrganisation, Made>();
  const listeners = new Set<() => void>();
  let unsubscribe: (() => void) | undefined;
  let operator: { readonly sources: SourceAccesses; readonly grants: Map<string, Grants> } | undefined;

  /** Throws `unauthorized` for a user or key that is gone. */
  const grantsAt = (known: KnownOrganisation, principal: Principal): Grants => {
    let own = made.get(known);
    if (own === undefined) {
      own = { sources: sources(), grants: new BoundedMap(PRINCIPALS_EACH), seen: new WeakMap() };
      made.set(known, own);
    }
    return grantsOf(known, own, principal, sources(), tools, now());
  };

  /** Grants of the operator: by the configuration alone. */
  const operatorGrants = (principal: Principal): Grants => {
    const current = sources();
    if (operator?.sources !== current) operator = { sources: current, grants: new Map() };
    const made = operator.grants.get(principal.kind);
    if (made?.principal === principal) return made;
    const grants = localGrants(principal, current, tools);
    operator.grants.set(principal.kind, grants);
    return grants;
  };

  const freshByRevision = (
    principal: Principal,
    organisation: string,
    revision: number,
  ): Grants | Promise<Grants> => {
    const known = organisations.at(organisation, revision);
    return known instanceof Promise
      ? known.then((read) => grantsAt(read, principal))
      : grantsAt(known, principal);
  };

  /** Reads what changed again, so that `known` is the newest; what cannot be read is forgotten: nothing is granted. */
  const follow = async (scope: string): Promise<void> => {
    const changed = organisations.ids().filter((id) => scope === '*' || scope === scopeOf(id));
    for (const id of changed) {
      try {
        await organisations.at(id, await store.revision(scopeOf(id)));
      } catch {
        organisations.forget(id);
      }
    }
    if (changed.length > 0) for (const listener of listeners) listener();
  };

  return {
    fresh(principal) {
      if (principal.kind !== 'user') return operatorGrants(principal);
      if (hasEnded(principal, now())) throw unauthorized('The credential has expired.');
      const { organisation } = principal;
      if (organisation === undefined) return nothing(principal, tools);
      try {
        const revision = store.revision(scopeOf(organisation));
        const asked =
          typeof revision === 'number'
            ? freshByRevision(principal, organisation, revision)
            : revision.then((current) => freshByRevision(principal, organisation, current));
        return asked instanceof Promise ? asked.catch(rethrow) : asked;
      } catch (error) {
        return rethrow(error);
      }
    },
    known(principal) {
      if (principal.kind !== 'user') return operatorGrants(principal);
      const known =
        principal.organisation === undefined ? undefined : organisations.newest(principal.organisation);
      if (known === undefined || hasEnded(principal, now())) return nothing(principal, tools);
      try {
        return grantsAt(known, principal);
      } catch {
        return nothing(principal, tools);
      }
    },
    onChange(listener) {
      listeners.add(listener);
      unsubscribe ??= store.onChange((scope) => void follow(scope));
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        unsubscribe?.();
        unsubscribe = undefined;
      };
    },
  };
}

/** Throws `unauthorized` for a user or key that is gone. */
function grantsOf(
  { snapshot }: KnownOrganisation,
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
  const limits = [principal.maxAccess, principal.sources ?? null];
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
function nothing(principal: Principal, tools: ToolChoice): Grants {
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

function rethrow(error: unknown): never {
  if (isToolcribError(error)) throw error;
  throw new ToolcribError('store_unavailable', 'The store could not be asked what this caller may do.', {
    cause: error,
  });
}

function unauthorized(message: string): ToolcribError {
  return new ToolcribError('unauthorized', message);
}
