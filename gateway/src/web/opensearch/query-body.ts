import type { JsonObject } from '../../operations/index.ts';
import type { Condition } from '../filters.ts';

export type SearchMode = 'bm25' | 'knn' | 'hybrid';

export interface IndexFields {
  /** Fields that are searched, with boosts: `title^2`. */
  readonly search: readonly string[];
  readonly vector: string;
}

export interface QueryParts {
  readonly query: string;
  readonly count: number;
  readonly conditions: readonly Condition[];
  readonly fields: IndexFields;
  readonly mode: SearchMode;
  readonly vector: readonly number[] | undefined;
  readonly variant: 'opensearch' | 'elasticsearch';
}

/** The body of `_search`. The question is only ever the text of `match`: it has no operators there. */
export function queryBody(parts: QueryParts): JsonObject {
  const { mode, count, variant } = parts;
  const size = { size: count, _source: { excludes: [parts.fields.vector] } };
  if (mode === 'bm25') return { ...size, query: withFilter(text(parts), filtersOf(parts)) };
  if (variant === 'elasticsearch') {
    const query = mode === 'hybrid' ? { query: withFilter(text(parts), filtersOf(parts)) } : {};
    return { ...size, ...query, knn: elasticKnn(parts) };
  }
  const knn = openKnn(parts);
  if (mode === 'knn') return { ...size, query: knn };
  return { ...size, query: { hybrid: { queries: [withFilter(text(parts), filtersOf(parts)), knn] } } };
}

function text({ query, fields: { search } }: QueryParts): JsonObject {
  const [only] = search;
  if (search.length === 1 && only !== undefined && !only.includes('^')) {
    return { match: { [only]: { query, operator: 'or' } } };
  }
  return { multi_match: { query, fields: [...search], type: 'best_fields' } };
}

function withFilter(query: JsonObject, filter: JsonObject[]): JsonObject {
  return filter.length === 0 ? query : { bool: { must: [query], filter } };
}

/** `filter` inside of knn is applied while neighbours are looked for, so that they are still as many as asked. */
function openKnn(parts: QueryParts): JsonObject {
  const filter = filtersOf(parts);
  return {
    knn: {
      [parts.fields.vector]: {
        vector: [...(parts.vector ?? [])],
        k: parts.count,
        ...(filter.length === 0 ? {} : { filter: { bool: { filter } } }),
      },
    },
  };
}

function elasticKnn(parts: QueryParts): JsonObject {
  const filter = filtersOf(parts);
  return {
    field: parts.fields.vector,
    query_vector: [...(parts.vector ?? [])],
    k: parts.count,
    num_candidates: Math.min(10_000, Math.max(100, parts.count * 10)),
    ...(filter.length === 0 ? {} : { filter }),
  };
}

function filtersOf({ conditions }: QueryParts): JsonObject[] {
  return conditions.map(clauseOf);
}

function clauseOf(condition: Condition): JsonObject {
  switch (condition.kind) {
    case 'equals':
      return { term: { [condition.field]: condition.value } };
    case 'one-of':
      return { terms: { [condition.field]: [...condition.values] } };
    case 'range':
      return { range: { [condition.field]: Object.fromEntries(condition.bounds) } };
  }
}
