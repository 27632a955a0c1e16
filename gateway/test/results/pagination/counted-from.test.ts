import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, Operation } from '../../../src/operations/index.ts';
import { paginationOf } from '../../../src/results/pagination/index.ts';
import { findRows } from '../../../src/results/shaping/find-rows.ts';

const integer = { type: 'integer' };
const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse'];

function next(properties: JsonObject, args: JsonObject, answer: Json): JsonObject | undefined {
  const operation = {
    id: 'list',
    source: 'api',
    input: { type: 'object', properties },
    invocation: {
      kind: 'http',
      bindings: Object.keys(properties).map((arg) => ({ in: 'query', name: arg, arg })),
    },
  } as unknown as Operation;
  return paginationOf(operation)!.next(args, findRows(answer)!);
}

const rows = (count: number): Json[] => Array.from({ length: count }, (_, id) => ({ id }));

describe('the number of the first page', () => {
  const pageable = { page: integer, size: integer };
  const spring = { totalElements: 5, totalPages: 3, number: 0, size: 2 };

  it.each<[string, JsonObject, JsonObject, Json, JsonObject | undefined]>([
    [
      'is 0 by its default: there is a second page',
      { page: { ...integer, default: 0 } },
      {},
      { content: rows(2), totalPages: 2 },
      { page: 1 },
    ],
    [
      'is 0 by its default: there is no third one',
      { page: { ...integer, default: 0 }, size: integer },
      { page: 1, size: 2 },
      { content: rows(2), total: 4 },
      undefined,
    ],
    ['is 0 in a page of Spring', pageable, {}, { content: rows(2), ...spring }, { page: 1 }],
    ['is 0 in what Spring says beside it', pageable, {}, { content: rows(2), page: spring }, { page: 1 }],
    [
      'is what the answer says by the name of the argument',
      { page_index: integer },
      {},
      { data: rows(2), meta: { pageIndex: 0, total_pages: 2 } },
      { page_index: 1 },
    ],
    [
      'is not what another service calls a number',
      pageable,
      {},
      { content: rows(2), number: 0, total_pages: 3 },
      { page: 2 },
    ],
    [
      'is what is declared, whatever the answer says',
      { page: { ...integer, minimum: 1 } },
      {},
      { content: rows(2), ...spring },
      { page: 2 },
    ],
    ['is 1 where nobody says', pageable, {}, { data: rows(2), total_pages: 3 }, { page: 2 }],
  ])('%s', (_what, properties, args, answer, expected) =>
    expect(next(properties, args, answer)).toEqual(expected),
  );
});

describe('the number of the first row', () => {
  const scim = { startIndex: integer, count: integer };
  const list = (count: number) => ({ schemas, totalResults: 3, itemsPerPage: count, Resources: rows(count) });

  it.each<[string, JsonObject, JsonObject, Json, JsonObject | undefined]>([
    ['is 1 for SCIM', scim, { count: 2 }, list(2), { count: 2, startIndex: 3 }],
    ['is 1 for SCIM, also where less was asked for', scim, { startIndex: 0 }, list(2), { startIndex: 3 }],
    ['is 1 for SCIM: nothing is behind the last', scim, { startIndex: 3 }, list(1), undefined],
    [
      'is 1 where that is the least: one row is left',
      { start: { ...integer, minimum: 1 }, limit: integer },
      { start: 1, limit: 2 },
      { items: rows(2), total: 3 },
      { start: 3, limit: 2 },
    ],
    [
      'is 1 by its default: nothing is behind the last',
      { offset: { ...integer, default: 1 } },
      { offset: 3 },
      { items: rows(1), total: 3 },
      undefined,
    ],
    [
      'is 0 where that is declared',
      { startIndex: { ...integer, default: 0 } },
      {},
      { items: rows(2), totalItems: 3 },
      { startIndex: 2 },
    ],
    ['is 0 where nobody says', { startIndex: integer }, {}, { items: rows(2), total: 3 }, { startIndex: 2 }],
  ])('%s', (_what, properties, args, answer, expected) =>
    expect(next(properties, args, answer)).toEqual(expected),
  );
});
