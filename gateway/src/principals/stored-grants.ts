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
import { type OrganisationSnapshot, readOrganisation, type UserSnapshot } from './organisation-snapshot.ts';
import { sourceGrants } from './source-grants.ts';

export interface StoredGrantsOptions {
  readonly store: Store;
  /** What is known of each configured source now; the same object while nothing of it changed. */
  readonly sources: () => Readonly<Record<string, SourceAccess>>;
  /** Where neither user nor organisation says. */
  readonly tools: ToolChoice;
  readonly now?: () => number;
  /** Organisations kept in memory; default 1,000. */
  readonly organisations?: number;
}

type SourceAccesses = Readonly<Record<string, SourceAccess>>;
type SharedGrants = Omit<Grants, 'principal'>;

/** A snapshot with the grants that were made from it. */
interface Known {
  readonly snapshot: OrganisationSnapshot | undefined;
  readonly revision: number;
  sources: SourceAccesses;
  readonly grants: BoundedMap<string, SharedGrants>;
  /** The same by the principal object, for those who come back with it. */
  seen: WeakMap<Principal, Grants>;
}

interface Reading {
  readonly revision: number;
  readonly known: Promise<Known>;
}

const ORGANISATIONS = 1000;
const PRINCIPALS_EACH = 5000;

/** Grants from the store: an organisation is read again only when its revision was raised, by whichever process. */
export function createStoredGrants(options: StoredGrantsOptions): GrantSource {
  const { store, sources, tools } = options;
  const now = options.now ?? Date.now;
  const organisations = new BoundedMap<string, Known>(options.organisations ?? ORGANISATIONS);
  const readings = new Map<string, Reading>();
  const listeners = new Set<() => void>();
  let unsubscribe: (() => void) | undefined;
  let operator: { readonly sources: SourceAccesses; readonly grants: Map<string, Grants> } | undefined;

  const read = (organisation: string, revision: number): Promise<Known> => {
    const underway = readings.get(organisation);
    if (underway !== undefined && underway.revision >= revision) return underway.known;
    const known = readKnown(store, organisation, revision, sources()).then((made) => {
      const newest = organisations.get(organisation);
      if (newest === undefined || newest.revision <= made.revision) organisations.set(organisation, made);
      return made;
    });
    const reading = { revision, known };
    readings.set(organisation, reading);
    const done = () => {
      if (readings.get(organisation) === reading) readings.delete(organisation);
    };
    known.then(done, done);
    return known;
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
    const known = organisations.get(organisation);
    if (known?.revision === revision) return grantsOf(known, principal, sources(), tools, now());
    return read(organisation, revision).then((made) => grantsOf(made, principal, sources(), tools, now()));
  };

  /** Reads what changed again, so that `known` is the newest; what cannot be read is forgotten: nothing is granted. */
  const follow = async (scope: string): Promise<void> => {
    const changed = organisations.keys().filter((id) => scope === '*' || scope === scopeOf(id));
    for (const id of changed) {
      try {
        const revision = await store.revision(scopeOf(id));
        if (organisations.get(id)?.revision !== revision) await read(id, revision);
      } catch {
        organisations.delete(id);
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
        principal.organisation === undefined ? undefined : organisations.get(principal.organisation);
      if (known === undefined || hasEnded(principal, now())) return nothing(principal, tools);
      try {
        return grantsOf(known, principal, sources(), tools, now());
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

async function readKnown(
  store: Store,
  organisation: string,
  revision: number,
  sources: SourceAccesses,
): Promise<Known> {
  const snapshot = await readOrganisation(store, organisation, revision);
  return { snapshot, revision, sources, grants: new BoundedMap(PRINCIPALS_EACH), seen: new WeakMap() };
}

/** Throws `unauthorized` for a user or key that is gone. */
function grantsOf(
  known: Known,
  principal: Principal,
  sources: SourceAccesses,
  tools: ToolChoice,
  now: number,
): Grants {
  const { snapshot } = known;
  const user = snapshot?.users.get(principal.id);
  if (snapshot === undefined || user?.active !== true) {
    throw unauthorized(`User ${principal.id} was disabled or has left the organisation.`);
  }
  if (principal.key !== undefined) checkKey(snapshot, principal, now);
  if (known.sources !== sources) {
    known.sources = sources;
    known.grants.clear();
    known.seen = new WeakMap();
  }
  let grants = known.seen.get(principal);
  if (grants === undefined) {
    grants = { ...sharedGrants(known, snapshot, user, principal, tools), principal };
    known.seen.set(principal, grants);
  }
  return grants;
}

function sharedGrants(
  { sources, grants }: Known,
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
