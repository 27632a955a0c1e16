import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import type { Configuration } from '../config/configuration.ts';
import { hashBytes, type TopologyOptions, type VisibleOperation } from '../operations/index.ts';
import {
  createOperationSearch,
  createSearchIndex,
  documentOf,
  type OperationSearch,
  type Reranker,
  type SearchIndex,
  type SearchPart,
} from '../retrieval/index.ts';
import { categoryIndex } from '../topology/category/category-index.ts';
import type { OperationSet } from '../topology/topology.ts';
import type { SearchSet } from './operation-set.ts';

export interface CatalogSearchParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  readonly options: () => TopologyOptions;
  readonly reranker?: Reranker | undefined;
  readonly failed: (error: unknown) => void;
}

/** Search over a catalog: indexed with the first question; sources that a swap left alone are not read again. */
export function createCatalogSearch(parts: CatalogSearchParts): (catalog: Catalog) => SearchSet {
  const indexes = new WeakMap<Catalog, SearchIndex>();
  const searches = new WeakMap<OperationSet, OperationSearch>();
  let latest: SearchIndex | undefined;
  const indexOf = (catalog: Catalog): SearchIndex => {
    let index = indexes.get(catalog);
    if (index === undefined) {
      index = createSearchIndex(partsOf(catalog), latest);
      indexes.set(catalog, index);
      latest = index;
    }
    return index;
  };
  return (catalog) => (set, query, signal) => {
    let search = searches.get(set);
    if (search === undefined) {
      search = createOperationSearch(indexOf(catalog), set.operations, {
        inCategory: inCategory(set, parts),
        ...(parts.reranker === undefined ? {} : { reranker: parts.reranker }),
        onError: parts.failed,
      });
      searches.set(set, search);
    }
    return search.search(query, signal);
  };
}

function partsOf(catalog: Catalog): SearchPart[] {
  const bySource = Map.groupBy(catalog.entries, ({ source }) => source);
  return catalog.sources.map(({ name, fingerprint }) => {
    const entries = bySource.get(name) ?? [];
    return {
      source: name,
      stamp: hashBytes(`${fingerprint}\n${entries.map((entry) => entry.name).join('\n')}`),
      documents: () => documentsOf(entries),
    };
  });
}

function* documentsOf(entries: readonly CatalogEntry[]) {
  for (const entry of entries) yield documentOf(entry);
}

/** By the category's own name, its tag, or another name that a source has for it. */
function inCategory(set: OperationSet, { configuration, options }: CatalogSearchParts) {
  return ({ operation, source }: VisibleOperation, category: string): boolean => {
    const aliases = configuration().sources[source]?.categoryAliases ?? {};
    const name = Object.hasOwn(aliases, category) ? aliases[category]! : category;
    return categoryIndex(set, options()).members(name)?.has(operation) === true;
  };
}
