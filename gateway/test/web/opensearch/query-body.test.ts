import { describe, expect, it } from 'vitest';
import { type QueryParts, queryBody } from '../../../src/web/opensearch/query-body.ts';

const PARTS: QueryParts = {
  query: 'cats',
  count: 3,
  conditions: [
    { field: 'tenant', kind: 'equals', value: 'a' },
    { field: 'year', kind: 'range', bounds: [['gte', 2020]] },
  ],
  fields: { search: ['text'], vector: 'embedding' },
  mode: 'bm25',
  vector: [1, 2],
  variant: 'opensearch',
};
const filter = [{ term: { tenant: 'a' } }, { range: { year: { gte: 2020 } } }];
const match = { match: { text: { query: 'cats', operator: 'or' } } };
const words = { bool: { must: [match], filter } };
const near = { vector: [1, 2], k: 3 };
const elasticNear = { field: 'embedding', query_vector: [1, 2], k: 3, num_candidates: 100 };

/** Whatever is asked for, the filters hold for every part of it: an operator keeps tenants apart by them. */
describe('filters hold for every part of a question', () => {
  it.each<[QueryParts['variant'], QueryParts['mode'], object]>([
    ['opensearch', 'bm25', { query: words }],
    ['opensearch', 'knn', { query: { knn: { embedding: { ...near, filter: { bool: { filter } } } } } }],
    [
      'opensearch',
      'hybrid',
      {
        query: {
          hybrid: { queries: [words, { knn: { embedding: { ...near, filter: { bool: { filter } } } } }] },
        },
      },
    ],
    ['elasticsearch', 'bm25', { query: words }],
    ['elasticsearch', 'knn', { knn: { ...elasticNear, filter } }],
    ['elasticsearch', 'hybrid', { query: words, knn: { ...elasticNear, filter } }],
  ])('%s, %s', (variant, mode, expected) => {
    expect(queryBody({ ...PARTS, variant, mode })).toEqual({
      size: 3,
      _source: { excludes: ['embedding'] },
      ...expected,
    });
  });
});
