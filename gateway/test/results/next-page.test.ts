import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/operations/index.ts';
import { nextPage } from '../../src/results/next-page.ts';

const ASKED = 'https://api.example.com/v3/candidates?per_page=2&key=secret';

const query = (name: string, arg = name) => ({ in: 'query', name, arg }) as const;
const operation = {
  input: {
    type: 'object',
    properties: {
      page: { type: 'integer' },
      perPage: { type: 'integer' },
      cursor: { type: 'string' },
      ids: { type: 'array', items: { type: 'integer' } },
    },
  },
  invocation: {
    kind: 'http',
    bindings: [query('page'), query('per_page', 'perPage'), query('cursor'), query('q'), query('ids')],
  },
} as unknown as Operation;

describe('the next page of a Link header, as arguments', () => {
  it.each([
    ['<https://api.example.com/v3/candidates?cursor=abc>; rel="next"', { cursor: 'abc' }],
    ['<?page=2&per_page=2>; rel=next, <?page=9>; rel="last"', { page: 2, perPage: 2 }],
    ['<?page=1>; rel="prev", </v3/candidates?page=3>; rel="next last"', { page: 3 }],
    ['<?q=a,b;c&page=2>; title="x"; rel="NEXT"', { q: 'a,b;c', page: 2 }],
    ['<?ids=1&ids=2>; rel=next', { ids: [1, 2] }],
    ['<?ids=1,2>; rel=next', { ids: [1, 2] }],
    ['<?cursor=12>; rel=next', { cursor: '12' }],
    ['<?page=two>; rel=next', { page: 'two' }],
  ])('%s', (link, expected) => expect(nextPage(link, ASKED, operation)).toEqual(expected));

  it('holds nothing that is no argument, such as a key in the address', () => {
    expect(nextPage('<?page=2&key=secret>; rel="next"', ASKED, operation)).toEqual({ page: 2 });
  });

  it.each<[string, object, object, unknown]>([
    ['?v=a%2Cb', { type: 'array', items: { type: 'string' } }, {}, ['a,b']],
    ['?v=a%2Cb,c', { type: 'array', items: { type: 'string' } }, { explode: false }, ['a,b', 'c']],
    ['?v=a%2Cb', { type: 'array', items: { type: 'string' } }, { explode: false }, ['a', 'b']],
    ['?v=a%7Cb', { type: 'array', items: {} }, { style: 'pipeDelimited' }, ['a', 'b']],
    ['?v=2', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, {}, 2],
    ['?v=true', { $ref: '#/$defs/Flag' }, {}, true],
    ['?v=1', { type: ['array', 'null'], items: { $ref: '#/$defs/Size' } }, {}, [1]],
    ['?v=a+b%2B', { type: 'string' }, {}, 'a b+'],
    [
      '?v%5Bstate%5D=open&v[n]=1',
      { type: 'object', properties: { n: { type: 'integer' } } },
      { style: 'deepObject' },
      { state: 'open', n: 1 },
    ],
    ['?v[tag][]=a&v[tag][]=b', { type: 'object' }, { style: 'deepObject' }, { tag: ['a', 'b'] }],
    ['?v=%7B%22a%22%3A%5B1%5D%7D', { type: 'object' }, { contentType: 'application/json' }, { a: [1] }],
    ['?state=open&w=1', { type: 'object', properties: { state: { type: 'string' } } }, {}, { state: 'open' }],
    ['?v=n,1,x,2', { type: 'object', properties: { n: { type: 'integer' } } }, { explode: false }, { n: 1 }],
  ])('%s as %j with %j is what it was written from', (address, schema, binding, expected) => {
    const $defs = { Flag: { type: 'boolean' }, Size: { type: 'integer' } };
    const other = {
      input: { type: 'object', properties: { v: schema }, $defs },
      invocation: { kind: 'http', bindings: [{ ...query('v'), ...binding }] },
    } as unknown as Operation;
    expect(nextPage(`<${address}>; rel=next`, ASKED, other)).toEqual({ v: expected });
  });

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['no next', '<?page=1>; rel="prev"'],
    ['another resource', '<https://api.example.com/v3/jobs?page=2>; rel="next"'],
    ['another origin', '<https://example.org/v3/candidates?page=2>; rel="next"'],
    ['a link without parameters', '<https://api.example.com/v3/candidates>; rel="next"'],
    ['what chooses the page no argument', '<?per_page=2&seite=2>; rel="next"'],
    ['what chooses the page no argument, where the page got a size', '<?per_page=10&seite=2>; rel="next"'],
    ['the link to the page that was asked for', '<?per_page=2&key=secret>; rel="next"'],
    ['a relation that only begins like it', '<?page=2>; rel="nextish"'],
    ['a broken URL', '<http://[>; rel="next"'],
  ])('is not there: %s', (_case, link) => expect(nextPage(link, ASKED, operation)).toBeUndefined());
});
