import { compareText } from '../../operations/text/compare-text.ts';

interface PageOf {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * A page of what is sorted by a key: those behind the cursor, which is the last key of the page before. `order` is that
 * of the keys.
 */
export function paged<T>(
  sorted: readonly T[],
  keyOf: (one: T) => string,
  { cursor, limit }: PageOf,
  order = compareText,
): { readonly page: readonly T[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString('utf8');
  const rest = after === undefined ? sorted : sorted.filter((one) => order(keyOf(one), after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  if (last === undefined || rest.length <= limit) return { page };
  return { page, nextCursor: Buffer.from(keyOf(last), 'utf8').toString('base64url') };
}
