import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, NEXT_PAGE_META, type Operation } from '../../../src/operations/index.ts';
import {
  createLinkParameters,
  type Pagination,
  paginationOf,
} from '../../../src/results/pagination/index.ts';
import { findRows } from '../../../src/results/shaping/find-rows.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };

function operation(properties: JsonObject, place = 'query', $defs: JsonObject = {}): Operation {
  return {
    id: 'list',
    source: 'api',
    input: { type: 'object', properties, $defs },
    invocation: {
      kind: 'http',
      bindings: Object.keys(properties).map((arg) => ({ in: place, name: arg, arg })),
    },
  } as unknown as Operation;
}

function next(
  pagination: Pagination,
  args: JsonObject,
  answer: Json,
  meta?: JsonObject,
): JsonObject | undefined {
  const found = findRows(answer)!;
  return pagination.next(args, { ...found, meta });
}

const rows = (count: number, from = 0): Json[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index }));

describe('how an operation pages, by its arguments', () => {
  it.each<[string, JsonObject, Pagination['style'] | undefined]>([
    ['a cursor', { cursor: text, limit: integer }, 'cursor'],
    ['a page token', { pageToken: text, pageSize: integer }, 'cursor'],
    ['AWS', { NextToken: text, MaxResults: integer }, 'cursor'],
    ['Kubernetes', { continue: text, limit: integer }, 'cursor'],
    ['OData', { _top: integer, _skip: integer, _filter: text }, 'offset'],
    ['Azure', { _skiptoken: text, _top: integer }, 'cursor'],
    ['Stripe', { starting_after: text, ending_before: text, limit: integer }, 'last-id'],
    ['pages', { page: integer, per_page: integer }, 'page'],
    ['an offset', { offset: integer, limit: integer }, 'offset'],
    ['only a limit', { limit: integer }, 'limit'],
    ['a Link header at most', { since: text }, 'link'],
    ['nothing but what a link may say', {}, 'link'],
    ['the size of a picture', { size: integer, colour: text }, 'link'],
    ['a span of time', { start: integer, end: integer, limit: integer }, 'limit'],
    ['a size beside a span of time', { start: integer, end: integer, size: integer }, 'link'],
    ['a size beside rows from a number', { from: integer, size: integer }, 'offset'],
    ['an object with nothing but a limit', { page: { properties: { limit: integer } } }, 'link'],
    ['a page by name', { page: text }, 'link'],
  ])('%s', (_what, properties, style) => expect(paginationOf(operation(properties))?.style).toBe(style));

  it('Strapi: pages and their size, never beside an offset and its limit', () => {
    const names = ['page', 'pageSize', 'start', 'limit'].map((name) => `pagination_${name}_`);
    const paging = paginationOf(operation(Object.fromEntries(names.map((name) => [name, integer]))))!;
    expect(paging.limit({}, 2)).toEqual({ pagination_pageSize_: 2 });
    const answer = { data: rows(2), meta: { pagination: { page: 1, pageSize: 2, pageCount: 2, total: 3 } } };
    const second = { pagination_pageSize_: 2, pagination_page_: 2 };
    expect(next(paging, { pagination_pageSize_: 2 }, answer)).toEqual(second);
    expect(
      next(paging, second, { data: rows(1), meta: { pagination: { page: 2, pageCount: 2 } } }),
    ).toBeUndefined();
  });

  it('no argument of a path counts', () => {
    expect(paginationOf(operation({ page: integer, offset: integer }, 'path'))?.style).toBe('link');
  });

  it('a tool without such arguments cannot be paged', () => {
    const tool = { ...operation({ q: text }), invocation: { kind: 'function', function: 'x' } } as Operation;
    expect(paginationOf(tool)).toBeUndefined();
  });

  it('arguments of tools that are no HTTP requests count by their names', () => {
    const tool = { ...operation({ cursor: text }), invocation: { kind: 'mcp', tool: 'x' } } as Operation;
    expect(paginationOf(tool)?.style).toBe('cursor');
  });

  it('reads through references and null', () => {
    const pagination = paginationOf(
      operation(
        { limit: { $ref: '#/$defs/Limit' }, offset: { anyOf: [integer, { type: 'null' }] } },
        'query',
        {
          Limit: { type: 'integer', maximum: 50 },
        },
      ),
    )!;
    expect(pagination.limit({}, 100)).toEqual({ limit: 50 });
  });
});

describe('the next page', () => {
  it.each<[string, JsonObject, JsonObject, Json, JsonObject | undefined]>([
    ['a cursor beside the rows', { cursor: text }, {}, { data: rows(2), next_cursor: 'b' }, { cursor: 'b' }],
    [
      'a cursor in the metadata',
      { cursor: text },
      { q: 'x' },
      { items: rows(2), meta: { next_cursor: 'b' } },
      { q: 'x', cursor: 'b' },
    ],
    [
      'Slack',
      { cursor: text },
      {},
      { ok: true, members: rows(2), response_metadata: { next_cursor: 'b' } },
      { cursor: 'b' },
    ],
    ['no further cursor', { cursor: text }, { cursor: 'a' }, { data: rows(2), next_cursor: null }, undefined],
    ['an empty cursor', { cursor: text }, {}, { data: rows(2), next_cursor: '' }, undefined],
    [
      'a cursor that repeats',
      { cursor: text },
      { cursor: 'a' },
      { data: rows(2), next_cursor: 'a' },
      undefined,
    ],
    [
      'Kubernetes',
      { continue: text },
      {},
      { items: rows(2), metadata: { continue: 'c' } },
      { continue: 'c' },
    ],
    ['AWS', { NextToken: text }, {}, { Users: rows(2), NextToken: 'n' }, { NextToken: 'n' }],
    [
      'GraphQL',
      { first: integer, after: text },
      { first: 2 },
      { data: { repos: { nodes: rows(2), pageInfo: { hasNextPage: true, endCursor: 'e' } } } },
      { first: 2, after: 'e' },
    ],
    [
      'the end of GraphQL',
      { first: integer, after: text },
      { first: 2 },
      { data: { repos: { nodes: rows(2), pageInfo: { hasNextPage: false, endCursor: 'e' } } } },
      undefined,
    ],
    [
      'the last id',
      { starting_after: text },
      {},
      { object: 'list', data: rows(2), has_more: true },
      { starting_after: '1' },
    ],
    [
      'no more ids',
      { starting_after: text },
      {},
      { object: 'list', data: rows(2), has_more: false },
      undefined,
    ],
    [
      'a full page whose link to the next one is null, as Django REST framework has it',
      { page: integer, size: integer },
      { size: 2 },
      { count: 2, next: null, previous: null, results: rows(2) },
      undefined,
    ],
    [
      'within an object of links',
      { offset: integer, limit: integer },
      { limit: 2 },
      { data: rows(2), links: { next: null } },
      undefined,
    ],
    [
      'null beside a total that says more',
      { page: integer, size: integer },
      { size: 2 },
      { next: null, total: 5, items: rows(2) },
      { page: 2, size: 2 },
    ],
    ['a full page', { page: integer, per_page: integer }, { per_page: 2 }, rows(2), { page: 2, per_page: 2 }],
    [
      'a page that is not full',
      { page: integer, per_page: integer },
      { page: 2, per_page: 2 },
      rows(1),
      undefined,
    ],
    ['pages in all', { page: integer }, { page: 2 }, { data: rows(2), total_pages: 3 }, { page: 3 }],
    ['the last of them', { page: integer }, { page: 3 }, { data: rows(2), total_pages: 3 }, undefined],
    [
      'pages from zero',
      { page: { type: 'integer', minimum: 0 }, size: integer },
      { size: 2 },
      { content: rows(2), total: 4 },
      { size: 2, page: 1 },
    ],
    [
      'the last page from zero',
      { page: { type: 'integer', minimum: 0 }, size: integer },
      { page: 1, size: 2 },
      { content: rows(2), total: 4 },
      undefined,
    ],
    ['nothing that says more', { page: integer }, {}, rows(2), undefined],
    [
      'an offset below the total',
      { offset: integer },
      { offset: 2 },
      { data: rows(2), total: 5 },
      { offset: 4 },
    ],
    ['an offset at the total', { offset: integer }, { offset: 3 }, { data: rows(2), total: 5 }, undefined],
    ['an offset, full', { offset: integer, limit: integer }, { limit: 2 }, rows(2), { limit: 2, offset: 2 }],
    ['an empty page', { offset: integer, limit: integer }, { limit: 2, offset: 2 }, [], undefined],
    [
      'nextLink',
      { _skiptoken: text },
      {},
      { value: rows(2), nextLink: 'https://x.example/a?api=1&_skiptoken=s' },
      { _skiptoken: 's' },
    ],
    [
      'an address of the next page',
      { page: integer, q: text },
      { q: 'a' },
      { results: rows(2), next: 'https://x.example/a?page=2&q=changed' },
      { q: 'a', page: 2 },
    ],
    [
      'an address as a link',
      { offset: integer, limit: integer },
      {},
      { data: rows(2), links: { next: { href: '/a?offset=2&limit=2' } } },
      { offset: 2, limit: 2 },
    ],
    [
      'a list of links (OGC API, STAC, ORDS)',
      { offset: integer, limit: integer },
      {},
      {
        features: rows(2),
        links: [
          { rel: 'self', href: 'https://x.example/items?offset=9' },
          { rel: 'next', href: 'https://x.example/items?offset=2&limit=2&role=admin' },
        ],
      },
      { offset: 2, limit: 2 },
    ],
    [
      'a list of links by relation and url (FHIR)',
      { _count: integer, page: integer },
      { _count: 2 },
      { link: [{ relation: 'next', url: '/Patient?_count=2&page=4' }], entry: rows(2), total: 9 },
      { _count: 2, page: 4 },
    ],
    [
      'rows of all pages together (numberMatched)',
      { offset: integer, limit: integer },
      {},
      { type: 'FeatureCollection', features: rows(10), numberMatched: 12, numberReturned: 10 },
      { offset: 10 },
    ],
  ])('%s', (_what, properties, args, answer, expected) =>
    expect(next(paginationOf(operation(properties))!, args, answer)).toEqual(expected),
  );

  it('is behind a parameter that only the link has (x-ms-pageable)', () => {
    const listed = operation({ _top: integer });
    const pagination = paginationOf(listed)!;
    const answer = {
      value: rows(2),
      nextLink: 'https://x.example/a?api-version=1&$skiptoken=s%201&role=admin',
    };
    const args = next(pagination, { _top: 2 }, answer)!;
    expect(args).toEqual({ _top: 2, $skiptoken: 's 1' });
    expect(next(pagination, args, answer)).toBeUndefined();
    const links = createLinkParameters();
    const extended = links.operationFor(listed, args, { _top: 2 });
    expect(extended.invocation).toMatchObject({
      bindings: [{ name: '_top' }, { in: 'query', name: '$skiptoken', arg: '$skiptoken' }],
    });
    const properties = { _top: integer, $skiptoken: { type: 'string' } };
    expect(extended.input).toEqual({ type: 'object', $defs: {}, properties });
    expect(extended.invocation.kind).toBe('http');
    expect(links.operationFor(listed, args, { _top: 2 })).toBe(extended);
    expect(links.operationFor(listed, args, args)).toBe(listed);
    expect(links.operationFor(listed, { role: 'admin' }, {})).toBe(listed);
  });

  it('is not where a list of links has no next one and the rows are all there', () => {
    const paging = paginationOf(operation({ offset: integer, limit: { ...integer, default: 2 } }))!;
    const answer = { features: rows(2, 2), links: [{ rel: 'prev', href: '/items?offset=0' }, null, 'next'] };
    expect(next(paging, { offset: 2 }, { ...answer, numberMatched: 4 })).toBeUndefined();
  });

  it('is behind the last id, where the service says that there is more', () => {
    const pagination = paginationOf(operation({ after: text, limit: integer }))!;
    const answer = { object: 'list', data: rows(2), first_id: 'a', last_id: 'b', has_more: true };
    expect(next(pagination, {}, answer)).toEqual({ after: 'b' });
    expect(next(pagination, {}, { ...answer, has_more: false })).toBeUndefined();
  });

  it('is what a Link header said, where there was one', () => {
    const pagination = paginationOf(operation({ since: text }))!;
    expect(next(pagination, { q: 'a' }, rows(2), { [NEXT_PAGE_META]: { since: '9' } })).toEqual({
      q: 'a',
      since: '9',
    });
  });

  it('takes the place of a page that the caller named', () => {
    const pagination = paginationOf(operation({ page: integer, cursor: text }))!;
    expect(next(pagination, { page: 1 }, { data: rows(2), next_cursor: 'c' })).toEqual({ cursor: 'c' });
  });
});

describe('one object with limit and offset', () => {
  const request = {
    anyOf: [
      {
        type: 'object',
        properties: {
          limit: { type: ['integer', 'null'], maximum: 200 },
          after: integer,
          where: {},
          sortBy: {},
        },
      },
      { type: 'null' },
    ],
  };
  const pagination = paginationOf(operation({ pagination: request }))!;

  it('gets its limit, and keeps its filter', () => {
    expect(pagination.style).toBe('object');
    expect(pagination.limit({}, 10)).toEqual({ pagination: { limit: 10 } });
    expect(pagination.limit({ pagination: { where: { a: 1 } } }, 1000)).toEqual({
      pagination: { where: { a: 1 }, limit: 200 },
    });
    const given = { pagination: { limit: 5 } };
    expect(pagination.limit(given, 10)).toBe(given);
  });

  it('goes on behind the rows that were seen', () => {
    const args = { pagination: { limit: 2, where: { a: 1 } } };
    const page = (after: number, count: number) => ({
      result: { data: rows(count, after), total: 5, after, limit: 2 },
    });
    const second = next(pagination, args, page(0, 2))!;
    expect(second).toEqual({ pagination: { limit: 2, after: 2, where: { a: 1 } } });
    const third = next(pagination, second, page(2, 2))!;
    expect(third).toEqual({ pagination: { limit: 2, after: 4, where: { a: 1 } } });
    expect(next(pagination, third, page(4, 1))).toBeUndefined();
  });
});

describe("the operation's own limit", () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['is set', { limit: integer }, { q: 'a' }, { q: 'a', limit: 10 }],
    ['within its maximum', { limit: { type: 'integer', maximum: 5 } }, {}, { limit: 5 }],
    ['within its minimum', { limit: { type: 'integer', minimum: 20 } }, {}, { limit: 20 }],
    ['in its steps', { limit: { type: 'integer', multipleOf: 25 } }, {}, { limit: 25 }],
    ['not where the caller named one', { limit: integer, page: integer }, { limit: 7 }, { limit: 7 }],
    ['not where the caller named a page', { limit: integer, page: integer }, { page: 3 }, { page: 3 }],
    ['not where there is none', { page: integer }, {}, {}],
    ['in steps that fit', { limit: { type: 'integer', multipleOf: 4, maximum: 11 } }, {}, { limit: 8 }],
    [
      'in steps up to the maximum',
      { limit: { type: 'integer', multipleOf: 6, maximum: 12 } },
      {},
      { limit: 12 },
    ],
    ['below its exclusive maximum', { limit: { type: 'integer', exclusiveMaximum: 10 } }, {}, { limit: 9 }],
    ['where it is one of those allowed', { limit: { type: 'integer', enum: [10, 50] } }, {}, { limit: 10 }],
    ['not where only others are allowed', { limit: { type: 'integer', enum: [20, 50] } }, {}, {}],
  ])('%s', (_what, properties, args, expected) =>
    expect(paginationOf(operation(properties))!.limit(args, 10)).toEqual(expected),
  );
});
