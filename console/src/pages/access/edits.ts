import type { AccessLevel } from '../../../../gateway/src/operations/access-level.ts';
import type { AccessChange } from '../../../../gateway/src/principals/access/access-records.ts';
import type { Level } from '../../../../gateway/src/principals/directory/records.ts';

/** What one change is about: a later one of the same takes its place. */
export function subjectOf(change: AccessChange): string {
  if (change.kind === 'level') return JSON.stringify(['level', change.user ?? null, change.scope]);
  return JSON.stringify(change.kind === 'user' ? ['user', change.user] : ['feature', change.feature]);
}

export function withEdit(changes: readonly AccessChange[], change: AccessChange): readonly AccessChange[] {
  return [...without(changes, subjectOf(change)), change];
}

export function without(changes: readonly AccessChange[], subject: string): readonly AccessChange[] {
  return changes.filter((one) => subjectOf(one) !== subject);
}

/** The level that is set for exactly this scope; null: none is. `user` null: the organisation's. */
export function setLevel(levels: readonly Level[], user: string | null, scope: string): AccessLevel | null {
  return levels.find((one) => one.user === user && one.scope === scope)?.level ?? null;
}

/** A level as it would be after the edits; undefined: it is not edited. */
export function editedLevel(
  changes: readonly AccessChange[],
  user: string | null,
  scope: string,
): AccessLevel | null | undefined {
  for (const change of changes) {
    if (change.kind === 'level' && (change.user ?? null) === user && change.scope === scope) {
      return change.level;
    }
  }
  return undefined;
}

/** Whether a cell of the matrix is about something that is being edited. `user` null: the organisation's row. */
export function isEdited(
  changes: readonly AccessChange[],
  user: string | null,
  { name, category }: { readonly name: string; readonly category: string },
): boolean {
  const scopes = [`source:${name}`, `category:${category}`, 'category:*'];
  return changes.some((change) =>
    change.kind === 'level'
      ? (change.user ?? null) === user && scopes.includes(change.scope)
      : change.kind === 'user' && change.user === user,
  );
}

/** Scopes by which a level of a source can be set, the nearest first. */
export function scopesOf({ name, category }: { readonly name: string; readonly category: string }) {
  return [
    { scope: `source:${name}`, words: `Only ${name}` },
    { scope: `category:${category}`, words: `Category ${category}` },
    { scope: 'category:*', words: 'Every other category' },
  ];
}

/** The change without what equals what is there already; undefined: nothing is left of it. */
export function levelChange(
  levels: readonly Level[],
  user: string | null,
  scope: string,
  level: AccessLevel | null,
): AccessChange | undefined {
  return setLevel(levels, user, scope) === level ? undefined : { kind: 'level', user, scope, level };
}
