import { ACCESS_LEVELS } from './operation.ts';
import type { Principal } from './principal.ts';

/** What a client wants no more than. It is the client's own word: a limit that it cannot lift is its key's. */
export interface Narrowing {
  readonly sources?: readonly string[];
  readonly maxAccess?: Principal['maxAccess'];
}

/** What `maxAccess` may be. */
export const NARROWEST: ReadonlyArray<Principal['maxAccess']> = ['read', 'write', 'delete'];

const narrowed = new WeakMap<Principal, Map<string, Principal>>();
const MOST_KEPT = 64;

/** The principal with no more than that, and no more than its credential allows: the same object for the same words. */
export function narrowedTo(principal: Principal, { sources, maxAccess }: Narrowing): Principal {
  if (sources === undefined && maxAccess === undefined) return principal;
  const key = JSON.stringify([sources, maxAccess]);
  const kept = narrowed.get(principal) ?? new Map<string, Principal>();
  const known = kept.get(key);
  if (known !== undefined) return known;
  const { sources: own, maxAccess: most } = principal;
  const isLess = maxAccess !== undefined && ACCESS_LEVELS.indexOf(maxAccess) < ACCESS_LEVELS.indexOf(most);
  const made: Principal = Object.freeze({
    ...principal,
    ...(isLess ? { maxAccess } : {}),
    ...(sources === undefined
      ? {}
      : { sources: own === undefined ? sources : sources.filter((name) => own.includes(name)) }),
  });
  if (kept.size >= MOST_KEPT) kept.clear();
  narrowed.set(principal, kept.set(key, made));
  return made;
}
