import type { Catalog } from '../../catalog/catalog.ts';
import type { Grants, OperationHit, OperationQuery } from '../../operations/index.ts';
import { deriveVisibility } from '../../policy/visibility.ts';
import { operationSet, type SearchSet } from './operation-set.ts';

/** What these grants cover, best first; nothing else is looked at. */
export function searchOperations(
  catalog: Catalog,
  grants: Grants,
  search: SearchSet,
  query: OperationQuery,
): Promise<readonly OperationHit[]> {
  const { visible } = deriveVisibility(catalog.entries, grants);
  return operationSet(visible, catalog.sources, grants, search, new Set()).search(query);
}
