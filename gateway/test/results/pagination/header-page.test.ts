import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/operations/index.ts';
import { headerPage } from '../../../src/results/pagination/header-page.ts';

const ASKED = 'https://api.example.com/v3/rows?limit=2&cursor=now&page=4';

/** Arguments by their place and name; a page is a number. */
const operation = (...args: readonly [place: string, name: string, arg?: string][]): Operation =>
  ({
    input: {
      type: 'object',
      properties: Object.fromEntries(
        args.map(([, name, arg = name]) => [arg, { type: arg === 'page' ? 'integer' : 'string' }]),
      ),
    },
    invocation: {
      kind: 'http',
      bindings: args.map(([place, name, arg = name]) => ({ in: place, name, arg })),
    },
  }) as unknown as Operation;

const byPage = operation(['query', 'page']);
const byCursor = operation(['query', 'cursor']);
const byBoth = operation(['query', 'page'], ['query', 'cursor']);
const byText = operation(['query', 'page', 'textualPage']);
const byHeader = operation(['header', 'X-Cursor'], ['query', 'page']);

describe('the next page by a header of the answer', () => {
  it.each<[Record<string, string>, Operation, object]>([
    [{ 'x-next-page': '5' }, byPage, { page: 5 }],
    [{ 'x-next-page': '5' }, byBoth, { page: 5 }],
    [{ 'x-next-cursor': '5' }, byBoth, { cursor: '5' }],
    [{ 'x-cursor': 'abc' }, byCursor, { cursor: 'abc' }],
    [{ 'x-cursor': '/Ab+c==' }, byCursor, { cursor: '/Ab+c==' }],
    [{ 'next-page-token': 'abc' }, byCursor, { cursor: 'abc' }],
    [{ 'x-ms-continuation': 'abc' }, byCursor, { cursor: 'abc' }],
    [{ 'x-ms-continuationtoken': 'abc' }, byCursor, { cursor: 'abc' }],
    [{ 'opc-next-page': 'abc' }, byText, { textualPage: 'abc' }],
    [{ 'x-cursor': '12' }, byHeader, { 'X-Cursor': '12' }],
    [{ 'x-next': '/v3/rows?page=5' }, byPage, { page: 5 }],
    [{ 'x-next-url': 'https://api.example.com/v3/rows?cursor=c' }, byCursor, { cursor: 'c' }],
  ])('%j', (headers, asked, expected) => expect(headerPage(headers, ASKED, asked)).toEqual(expected));

  it.each<[string, Record<string, string>, Operation]>([
    ['no value', { 'x-next-page': '' }, byPage],
    ['the page that was asked for', { 'x-next-page': '4' }, byPage],
    ['the cursor that was asked for', { 'x-cursor': 'now' }, byCursor],
    ['a page before', { 'x-prev-page': '3', 'opc-prev-page': 'x' }, byPage],
    ['what only begins with a number', { 'x-next-page': '5th' }, byPage],
    ['a word where pages are numbers', { 'x-next-page': 'soon' }, byPage],
    ['another host', { 'x-next': 'https://evil.example/v3/rows?page=5' }, byPage],
    ['a value of great length', { 'x-cursor': 'x'.repeat(5000) }, byCursor],
    ['no argument for it', { 'x-cursor': 'abc' }, operation(['query', 'q'])],
    ['another name', { 'x-next-step': '1', 'x-nextel': '2', 'x-cursors': '3' }, byBoth],
  ])('%s leads nowhere', (_what, headers, asked) =>
    expect(headerPage(headers, ASKED, asked)).toBeUndefined(),
  );

  it('an address cannot bring a second one along', () => {
    const smuggled = '/v3/other?page=5>; rel="x", </v3/rows?page=9';
    expect(headerPage({ 'x-next': smuggled }, ASKED, byPage)).toBeUndefined();
  });
});
