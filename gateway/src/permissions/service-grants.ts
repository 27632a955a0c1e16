import {
  allowsReading,
  type GrantSource,
  type Grants,
  type Principal,
  type SourceGrant,
} from '../operations/index.ts';
import type { ProbedRoles, RoleProbe } from './role-probe.ts';

export interface ServiceGrantsOptions {
  readonly probe: RoleProbe;
  /** Sources that are asked for roles, and whose roles hold every permission. Read at every use. */
  readonly sources: () => Readonly<Record<string, { readonly adminRoles: readonly string[] }>>;
}

/** Grants with the roles that services give. */
export interface ServiceGrants extends GrantSource {
  /** With a source, only that one is waited for: the others are as known. */
  fresh(principal: Principal, source?: string): Grants | Promise<Grants>;
}

/**
 * Adds to each grant the roles that the service itself gives to its account: none where it does not say, so that what
 * needs a permission is not offered. Equal roles give the same object for the same grants.
 */
export function withServiceRoles(
  grants: GrantSource,
  { probe, sources }: ServiceGrantsOptions,
): ServiceGrants {
  const made = new WeakMap<Grants, { readonly key: string; readonly grants: Grants }>();

  const withRoles = (base: Grants): Grants => {
    const asked = Object.entries(sources()).flatMap(([name, { adminRoles }]) => {
      const grant = base.source(name);
      if (grant === undefined) return [];
      const probed = isReachable(grant) ? probe.known(name, grant.account) : UNREACHABLE;
      return probed === undefined ? [] : [[name, grantWith(grant, probed, adminRoles)] as const];
    });
    if (asked.length === 0) return base;
    const key = JSON.stringify(
      asked.map(([name, { roles, adminRoles, reasons }]) => [name, roles, adminRoles, reasons]),
    );
    const before = made.get(base);
    if (before?.key === key) return before.grants;
    const own = new Map<string, SourceGrant>(asked);
    const stamp = `${base.stamp}+roles:${key}`;
    const next = Object.freeze<Grants>({
      ...base,
      stamp,
      source: (name) => own.get(name) ?? base.source(name),
    });
    made.set(base, { key, grants: next });
    return next;
  };

  const afterAsking = (base: Grants, source: string | undefined): Grants | Promise<Grants> => {
    const waiting = Object.keys(sources()).flatMap((name) => {
      if (source !== undefined && source !== name) return [];
      const grant = base.source(name);
      if (grant === undefined || !isReachable(grant)) return [];
      const asked = probe.fresh(name, grant.account);
      return asked instanceof Promise ? [asked] : [];
    });
    return waiting.length === 0 ? withRoles(base) : Promise.all(waiting).then(() => withRoles(base));
  };

  return {
    fresh(principal, source) {
      const base = grants.fresh(principal);
      return base instanceof Promise
        ? base.then((one) => afterAsking(one, source))
        : afterAsking(base, source);
    },
    known: (principal) => withRoles(grants.known(principal)),
    onChange(listener) {
      const stop = [grants.onChange(listener), probe.onChange(() => listener())];
      return () => {
        for (const one of stop) one();
      };
    },
  };
}

const UNREACHABLE: ProbedRoles = Object.freeze({ status: 'unknown', roles: [] });

/** Nobody is asked about an account that is not there, or that nothing may be done with. */
function isReachable({ connection, level }: SourceGrant): boolean {
  return connection === 'connected' && allowsReading(level);
}

function grantWith(
  grant: SourceGrant,
  { roles, reason }: ProbedRoles,
  adminRoles: readonly string[],
): SourceGrant {
  const reasons = reason === undefined ? grant.reasons : { ...grant.reasons, roles: reason };
  return Object.freeze({ ...grant, roles, adminRoles, ...(reasons === undefined ? {} : { reasons }) });
}
