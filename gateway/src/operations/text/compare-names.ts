import { compareText } from './compare-text.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * For lists that people read, by name and then by id: user-2 before user-10, ann beside Ann; the same on every machine.
 */
export function nameOrder(): (a: Named, b: Named) => number {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return (a, b) => compare(a.name, b.name) || compareText(a.name, b.name) || compareText(a.id, b.id);
}
