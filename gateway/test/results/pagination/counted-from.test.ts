import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/operations/index.ts';
import { paginationOf } from '../../../src/results/pagination/index.ts';
import { findRows } from '../../../src/results/shaping/find-rows.ts';
import fc from '../../properties.ts';
import { listOperation } from './list-operation.ts';

const integer = { type: 'integer' };
const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse'];

function next(properties: JsonObject, args: JsonObject, answer: Json): JsonObject | undefined {
  return paginationOf(listOperation(properties))!.next(args, findRows(answer)!);
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

describe('how many rows were seen by a page', () => {
  const paged = { page: integer, per_page: integer };

  it.each<[string, JsonObject, JsonObject, Json, JsonObject | undefined]>([
    [
      'those of the first, whatever was asked for',
      { page: integer },
      {},
      { data: rows(2), total: 3 },
      { page: 2 },
    ],
    ['all of them', { page: integer }, {}, { data: rows(3), total: 3 }, undefined],
    ['by its own length', { page: integer }, { page: 2 }, { data: rows(2), total: 5 }, { page: 3 }],
    [
      'by the size that the answer says',
      { page: integer },
      { page: 2 },
      { data: rows(1), total: 3, per_page: 2 },
      undefined,
    ],
    [
      'by the size that was asked for: the last page is shorter',
      paged,
      { page: 3, per_page: 10 },
      { data: rows(4), total: 24 },
      undefined,
    ],
    [
      'not by a size that the service does not give',
      paged,
      { page: 2, per_page: 500 },
      { data: rows(100), total: 1000 },
      { page: 3, per_page: 500 },
    ],
    [
      'nor by one that it goes beyond',
      paged,
      { page: 2, per_page: 1 },
      { data: rows(5), total: 11 },
      { page: 3, per_page: 1 },
    ],
    [
      'the last page of Spring',
      { page: integer },
      { page: 2 },
      { items: rows(1), totalElements: 5, totalPages: 3, number: 2 },
      undefined,
    ],
    [
      'the last but one of Spring, where its arguments count from one',
      { page: integer },
      { page: 2 },
      { items: rows(2), totalElements: 5, totalPages: 3, number: 1 },
      { page: 3 },
    ],
    [
      'no more where a link says so beside a size',
      { page: integer },
      {},
      { data: rows(2), next: null, per_page: 2 },
      undefined,
    ],
  ])('%s', (_what, properties, args, answer, expected) =>
    expect(next(properties, args, answer)).toEqual(expected),
  );

  it('leads through every row once, in order, whatever size a service gives and wherever it counts from', () => {
    const size = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(
        fc.nat(25),
        size,
        size,
        fc.constantFrom(0, 1),
        fc.boolean(),
        (count, asked, most, first, byPage) => {
          const all = rows(count);
          const limit = Math.min(asked, most);
          const argument = { ...integer, minimum: first };
          const pagination = paginationOf(
            listOperation(byPage ? { page: argument, limit: integer } : { offset: argument, limit: integer }),
          )!;
          const seen: Json[] = [];
          let args: JsonObject | undefined = { limit: asked };
          while (args !== undefined && seen.length <= count) {
            const place: number = ((args[byPage ? 'page' : 'offset'] as number | undefined) ?? first) - first;
            const from = byPage ? place * limit : place;
            const data = all.slice(from, from + limit);
            seen.push(...data);
            args = pagination.next(args, findRows({ data, total: count, has_more: from + limit < count })!);
          }
          expect(seen).toEqual(all);
        },
      ),
    );
  });
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
