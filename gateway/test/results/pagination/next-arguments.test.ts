import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, NEXT_PAGE_META, type Operation } from '../../../src/operations/index.ts';
import { headerPage, saysThereIsMore } from '../../../src/results/pagination/header-page.ts';
import { paginationOf } from '../../../src/results/pagination/index.ts';
import { findRows } from '../../../src/results/shaping/find-rows.ts';
import { listOperation } from './list-operation.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };

function next(asked: Operation, args: JsonObject, answer: Json, meta?: JsonObject): JsonObject | undefined {
  return paginationOf(asked)!.next(args, { ...findRows(answer)!, meta });
}

const rows = (count: number): Json[] => Array.from({ length: count }, (_, id) => ({ id }));

describe('the arguments of the next page', () => {
  it.each<[string, JsonObject, JsonObject, Json, JsonObject | undefined]>([
    [
      'an empty page leads nowhere, whatever is said',
      { offset: integer },
      { offset: 4 },
      { data: [], total: 9, has_more: true },
      undefined,
    ],
    ['one row leads on', { offset: integer }, {}, { data: rows(1), total: 9 }, { offset: 1 }],
    [
      'pages where a cursor is taken, too, but none was given',
      { cursor: text, page: integer },
      { page: 1 },
      { data: rows(2), next_cursor: null, total_pages: 3 },
      { page: 2 },
    ],
    [
      'an offset where a cursor is taken, too, but none was given',
      { cursor: text, offset: integer },
      {},
      { data: rows(2), total: 3 },
      { offset: 2 },
    ],
    [
      'a cursor takes the place of an offset',
      { cursor: text, offset: integer, q: text },
      { offset: 2, q: 'a' },
      { data: rows(2), next_cursor: 'c' },
      { cursor: 'c', q: 'a' },
    ],
    [
      'an id at the end of the last page is no cursor',
      { after: text },
      {},
      { data: rows(2), last_id: 'b' },
      undefined,
    ],
    [
      'the size that the operation has by default',
      { page: integer, per_page: { ...integer, default: 2 } },
      {},
      rows(2),
      { page: 2 },
    ],
    ['fewer rows than that', { page: integer, per_page: { ...integer, default: 3 } }, {}, rows(2), undefined],
    [
      'a page as long as the service makes them, shorter than was asked for',
      { offset: integer, limit: integer },
      { limit: 500 },
      rows(100),
      { limit: 500, offset: 100 },
    ],
    [
      'a numbered page of that kind',
      { page: integer, limit: integer },
      { page: 2, limit: 500 },
      rows(50),
      { page: 3, limit: 500 },
    ],
    ['any other length below it', { offset: integer, limit: integer }, { limit: 500 }, rows(99), undefined],
    [
      'that length where the description allows more',
      { offset: integer, limit: { ...integer, maximum: 1000 } },
      { limit: 500 },
      rows(100),
      undefined,
    ],
    [
      'that length where nothing was asked for',
      { offset: integer, limit: { ...integer, default: 500 } },
      {},
      rows(100),
      undefined,
    ],
    [
      'a page as long as the answer says that pages are',
      { page: integer, limit: integer },
      { limit: 500 },
      { data: rows(40), per_page: 40 },
      { page: 2, limit: 500 },
    ],
    [
      'the last id by number, beside what else was asked for',
      { starting_after: text, q: text },
      { q: 'a' },
      { data: [{ id: 7 }], has_more: true },
      { q: 'a', starting_after: '7' },
    ],
    [
      'no last id without a word of more',
      { starting_after: text },
      {},
      { object: 'list', data: rows(2) },
      undefined,
    ],
    [
      'no last id where rows have none',
      { starting_after: text },
      {},
      { data: [{ id: { a: 1 } }], has_more: true },
      undefined,
    ],
    [
      'no last id that was asked for already',
      { starting_after: text },
      { starting_after: 'x' },
      { data: [{ id: 'x' }], has_more: true },
      undefined,
    ],
    [
      'what an address says of a page is no number',
      { page: integer },
      {},
      { data: rows(2), next: '/a?page=2nd' },
      undefined,
    ],
    [
      'an address that says nothing but a size leads nowhere',
      { offset: integer, limit: integer },
      {},
      { data: rows(2), next: '/a?limit=5&offset=' },
      undefined,
    ],
  ])('%s', (_what, properties, args, answer, expected) =>
    expect(next(listOperation(properties), args, answer)).toEqual(expected),
  );

  it('are read from an address by their names on the wire', () => {
    const asked = listOperation(
      { page_number: integer, page_size: integer },
      { page_number: 'page[number]' },
    );
    const answer = { data: rows(2), links: { next: '/a?page%5Bnumber%5D=3&page_number=9' } };
    expect(next(asked, {}, answer)).toEqual({ page_number: 3 });
  });

  it('is read where JSON:API has an offset', () => {
    const asked = listOperation(
      { page_offset_: integer, page_limit_: integer },
      { page_offset_: 'page[offset]', page_limit_: 'page[limit]' },
    );
    const answer = { data: rows(3), links: { next: '/a?page%5Boffset%5D=3&page%5Blimit%5D=3' } };
    expect(next(asked, {}, answer)).toMatchObject({ page_offset_: 3 });
  });

  it('are not what a header said where all of it was asked for', () => {
    const asked = listOperation({ page: integer, since: text });
    const said = { [NEXT_PAGE_META]: { page: 2, since: 'a' } };
    expect(next(asked, { page: 2, since: 'a' }, rows(2), said)).toBeUndefined();
    expect(next(asked, { page: 1, since: 'a' }, rows(2), said)).toEqual({ page: 2, since: 'a' });
  });
});

describe('one object with its offset', () => {
  const member = { properties: { limit: integer, offset: integer, where: {} } };
  const asked = listOperation({ page: member, q: text });

  it.each<[string, JsonObject, Json, JsonObject | undefined]>([
    [
      'goes on behind the rows seen, beside what else was asked for',
      { q: 'a', page: { limit: 2, offset: 2 } },
      { data: rows(2), total: 5 },
      { q: 'a', page: { limit: 2, offset: 4 } },
    ],
    ['goes on while pages are full', { page: { limit: 2 } }, rows(2), { page: { limit: 2, offset: 2 } }],
    ['ends with one that is not', { page: { limit: 2 } }, rows(1), undefined],
    ['ends with an empty one', { page: { limit: 2 } }, { data: [], total: 5 }, undefined],
    ['goes on with a single row', { page: { limit: 1 } }, rows(1), { page: { limit: 1, offset: 1 } }],
    ['is not made where nobody gave one', { q: 'a' }, { data: rows(2), total: 5 }, undefined],
  ])('%s', (_what, args, answer, expected) => expect(next(asked, args, answer)).toEqual(expected));

  it.each<[JsonObject, JsonObject]>([
    [{ page: { offset: 4 } }, { page: { offset: 4 } }],
    [{ page: { after: 4 } }, { page: { after: 4 } }],
    [{ q: 'a' }, { q: 'a', page: { limit: 10 } }],
  ])('%j: it gets a limit where the caller chose no page', (args, expected) =>
    expect(paginationOf(asked)!.limit(args, 10)).toEqual(expected),
  );
});

describe('a header of an answer', () => {
  it.each([
    ['X-Next-Page', true],
    ['x-cursor', true],
    ['X-Start-After', true],
    ['last-evaluated-key', true],
    ['x-page-offset', true],
    ['x-previous-offset', false],
    ['x-page-count', false],
    ['content-type', false],
  ])('%s says that there is more: %s', (name, expected) => expect(saysThereIsMore(name)).toBe(expected));

  it('is not the value of a header of another name, nor of a path', () => {
    const bindings = [
      { in: 'header', name: 'X-Other', arg: 'other' },
      { in: 'path', name: 'x-cursor', arg: 'id' },
    ];
    const asked = { input: {}, invocation: { kind: 'http', bindings } } as unknown as Operation;
    expect(headerPage({ 'x-cursor': 'c' }, 'https://x.example/', asked)).toBeUndefined();
  });
});
