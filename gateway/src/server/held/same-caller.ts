import type { Principal } from '../../operations/index.ts';

/** What somebody began is for them alone to go on with; another key of the same user may allow less. */
export function isSameCaller(a: Principal, b: Principal): boolean {
  return isSameUser(a, b) && a.key === b.key;
}

export function isSameUser(a: Principal, b: Principal): boolean {
  return a.id === b.id && a.kind === b.kind && a.organisation === b.organisation;
}
