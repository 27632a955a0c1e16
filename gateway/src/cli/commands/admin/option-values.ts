/** A repeatable option as a list; the one word `none` is the empty list. */
export function listOf(value: unknown): readonly string[] {
  const list = value as readonly string[];
  return list.length === 1 && list[0] === 'none' ? [] : list;
}

/** A text option; the word `none` takes the value away. */
export function textOf(value: unknown): unknown {
  return value === 'none' ? null : value;
}
