import type { OperationHit, OperationQuery, VisibleOperation } from '../operations/index.ts';
import { fitsIntent } from '../operations/intent.ts';
import { DEFAULT_DEPTH, type Reranker, rerankedHits } from './reranker.ts';
import type { SearchIndex } from './search-index.ts';
import { MAX_QUERY_LENGTH } from './search-query.ts';

/** Hits where the query names no limit, and the most that it may name. */
export const DEFAULT_LIMIT = 8;
export const MAX_LIMIT = 100;

export interface OperationSearchOptions {
  /** Operations of a category; absent: by tag. */
  readonly inCategory?: (operation: VisibleOperation, category: string) => boolean;
  readonly reranker?: Reranker;
  /** Learns why a reranker failed; the ranking by words stands in. */
  readonly onError?: (error: unknown) => void;
}

/** Finds operations of one set; never any other. */
export interface OperationSearch {
  search(query: OperationQuery, signal?: AbortSignal): Promise<readonly OperationHit[]>;
}

/** `operations`: what a principal may call, in the order in which they are listed without text; `index` may hold more. */
export function createOperationSearch(
  index: SearchIndex,
  operations: readonly VisibleOperation[],
  options: OperationSearchOptions = {},
): OperationSearch {
  const places = new Places(index, operations);
  const { reranker, onError } = options;
  return {
    async search(query, signal = new AbortController().signal) {
      signal.throwIfAborted();
      const text = query.text?.slice(0, MAX_QUERY_LENGTH).trim() ?? '';
      const limit = boundedLimit(query.limit);
      const wanted = filterOf(query, options);
      if (text === '') return firstOf(operations, wanted, limit);
      const depth = reranker === undefined ? limit : Math.max(limit, reranker.depth ?? DEFAULT_DEPTH);
      const hits = places.ranked(text, wanted, depth);
      if (reranker === undefined) return hits;
      return (await rerankedHits(reranker, text, hits, signal, onError)).slice(0, limit);
    },
  };
}

/** Where the operations of a set stand in an index. */
class Places {
  readonly #index: SearchIndex;
  /** By place in the index; undefined for what is not in the set. */
  readonly #operations: readonly (VisibleOperation | undefined)[];

  constructor(index: SearchIndex, operations: readonly VisibleOperation[]) {
    const byKey = new Map(operations.map((operation) => [operation.operation, operation]));
    this.#index = index;
    this.#operations = Array.from(index.keys(), (key) => byKey.get(key));
  }

  ranked(text: string, wanted: (operation: VisibleOperation) => boolean, limit: number): OperationHit[] {
    const allowed = Uint8Array.from(this.#operations, (operation) =>
      operation !== undefined && wanted(operation) ? 1 : 0,
    );
    return this.#index
      .search(text, { limit, allowed })
      .map(({ place, score }) => ({ operation: this.#operations[place]!, score }));
  }
}

function filterOf(
  { intent, source, category, method }: OperationQuery,
  { inCategory = hasTag }: OperationSearchOptions,
): (operation: VisibleOperation) => boolean {
  const wantedMethod = method?.toUpperCase();
  return (operation) =>
    (intent === undefined || fitsIntent(operation.facts, intent)) &&
    (source === undefined || operation.source === source) &&
    (wantedMethod === undefined || operation.facts.http?.method.toUpperCase() === wantedMethod) &&
    (category === undefined || inCategory(operation, category));
}

function hasTag({ facts }: VisibleOperation, category: string): boolean {
  return facts.tags.includes(category);
}

function firstOf(
  operations: readonly VisibleOperation[],
  wanted: (operation: VisibleOperation) => boolean,
  limit: number,
): OperationHit[] {
  const hits: OperationHit[] = [];
  for (const operation of operations) {
    if (hits.length === limit) break;
    if (wanted(operation)) hits.push({ operation, score: 0 });
  }
  return hits;
}

function boundedLimit(limit: number | undefined): number {
  if (limit === undefined || !Number.isFinite(limit)) return DEFAULT_LIMIT;
  return Math.min(MAX_LIMIT, Math.max(1, Math.floor(limit)));
}
