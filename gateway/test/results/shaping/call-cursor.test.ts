import { describe, expect, it } from 'vitest';
import type { JsonObject, Operation } from '../../../src/operations/index.ts';
import { encodeCursor } from '../../../src/results/pagination/cursor.ts';
import { paginationOf } from '../../../src/results/pagination/index.ts';
import {
  checkPage,
  cursorTo,
  type Place,
  pageDifference,
  placeOf,
  scopeOf,
  withPage,
} from '../../../src/results/shaping/call-cursor.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };

/** Arguments by their place. */
function operation(places: Readonly<Record<string, string>>, more: object = {}): Operation {
  const names = Object.keys(places);
  return {
    id: 'list',
    source: 'shop',
    access: 'read',
    input: { properties: Object.fromEntries(names.map((name) => [name, name === 'page' ? integer : text])) },
    invocation: { kind: 'http', bindings: names.map((arg) => ({ in: places[arg], name: arg, arg })) },
    ...more,
  } as unknown as Operation;
}

const list = operation({ page: 'query', q: 'query', id: 'path', 'X-Cursor': 'header', 'X-Tenant': 'header' });
const invalid = { code: 'cursor_invalid' };

describe('a cursor', () => {
  it.each<[Place]>([
    [{}],
    [{ page: { page: 2 } }],
    [{ page: {}, pages: 3, skip: 7 }],
    [{ responseId: 'r1', skip: 1 }],
  ])('leads to %j', (place) => expect(placeOf(cursorTo(place, list, 'a'), list, 'a')).toEqual(place));

  it('says nothing of what is so anyway', () => {
    expect(cursorTo({ pages: 1, skip: 0 }, list, 'a')).toBe(cursorTo({}, list, 'a'));
  });

  it.each([
    ['of another operation', { id: 'other' }, 'a'],
    ['of another source', { source: 'other' }, 'a'],
    ['of a call with other arguments', {}, 'b'],
  ])('%s is refused', (_what, other, scope) => {
    const cursor = cursorTo({ page: { page: 2 } }, list, 'a');
    expect(() => placeOf(cursor, { ...list, ...other }, scope)).toThrow(expect.objectContaining(invalid));
  });

  it('that somebody made leads nowhere by what is no place', () => {
    const made = { o: 'shop/list', a: 'a', p: 'x', k: -1, s: 1.5, r: 7 } as unknown as JsonObject;
    expect(placeOf(encodeCursor(made), list, 'a')).toEqual({});
    expect(placeOf(encodeCursor({ ...made, k: 0, s: '2' }), list, 'a')).toEqual({});
  });
});

describe('the page of a cursor', () => {
  it.each<[string, JsonObject, Operation]>([
    ['a page', { page: 2 }, list],
    ['whatever stands in the query, as links say it', { q: 'x', page: 2 }, list],
    ['a header that chooses pages', { 'X-Cursor': 'c' }, list],
    ['a parameter of links that nobody describes', { $skiptoken: 's' }, list],
    ['nothing', {}, list],
  ])('may be %s', (_what, page, asked) =>
    expect(() => checkPage(page, asked, paginationOf(asked))).not.toThrow(),
  );

  const tool = operation({}, { input: { properties: { cursor: text } }, invocation: { kind: 'mcp' } });

  it.each<[string, JsonObject, Operation]>([
    ['another thing', { id: '2' }, list],
    ['another thing beside a page', { page: 2, id: '2' }, list],
    ['another header', { 'X-Tenant': 'north' }, list],
    ['what nobody describes', { role: 'admin' }, list],
    ['a body', { filter: 'x' }, operation({ filter: 'body' })],
    [
      'what is called like a parameter of links and is another',
      { marker: 'x' },
      operation({ marker: 'path' }),
    ],
    ['a parameter of links of what is no HTTP', { $skiptoken: 's' }, tool],
    ['a page of what changes something', { page: 2 }, { ...list, access: 'write' }],
  ])('is never %s', (_what, page, asked) =>
    expect(() => checkPage(page, asked, paginationOf(asked))).toThrow(expect.objectContaining(invalid)),
  );

  it('of a tool is what its arguments choose', () => {
    expect(() => checkPage({ cursor: 'c' }, tool, paginationOf(tool))).not.toThrow();
    expect(() => checkPage({ cursor: 'c' }, tool, undefined)).toThrow(expect.objectContaining(invalid));
  });
});

describe('what has to stay the same from page to page', () => {
  const scope = (args: JsonObject) => scopeOf(args, paginationOf(list));

  it('is every argument that chooses no page, in any order', () => {
    expect(scope({ q: 'a', id: '1', page: 4 })).toBe(scope({ id: '1', q: 'a' }));
    expect(scope({ q: 'a' })).not.toBe(scope({ q: 'b' }));
    expect(scope({})).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ page: 2, q: 'a' }, { q: 'a' }, { page: 2 }],
    [
      { cursor: 'c', q: 'a' },
      { q: 'a', page: 1 },
      { cursor: 'c', page: null },
    ],
    [{ o: { b: 1, a: 2 } }, { o: { a: 2, b: 1 } }, {}],
    [{ page: 2 }, { page: 1 }, { page: 2 }],
  ])('the page %j of %j is told by %j', (page, given, difference) => {
    expect(pageDifference(page, given)).toEqual(difference);
    expect(withPage(given, difference)).toEqual(page);
  });

  it('what the caller gave as null stays', () => {
    const given = { q: null };
    expect(withPage(given, { page: 2 })).toEqual({ q: null, page: 2 });
    expect(withPage(given, undefined)).toBe(given);
  });
});
