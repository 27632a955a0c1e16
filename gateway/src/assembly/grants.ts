import type { Catalog } from '../catalog/catalog.ts';
import type { Configuration } from '../config/configuration.ts';
import type { GrantSource, Grants, Principal } from '../operations/index.ts';
import { localGrants } from '../policy/local-grants.ts';
import type { SourceAccess } from '../policy/source-access.ts';
import { sourceAccess } from './source-access.ts';

export interface GrantParts {
  readonly configuration: Configuration;
  readonly catalog: () => Catalog;
  /** Grants of users, where there are any. */
  readonly users: () => GrantSource | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface GatewayGrants extends GrantSource {
  /** What access needs to know of the current catalog's sources. */
  sources(): Readonly<Record<string, SourceAccess>>;
}

/** The process owner and the operator's token by the configuration, users by the store. */
export function createGrants({ configuration, catalog, users, env }: GrantParts): GatewayGrants {
  const sources = oncePerCatalog(catalog, (current) => sourceAccess(current, configuration, env));
  const owners = oncePerCatalog(catalog, () => new WeakMap<Principal, Grants>());
  const ownerGrants = (principal: Principal): Grants => {
    const known = owners();
    let grants = known.get(principal);
    if (grants === undefined) {
      grants = localGrants(principal, sources(), configuration.tools);
      known.set(principal, grants);
    }
    return grants;
  };
  const nobody = (principal: Principal): Grants => localGrants(principal, {}, configuration.tools);
  return {
    sources,
    fresh: (principal) =>
      principal.kind === 'user' ? (users()?.fresh(principal) ?? nobody(principal)) : ownerGrants(principal),
    known: (principal) =>
      principal.kind === 'user' ? (users()?.known(principal) ?? nobody(principal)) : ownerGrants(principal),
    onChange: (listener) => users()?.onChange(listener) ?? (() => undefined),
  };
}

/** Made again only for another catalog. */
function oncePerCatalog<T>(catalog: () => Catalog, make: (current: Catalog) => T): () => T {
  let madeFor: Catalog | undefined;
  let made: T;
  return () => {
    const current = catalog();
    if (madeFor !== current) {
      made = make(current);
      madeFor = current;
    }
    return made;
  };
}
