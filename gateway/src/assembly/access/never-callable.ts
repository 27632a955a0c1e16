import type { Catalog } from '../../catalog/catalog.ts';
import { DANGEROUS } from '../../compiler/compile-source.ts';
import type { NeverCallable, OperationsQuery } from '../../server/http/admin/access-administration.ts';

/** Dangerous operations that fit the question: they are no entries of the catalog, and nobody calls them. */
export function neverCallable(
  { skipped }: Catalog,
  { source: wanted, q }: Pick<OperationsQuery, 'source' | 'q'>,
): readonly NeverCallable[] {
  return skipped
    .filter(({ reason, source }) => reason === DANGEROUS && (wanted === undefined || wanted === source))
    .map(({ operation, source, method, path }) => ({
      id: operation ?? path,
      source: source ?? '',
      target: `${method} ${path}`,
    }))
    .filter(({ id }) => q === undefined || id.toLowerCase().includes(q.toLowerCase()));
}
