import { compareText } from './compare-text.ts';

/** For lists that people read: user-2 before user-10, ann beside Ann; the same on every machine. */
export function nameOrder(): (a: string, b: string) => number {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return (a, b) => compare(a, b) || compareText(a, b);
}
