import { describe, expect, it } from 'vitest';
import { createSearchIndex, type SearchDocument, type SearchPart } from '../../src/retrieval/index.ts';
import { processorTime } from '../processor-time.ts';

function document(name: string, description: string, more: Partial<SearchDocument> = {}): SearchDocument {
  return { key: `shop/${name}`, name, description, tags: [], parameters: {}, ...more };
}

function part(source: string, documents: readonly SearchDocument[], stamp: unknown = documents): SearchPart {
  return { source, stamp, documents: () => documents };
}

const SHOP = [
  document('createOrder', 'Places an order for a customer.', { method: 'POST', path: '/orders' }),
  document('cancelOrder', 'Cancels an order that was not shipped.', {
    method: 'POST',
    path: '/orders/{id}/cancel',
    parameters: { id: 'Order number', reason: 'Why the customer changed their mind' },
  }),
  document('listInvoices', 'Invoices of a period.', { method: 'GET', path: '/invoices', tags: ['billing'] }),
  document('deleteWebhook', 'Stops notices to an address.', { method: 'DELETE', path: '/hooks/{id}' }),
  document('convertCurrency', 'Amounts in another currency.', { method: 'GET', path: '/convert' }),
  document('getStock', 'How many pieces are left.', { hints: 'Ask before promising a delivery date.' }),
];
const shop = createSearchIndex([part('shop', SHOP)]);
const first = (text: string, index = shop) => index.search(text, { limit: 10 })[0]?.key;

describe('a search finds', () => {
  it.each([
    ['words of the name', 'create order', 'shop/createOrder'],
    ['other forms of a word', 'cancelling orders', 'shop/cancelOrder'],
    ['synonyms of verbs', 'remove a webhook', 'shop/deleteWebhook'],
    ['words of one root', 'currency conversion', 'shop/convertCurrency'],
    ['a word written apart', 'delete web hook', 'shop/deleteWebhook'],
    ['path words', 'hooks', 'shop/deleteWebhook'],
    ['tags', 'billing', 'shop/listInvoices'],
    ['texts of parameters', 'reason of the customer', 'shop/cancelOrder'],
    ['hints', 'promising a date', 'shop/getStock'],
    ['several clauses', 'Where are my invoices? And then cancel the order.', 'shop/cancelOrder'],
  ])('%s: %s', (_, text, key) => {
    expect(first(text)).toBe(key);
  });

  describe('what reads where a question asks, and what changes where it says so', () => {
    const parameters = { title: '', author: '' };
    const books = createSearchIndex([
      part('books', [
        document('createBook', 'Create a book', { effect: 'changes', parameters }),
        document('getBooks', 'Get books', { effect: 'reads', parameters }),
        document('putBook', 'Put a book in the place of another', { effect: 'changes' }),
        document('bookTitles', 'Book titles', { effect: 'reads' }),
      ]),
    ]);
    it.each([
      ['look up a book by its author', 'shop/getBooks'],
      ['which books have this author', 'shop/getBooks'],
      ['make a book with an author', 'shop/createBook'],
      ['how do I make a book with an author', 'shop/createBook'],
    ])('%s', (text, key) => {
      expect(first(text, books)).toBe(key);
    });

    it('not where a question has several clauses: each may want another', () => {
      const keys = books.search('which author, then the books', { limit: 9 }).map(({ key }) => key);
      const both = books.search('the author, then the books', { limit: 9 }).map(({ key }) => key);
      expect(keys).toEqual(both);
    });
  });

  it('each operation that a request of several clauses needs', () => {
    const keys = shop
      .search('convert the currency, then delete the webhook', { limit: 2 })
      .map(({ key }) => key);
    expect(keys.toSorted()).toEqual(['shop/convertCurrency', 'shop/deleteWebhook']);
  });

  it.each([[''], ['   '], ['!?'], ['the of and'], ['zzzzzz qqqqqq']])('nothing for %j', (text) => {
    expect(shop.search(text, { limit: 10 })).toEqual([]);
  });

  it('nothing where nothing is', () => {
    expect(createSearchIndex([]).search('order', { limit: 10 })).toEqual([]);
    expect(createSearchIndex([part('empty', [])]).search('order', { limit: 10 })).toEqual([]);
  });

  it('a name that consists of stop words only', () => {
    const odd = createSearchIndex([part('odd', [document('help', 'Weather.'), document('the', 'Climate.')])]);
    expect(first('weather', odd)).toBe('shop/help');
    expect(first('help', odd)).toBe('shop/help');
    expect(first('please help with the climate', odd)).toBe('shop/the');
  });

  it('words that are properties of every object', () => {
    const odd = createSearchIndex([
      part('odd', [document('constructor', '__proto__ toString'), document('x', 'y')]),
    ]);
    expect(first('constructor', odd)).toBe('shop/constructor');
    expect(odd.search('hasOwnProperty valueOf', { limit: 5 })).toEqual([]);
  });
});

describe('ranking', () => {
  it('orders equal scores by tool name, whatever the order of the documents', () => {
    const twins = ['cc', 'aa', 'bb'].map((name) => document(name, 'Equal text.'));
    const names = (documents: readonly SearchDocument[]) =>
      createSearchIndex([part('s', documents)])
        .search('equal text', { limit: 10 })
        .map(({ key }) => key);
    expect(names(twins)).toEqual(['shop/aa', 'shop/bb', 'shop/cc']);
    expect(names(twins.toReversed())).toEqual(names(twins));
  });

  it('gives the same best ones however many are asked for, of more than are kept at a time', () => {
    const many = (source: string, from: number) =>
      Array.from({ length: 900 }, (_, index) => {
        const at = from + ((index * 37) % 900);
        const order = at % 3 === 0 ? 'order' : 'ware';
        return document(`${order}${at % 50}`, `${'an order '.repeat(at % 7)}${'a page '.repeat(at % 11)}`, {
          key: `${source}/${String(at).padStart(4, '0')}`,
        });
      });
    const index = createSearchIndex([part('a', many('a', 0)), part('b', many('b', 900))]);
    const all = index.search('order', { limit: 10_000 });
    expect(all.length).toBeGreaterThan(1500);
    for (const [place, hit] of all.slice(1).entries()) {
      const before = all[place]!;
      expect(before.score).toBeGreaterThanOrEqual(hit.score);
    }
    for (const limit of [1, 7, 60, 700])
      expect(index.search('order', { limit })).toEqual(all.slice(0, limit));
    const alike = createSearchIndex([
      part(
        'c',
        ['c/2', 'c/1'].map((key) => document('same', 'order', { key })),
      ),
    ]);
    expect(alike.search('order', { limit: 2 }).map(({ key }) => key)).toEqual(['c/1', 'c/2']);
  });

  it('prefers the name to the description, and the description to parameters', () => {
    const index = createSearchIndex([
      part('s', [
        document('aaa', 'Something.', { parameters: { pool: 'The pool' } }),
        document('bbb', 'Something about a pool.'),
        document('pool', 'Something.'),
      ]),
    ]);
    expect(index.search('pool', { limit: 3 }).map(({ key }) => key)).toEqual([
      'shop/pool',
      'shop/bbb',
      'shop/aaa',
    ]);
  });

  it('never scores what is not allowed', () => {
    const allowed = Uint8Array.from(SHOP, ({ name }) => (name === 'cancelOrder' ? 0 : 1));
    const keys = shop.search('cancel order', { limit: 10, allowed }).map(({ key }) => key);
    expect(keys[0]).toBe('shop/createOrder');
    expect(keys).not.toContain('shop/cancelOrder');
    expect(shop.search('order', { limit: 10, allowed: new Uint8Array(SHOP.length) })).toEqual([]);
  });

  it('is the same in whatever order words are said', () => {
    const index = createSearchIndex([part('s', [document('pool', 'Something about the weather.')])]);
    const score = (text: string) => index.search(text, { limit: 1 })[0]!.score;
    expect(score('pool weather')).toBeCloseTo(score('weather pool'), 5);
  });

  it('counts places, and what is allowed, through all sources', () => {
    const more = [document('listCustomers', 'Customers.'), document('getWeather', 'Weather.')];
    const index = createSearchIndex([part('shop', SHOP), part('other', more)]);
    const place = SHOP.length + 1;
    expect(index.search('weather', { limit: 5 })).toMatchObject([{ key: 'shop/getWeather', place }]);
    const allowed = Uint8Array.from(index.keys(), (_, at) => (at === place ? 0 : 1));
    expect(index.search('weather', { limit: 5, allowed })).toEqual([]);
  });

  it('reads no more than 2,000 characters', () => {
    const long = `${'stock '.repeat(400)}invoices`;
    expect(shop.search(long, { limit: 10 }).map(({ key }) => key)).toEqual(['shop/getStock']);
  });

  it('answers hostile queries at once', async () => {
    const queries = ['a'.repeat(100_000), 'a,'.repeat(50_000), '. '.repeat(50_000), 'and '.repeat(50_000)];
    const took = await processorTime(() => {
      for (const text of queries) shop.search(text, { limit: 10 });
    });
    expect(took).toBeLessThan(2000);
  });
});

describe('an index made after a change', () => {
  const more = [document('listCustomers', 'Customers.')];

  it('takes over what did not change without reading it again', () => {
    let reads = 0;
    const counted: SearchPart = {
      source: 'shop',
      stamp: 'v1',
      documents: () => {
        reads++;
        return SHOP;
      },
    };
    const before = createSearchIndex([counted]);
    const after = createSearchIndex([part('other', more), counted], before);
    expect(reads).toBe(1);
    expect(after.segments[1]).toBe(before.segments[0]);
    expect([...after.keys()]).toHaveLength(SHOP.length + 1);
  });

  it('answers like one made at once', () => {
    const parts = [part('shop', SHOP), part('other', more)];
    const grown = createSearchIndex(parts, createSearchIndex([parts[0]!]));
    for (const text of ['customers', 'order', 'cancel the order of a customer']) {
      expect(grown.search(text, { limit: 10 })).toEqual(createSearchIndex(parts).search(text, { limit: 10 }));
    }
  });

  it('reads a source again whose stamp changed, and forgets one that is gone', () => {
    const before = createSearchIndex([part('shop', SHOP, 1), part('other', more, 1)]);
    const after = createSearchIndex([part('shop', [document('getWeather', 'Weather.')], 2)], before);
    expect(first('weather', after)).toBe('shop/getWeather');
    expect(after.search('customers order', { limit: 10 })).toEqual([]);
  });
});
