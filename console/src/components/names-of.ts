interface Named {
  readonly id: string;
  readonly name: string;
}

/** Names by id; those that several people have with the id behind, so that nobody is taken for another. */
export function namesOf(people: readonly Named[]): ReadonlyMap<string, string> {
  const held = new Map<string, number>();
  for (const { name } of people) held.set(name, (held.get(name) ?? 0) + 1);
  return new Map(
    people.map(({ id, name }) => [id, (held.get(name) ?? 0) > 1 && name !== id ? `${name} (${id})` : name]),
  );
}
