export { fitsIntent } from './intent.ts';
export { documentOf } from './operation-document.ts';
export {
  createOperationSearch,
  type OperationSearch,
  type OperationSearchOptions,
} from './operation-search.ts';
export { DEFAULT_PARAMETERS, type RankingParameters } from './parameters.ts';
export { type Reranker, rerankedHits } from './reranker.ts';
export type { SearchDocument, SearchPart } from './search-document.ts';
export {
  createSearchIndex,
  type SearchIndex,
  type SearchOptions,
  type SearchResult,
} from './search-index.ts';
