export { documentOf } from './operation-document.ts';
export {
  createOperationSearch,
  type OperationSearch,
  type OperationSearchOptions,
} from './operation-search.ts';
export { type Reranker, rerankedHits } from './reranker.ts';
export type { SearchDocument, SearchPart } from './search-document.ts';
export { createSearchIndex, type SearchIndex } from './search-index.ts';
