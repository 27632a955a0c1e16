import { visibleText } from '../visible-text.ts';

export interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Names by id, as they are shown: nothing in them turns what stands beside; those that several people have with the
 * id behind, so that nobody is taken for another.
 */
export function namesOf(given: readonly Named[]): ReadonlyMap<string, string> {
  const people = given.map(({ id, name }) => ({ id, name: visibleText(name) }));
  const held = new Map<string, number>();
  for (const { name } of people) held.set(name, (held.get(name) ?? 0) + 1);
  return new Map(
    people.map(({ id, name }) => [id, (held.get(name) ?? 0) > 1 && name !== id ? `${name} (${id})` : name]),
  );
}
