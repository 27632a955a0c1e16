import { z } from 'zod';
import { ToolcribError } from '../../errors.ts';
import { type AccessLevel, LEVELS } from '../../operations/index.ts';
import { type Actor, ADMIN_ROLE, checkAdmin, isAdmin, unknownRecord } from '../directory/actor.ts';
import { scope, word } from '../directory/inputs.ts';
import type { OrganisationSnapshot, UserSnapshot } from '../grants/organisation-snapshot.ts';
import type { AccessChange, AccessChanges } from './access-records.ts';

const MOST_CHANGES = 500;

const level = z.strictObject({
  kind: z.literal('level'),
  user: word.nullable().optional(),
  scope,
  level: z.enum(LEVELS as ['read-write', 'read-only', 'disabled', 'none']).nullable(),
});
const user = z.strictObject({
  kind: z.literal('user'),
  user: word,
  roles: z.array(word).max(100).optional(),
  status: z.enum(['active', 'disabled']).optional(),
});
const feature = z.strictObject({ kind: z.literal('feature'), feature: word, enabled: z.boolean() });

export const accessChanges: z.ZodType<AccessChanges> = z.strictObject({
  organisation: word.optional(),
  version: z.string().max(100).optional(),
  changes: z.array(z.discriminatedUnion('kind', [level, user, feature])).max(MOST_CHANGES),
});

/**
 * Whether this actor may make the changes, and whether they name what is there: the rules of the single records.
 * `sources` are those that exist. Throws `admin_needed`, `record_unknown`, `record_invalid` with the pointer.
 */
export function checkAccessChanges(
  actor: Actor,
  snapshot: OrganisationSnapshot,
  sources: object,
  changes: readonly AccessChange[],
): void {
  for (const [index, change] of changes.entries()) {
    const at = `/changes/${index}`;
    if (change.kind === 'feature') checkAdmin(actor, 'change the organisation');
    else if (change.kind === 'user') checkUser(actor, snapshot, change, at);
    else checkLevel(actor, snapshot, sources, change, at);
  }
}

function checkUser(
  actor: Actor,
  snapshot: OrganisationSnapshot,
  { user: id, roles = [] }: AccessChange & { kind: 'user' },
  at: string,
): void {
  checkKnown(actor, snapshot, id);
  checkAdmin(actor, 'change users');
  const missing = roles.findIndex((role) => role !== ADMIN_ROLE && !snapshot.permissions.has(role));
  if (missing < 0) return;
  throw new ToolcribError('record_invalid', `The organisation has no role "${roles[missing]}".`, {
    pointer: `${at}/roles/${missing}`,
  });
}

function checkLevel(
  actor: Actor,
  snapshot: OrganisationSnapshot,
  sources: object,
  change: AccessChange & { kind: 'level' },
  at: string,
): void {
  const { user: id = null } = change;
  if (id === null) checkAdmin(actor, 'set what the organisation allows');
  else checkKnown(actor, snapshot, id);
  const [, name] = /^source:(.*)$/s.exec(change.scope) ?? [];
  // what is left of a source that is gone may be taken away
  if (change.level === null || name === undefined || Object.hasOwn(sources, name)) return;
  throw new ToolcribError('record_invalid', `There is no source "${name}".`, { pointer: `${at}/scope` });
}

/** Users reach themselves; others are not there for them. */
function checkKnown(actor: Actor, { users }: OrganisationSnapshot, id: string): void {
  const reached = users.has(id) && (isAdmin(actor) || (actor.kind === 'user' && actor.id === id));
  if (!reached) throw unknownRecord('user', id);
}

/** The state after the changes. Pure. */
export function withChanges(
  snapshot: OrganisationSnapshot,
  changes: readonly AccessChange[],
): OrganisationSnapshot {
  return changes.reduce(withChange, snapshot);
}

function withChange(snapshot: OrganisationSnapshot, change: AccessChange): OrganisationSnapshot {
  if (change.kind === 'feature') {
    const others = snapshot.features.filter((name) => name !== change.feature);
    return { ...snapshot, features: change.enabled ? [...others, change.feature] : others };
  }
  if (change.kind === 'level' && change.user == null) {
    return { ...snapshot, levels: withLevel(snapshot.levels, change.scope, change.level) };
  }
  const before = snapshot.users.get(change.user!);
  if (before === undefined) return snapshot;
  return { ...snapshot, users: new Map(snapshot.users).set(change.user!, userAfter(before, change)) };
}

function userAfter(
  before: UserSnapshot,
  change: Exclude<AccessChange, { readonly kind: 'feature' }>,
): UserSnapshot {
  if (change.kind === 'level') {
    return { ...before, levels: withLevel(before.levels, change.scope, change.level) };
  }
  const { roles = before.roles, status } = change;
  return {
    ...before,
    roles: [...new Set(roles)].sort(),
    active: status === undefined ? before.active : status === 'active',
  };
}

function withLevel(
  levels: ReadonlyMap<string, string>,
  of: string,
  to: AccessLevel | null,
): ReadonlyMap<string, string> {
  const next = new Map(levels);
  if (to === null) next.delete(of);
  else next.set(of, to);
  return next;
}
