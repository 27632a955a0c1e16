import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { hashBytes, type TopologyOptions, type VisibleOperation } from '../../operations/index.ts';
import type { OperationSearch, Reranker, SearchIndex, SearchPart } from '../../retrieval/index.ts';
import type { OperationSet } from '../../topology/topology.ts';
import { lazily } from '../lazily.ts';
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
  const rooms = lazily(async () => ({
    ...(await import('../../retrieval/index.ts')),
    ...(await import('../../topology/category/category-index.ts')),
  }));
  const indexOf = (catalog: Catalog, { createSearchIndex, documentOf }: Rooms): SearchIndex => {
    let index = indexes.get(catalog);
    if (index === undefined) {
      index = createSearchIndex(partsOf(catalog, documentOf), latest);
      indexes.set(catalog, index);
      latest = index;
    }
    return index;
  };
  return (catalog) => async (set, query, signal) => {
    const loaded = await rooms();
    let search = searches.get(set);
    if (search === undefined) {
      search = loaded.createOperationSearch(indexOf(catalog, loaded), set.operations, {
        inCategory: inCategory(set, parts, loaded),
        ...(parts.reranker === undefined ? {} : { reranker: parts.reranker }),
        onError: parts.failed,
      });
      searches.set(set, search);
    }
    return search.search(query, signal);
  };
}

/** What is loaded with the first question. */
type Rooms = typeof import('../../retrieval/index.ts') &
  typeof import('../../topology/category/category-index.ts');

function partsOf(catalog: Catalog, documentOf: Rooms['documentOf']): SearchPart[] {
  const bySource = Map.groupBy(catalog.entries, ({ source }) => source);
  return catalog.sources.map(({ name, fingerprint }) => {
    const entries = bySource.get(name) ?? [];
    return {
      source: name,
      stamp: hashBytes(`${fingerprint}\n${entries.map((entry) => entry.name).join('\n')}`),
      *documents() {
        for (const entry of entries) yield documentOf(entry);
      },
    };
  });
}

/** By the category's own name, its tag, or another name that a source has for it. */
function inCategory(
  set: OperationSet,
  { configuration, options }: CatalogSearchParts,
  { categoryIndex }: Rooms,
) {
  return ({ operation, source }: VisibleOperation, category: string): boolean => {
    const aliases = configuration().sources[source]?.categoryAliases ?? {};
    const name = Object.hasOwn(aliases, category) ? aliases[category]! : category;
    return categoryIndex(set, options()).members(name)?.has(operation) === true;
  };
}
