import { InvalidArgumentError } from 'commander';

/** A parser that takes the words given and nothing else. */
export function oneOf<T extends string>(...words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`Use one of ${words.join(', ')}.`);
    return found;
  };
}

/** A repeatable option as a list; the one word `none` is the empty list. */
export function listOf(value: unknown): readonly string[] {
  const list = value as readonly string[];
  return list.length === 1 && list[0] === 'none' ? [] : list;
}

/** A text option; the word `none` takes the value away. */
export function textOf(value: unknown): unknown {
  return value === 'none' ? null : value;
}
