import type { Grants, PolicyCheck } from '../operations/index.ts';
import { explainEntry, type VisibilityEntry } from './visibility.ts';

/** What somebody may change, as far as hidden operations are concerned. */
export type Teller = 'operator' | 'admin' | 'user';

/**
 * Whether somebody learns of an operation that may be hidden from the one whose grants they are: the operator of all;
 * a user of what the own choice or an own account would open; an admin also of what levels, roles and features of the
 * organisation would. Nobody else learns its name from a list.
 */
export function isTold(entry: VisibilityEntry, grants: Grants, teller: Teller): boolean {
  if (teller === 'operator') return true;
  const told = teller === 'admin' ? TOLD_TO_ADMINS : TOLD_TO_USERS;
  return explainEntry(entry, grants).checks.every(({ check, passes }) => passes || told.has(check));
}

const TOLD_TO_USERS: ReadonlySet<PolicyCheck['check']> = new Set(['user-level', 'connection', 'access']);
const TOLD_TO_ADMINS: ReadonlySet<PolicyCheck['check']> = new Set([
  ...TOLD_TO_USERS,
  'admin-level',
  'roles',
  'permissions',
  'feature',
]);
