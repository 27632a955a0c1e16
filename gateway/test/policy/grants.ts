import type { Grants, Principal, SourceGrant } from '../../src/operations/index.ts';
import { effectiveLevel } from '../../src/policy/effective-access.ts';

/** A grant of everything on a connected source, of which only the named parts differ. */
export function sourceGrant(changes: Partial<SourceGrant> = {}): SourceGrant {
  const factors = { admin: 'read-write', user: 'read-write', connection: 'connected', ...changes } as const;
  return { category: 'ats', level: effectiveLevel(factors), ...factors };
}

interface Changes extends Partial<Omit<Grants, 'principal' | 'source'>> {
  readonly principal?: Partial<Principal>;
  /** By source; every other source has no grant. */
  readonly sources?: Readonly<Record<string, SourceGrant>>;
}

/** Grants of a user who may do everything with the source `pets`, of which only the named parts differ. */
export function grants({ principal, sources = { pets: sourceGrant() }, ...changes }: Changes = {}): Grants {
  return {
    principal: { id: 'ada', kind: 'user', maxAccess: 'delete', roles: [], ...principal },
    stamp: '',
    roles: [],
    permissions: [],
    features: [],
    tools: 'dynamic',
    source: (name) => (Object.hasOwn(sources, name) ? sources[name] : undefined),
    ...changes,
  };
}
