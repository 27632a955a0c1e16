import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { GrantSource, Grants, Principal, ToolChoice } from '../../operations/index.ts';
import { localGrants } from '../../policy/local-grants.ts';
import type { SourceAccess } from '../../policy/source-access.ts';
import type { Store } from '../../store/store.ts';
import { hasEnded } from '../authentication/authenticator.ts';
import { scopeOf } from '../directory/directory-context.ts';
import { unauthorized } from '../unauthorized.ts';
import {
  createKnownOrganisations,
  type KnownOrganisation,
  type KnownOrganisations,
} from './known-organisations.ts';
import { grantsOfSnapshot, type Made, newlyMade, nothing, type SourceAccesses } from './snapshot-grants.ts';

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

/** Grants from the store: an organisation is read again only when its revision was raised, by whichever process. */
export function createStoredGrants(options: StoredGrantsOptions): GrantSource {
  const { store, sources, tools } = options;
  const now = options.now ?? Date.now;
  const organisations = options.organisations ?? createKnownOrganisations(store);
  const made = new WeakMap<KnownOrganisation, Made>();
  const listeners = new Set<(organisation: string) => void>();
  let unsubscribe: (() => void) | undefined;
  let operator: { readonly sources: SourceAccesses; readonly grants: Map<string, Grants> } | undefined;

  /** Throws `unauthorized` for a user or key that is gone. */
  const grantsAt = (known: KnownOrganisation, principal: Principal): Grants => {
    let own = made.get(known);
    if (own === undefined) {
      own = newlyMade(sources());
      made.set(known, own);
    }
    return grantsOfSnapshot(known.snapshot, own, principal, sources(), tools, now());
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
    for (const id of changed) for (const listener of listeners) listener(id);
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

function rethrow(error: unknown): never {
  if (isToolcribError(error)) throw error;
  throw new ToolcribError('store_unavailable', 'The store could not be asked what this caller may do.', {
    cause: error,
  });
}
