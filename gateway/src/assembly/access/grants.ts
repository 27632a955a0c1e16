import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { GrantSource, Grants, Principal, SkillPolicy } from '../../operations/index.ts';
import { localGrants } from '../../policy/local-grants.ts';
import type { SourceAccess } from '../../policy/source-access.ts';
import { sourceAccess } from './source-access.ts';

export interface GrantParts {
  readonly configuration: Configuration;
  /** `policy.skills` as it counts now; absent: the configuration's. */
  readonly skills?: (() => SkillPolicy | undefined) | undefined;
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
export function createGrants(parts: GrantParts): GatewayGrants {
  const { configuration, catalog, users, env, skills = () => configuration.policy.skills } = parts;
  const sources = kept([catalog, skills], () => sourceAccess(catalog(), configuration, env, skills()));
  const owners = kept([sources], () => new WeakMap<Principal, Grants>());
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

/** Made again only where one of these is another object. */
function kept<T>(of: ReadonlyArray<() => unknown>, make: () => T): () => T {
  let madeFor: readonly unknown[] | undefined;
  let made: T;
  return () => {
    const current = of.map((read) => read());
    if (madeFor === undefined || current.some((one, index) => one !== madeFor?.[index])) {
      made = make();
      madeFor = current;
    }
    return made;
  };
}
