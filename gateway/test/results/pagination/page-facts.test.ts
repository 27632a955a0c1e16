import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/operations/index.ts';
import { pageFacts } from '../../../src/results/pagination/page-facts.ts';

/** The same with the query as text. */
function facts(envelope: Json, from?: readonly string[]): object {
  const { query, ...others } = pageFacts(envelope, from);
  return { ...others, ...(query === undefined ? {} : { query: query.toString() }) };
}

describe('what an answer says of its pages', () => {
  it.each<[string, Json, object]>([
    ['a number is a token, too', { next_cursor: 7 }, { token: '7' }],
    ['but none with a fraction, and no object', { next_cursor: 1.5, cursor: { a: 1 } }, {}],
    ['a token may have what addresses have within it', { cursor: 'aB/c?d=' }, { token: 'aB/c?d=' }],
    [
      'the cursor of a page is one',
      { pagination: { next_page_cursor: 'a', has_next_page: true } },
      { token: 'a', more: true },
    ],
    ['however it is written', { nextPageCursor: 'a' }, { token: 'a' }],
    ['an address is no token', { next: '/items?x=2' }, { query: 'x=2' }],
    ['an address without a query leads nowhere', { next: 'https://x.example/items' }, {}],
    ['what stands behind # is no part of the query', { nextUrl: '?a=1#b' }, { query: 'a=1' }],
    ['a token of great length is none', { next_cursor: 'x'.repeat(4097) }, {}],
    ['the longest is one', { next_cursor: 'x'.repeat(4096) }, { token: 'x'.repeat(4096) }],
    ['an address of great length is none', { nextLink: `/?a=${'x'.repeat(4 * 4096)}` }, {}],
    ['a count may be text', { total: '5', total_pages: '2' }, { total: 5, pages: 2 }],
    ['what is no count', { total: -1, total_count: '5 rows', totalCount: 2.5, totalItems: null }, {}],
    ['what says whether there is more is true or false', { has_more: 'no', hasMore: false }, { more: false }],
    ['nothing is known of a text', 'next', {}],
  ])('%s', (_what, envelope, expected) => expect(facts(envelope)).toEqual(expected));

  it('counts from the nearest to its rows outwards', () => {
    const envelope = { total: 100, data: { total: 3, meta: { total: 4 } }, meta: { total: 50, pages: 9 } };
    expect(facts(envelope, ['data', 'items'])).toEqual({ total: 3 });
    expect(facts({ meta: { total: 50 }, data: { meta: { total: 4 } } }, ['data', 'items'])).toEqual({
      total: 4,
    });
  });

  it('is looked for where such facts stand, and not in what else the answer holds', () => {
    expect(facts({ owner: { total: 3 }, filters: { cursor: 'a' } })).toEqual({});
    expect(facts({ response: { meta: { next_cursor: 'b' } } })).toEqual({ token: 'b' });
  });
});
