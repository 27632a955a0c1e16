/** For lists of names: user-2 before user-10, in the order of the reader's language. */
export function nameOrder(): (a: string, b: string) => number {
  return new Intl.Collator(undefined, { numeric: true }).compare;
}
