import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import type { Json, ParameterBinding } from '../../../src/operations/index.ts';
import { connectionOf, operationOf, refusal, target } from './operation-under-test.ts';

const color = (rest: Partial<ParameterBinding> = {}): ParameterBinding =>
  ({ in: 'query', name: 'color', arg: 'color', ...rest }) as ParameterBinding;
const list = ['blue', 'black'];
const object = { R: 100, G: 200 };

describe('query parameters follow the style table', () => {
  it.each<[Partial<ParameterBinding>, Json, string]>([
    [{}, 'blue', '?color=blue'],
    [{}, '', '?color='],
    [{}, list, '?color=blue&color=black'],
    [{}, object, '?R=100&G=200'],
    [{ explode: false }, list, '?color=blue,black'],
    [{ explode: false }, object, '?color=R,100,G,200'],
    [{ style: 'spaceDelimited' }, list, '?color=blue%20black'],
    [{ style: 'spaceDelimited' }, object, '?color=R%20100%20G%20200'],
    [{ style: 'pipeDelimited' }, list, '?color=blue%7Cblack'],
    [{ style: 'pipeDelimited', explode: true }, list, '?color=blue&color=black'],
    [{ explode: false, delimiter: '\t' }, list, '?color=blue%09black'],
    [{ style: 'deepObject', explode: true }, object, '?color%5BR%5D=100&color%5BG%5D=200'],
    [{ style: 'deepObject' }, { a: { b: 1, c: null } }, '?color%5Ba%5D%5Bb%5D=1'],
    [{ style: 'deepObject' }, { a: [1, 2] }, '?color%5Ba%5D%5B%5D=1&color%5Ba%5D%5B%5D=2'],
    [{ style: 'deepObject' }, [{ a: 1 }, { a: 2 }], '?color%5B0%5D%5Ba%5D=1&color%5B1%5D%5Ba%5D=2'],
    [{ style: 'deepObject' }, 'blue', '?color=blue'],
    [{ explode: false }, ['a,b', 'c'], '?color=a%2Cb,c'],
    [{ style: 'pipeDelimited' }, ['a|b', 'c'], '?color=a%7Cb%7Cc'],
    [{}, [], ''],
    [{ explode: false }, [], ''],
    [{}, {}, ''],
    [{}, null, ''],
    [{}, ['a', null], '?color=a'],
    [{}, [{ a: 1 }], '?color=%7B%22a%22%3A1%7D'],
    [{}, { tags: ['a', 'b'] }, '?tags=a&tags=b'],
    [{}, { a: { $gt: 5, $in: [1, 2] } }, '?a%5B%24gt%5D=5&a%5B%24in%5D%5B%5D=1&a%5B%24in%5D%5B%5D=2'],
    [{}, { $or: [{ a: 1 }, { b: null }] }, '?%24or%5B0%5D%5Ba%5D=1'],
    [{}, { a: [[1, 2], 'x'] }, '?a=%5B1%2C2%5D&a=x'],
    [{ explode: false }, { a: { b: 1 } }, '?color=a,%7B%22b%22%3A1%7D'],
    [{}, 1e21, '?color=1000000000000000000000'],
    [{}, 'a b&c=d+e#f', '?color=a%20b%26c%3Dd%2Be%23f'],
    [{}, '$&', '?color=%24%26'],
    [{ contentType: 'application/json' }, object, '?color=%7B%22R%22%3A100%2C%22G%22%3A200%7D'],
    [{ contentType: 'application/json' }, 'x', '?color=%22x%22'],
    [{ contentType: 'text/plain' }, 'x y', '?color=x%20y'],
    [{ name: 'filter[a b]' }, 'x', '?filter%5Ba%20b%5D=x'],
  ])('%j of %j is %s', (rest, value, expected) => {
    expect(target('/x', [color(rest)], { color: value })).toBe(`/x${expected}`);
  });

  it.each([
    ['a/b?c:d@e,f;g=h', 'a/b?c:d@e,f;g=h'],
    ['a%20b', 'a%20b'],
    ['100%', '100%25'],
    ['a&b+c#d[e]', 'a%26b%2Bc%23d%5Be%5D'],
    ['a b', 'a%20b'],
  ])('allowReserved writes %j as %s', (value, expected) => {
    expect(target('/x', [color({ allowReserved: true })], { color: value })).toBe(`/x?color=${expected}`);
  });

  it('allowReserved is for values: a name cannot end before its `=`', () => {
    const value = { 'a=b': 'c=d' };
    expect(target('/x', [color({ allowReserved: true })], { color: value })).toBe('/x?a%3Db=c=d');
    const deep = color({ allowReserved: true, style: 'deepObject' });
    expect(target('/x', [deep], { color: value })).toBe('/x?color%5Ba%3Db%5D=c=d');
    expect(
      target('/x?Action=List', [color({ allowReserved: true })], { color: { 'Action=Drop': '1' } }),
    ).toBe('/x?Action=List&Action%3DDrop=1');
  });

  it('refuses half a surrogate pair', () => {
    expect(() => target('/x', [color()], { color: 'a\ud800' })).toThrow(
      refusal('arguments_invalid', '/color'),
    );
  });

  it.each<[string, ParameterBinding, Record<string, Json>]>([
    ['another argument', { in: 'query', name: 'page', arg: 'page' }, { color: { page: 5 }, page: 1 }],
    ['another argument before it', { in: 'query', name: 'page', arg: 'a' }, { a: 1, color: { page: 5 } }],
    ['a member of another one', color({ name: 'at', arg: 'at' }), { color: { gt: 1 }, at: { gt: 2 } }],
    ['one with brackets', color({ name: 'at', arg: 'at' }), { color: { a: { b: 1 } }, at: { a: { b: 2 } } }],
    ['a constant', { in: 'query', name: 'tenant', const: 'acme' }, { color: { tenant: 'other' } }],
  ])('refuses a member that would go out under the name of %s', (_, other, args) => {
    for (const bindings of [
      [color(), other],
      [other, color()],
    ])
      expect(() => target('/x', bindings, args)).toThrow(refusal('arguments_invalid'));
  });

  it.each<[string, ParameterBinding[], Record<string, Json>, string]>([
    ['a member called as its own parameter', [color()], { color: { color: 1 } }, '?color=1'],
    [
      'the name of one that is not given',
      [color(), color({ name: 'a', arg: 'a' })],
      { color: { a: 1 } },
      '?a=1',
    ],
    [
      'one name of two arguments',
      [color(), color({ arg: 'other' })],
      { color: 'a', other: 'b' },
      '?color=a&color=b',
    ],
    [
      'a member called as an object in brackets, as Lob sorts by what it filters by',
      [color(), color({ name: 'date', arg: 'date', style: 'deepObject' })],
      { color: { date: 'asc' }, date: { gt: 1 } },
      '?date=asc&date%5Bgt%5D=1',
    ],
  ])('but sends %s', (_, bindings, args, expected) => {
    expect(target('/x', bindings, args)).toBe(`/x${expected}`);
  });

  it('names the argument, the member and what is to be done', () => {
    const at = color({ name: 'at', arg: 'at' });
    expect(() => target('/x', [color(), at], { color: { gt: 1 }, at: { gt: 2 } })).toThrow(
      'Argument at would be sent as gt=…, and so would color: the service could not tell them apart. Give one of them; the operator can give them `style: deepObject` or `content` by an overlay.',
    );
  });

  it('sends constants that nobody is asked for', () => {
    expect(target('/x', [{ in: 'query', name: 'api-version', const: '2024-01-01' }], {})).toBe(
      '/x?api-version=2024-01-01',
    );
  });
});

describe('the whole query string (OpenAPI 3.2)', () => {
  const whole = (contentType?: string): ParameterBinding =>
    ({ in: 'querystring', name: 'q', arg: 'q', ...(contentType ? { contentType } : {}) }) as ParameterBinding;

  it.each<[string | undefined, Json, string]>([
    [undefined, { a: 'x y', b: [1, 2] }, '?a=x%20y&b=1&b=2'],
    [undefined, 'a=1&b=c d', '?a=1&b=c%20d'],
    ['application/json', { a: 'x=y' }, '?%7B%22a%22%3A%22x%3Dy%22%7D'],
    ['text/plain', 'a#b', '?a%23b'],
  ])('as %s: %j is %s', (contentType, value, expected) => {
    expect(target('/x', [whole(contentType)], { q: value })).toBe(`/x${expected}`);
  });

  it('writes members by their Encoding Objects', () => {
    const members = {
      tags: { style: 'pipeDelimited', explode: false },
      at: { style: 'deepObject', explode: true },
      path: { allowReserved: true },
      ids: { contentType: 'application/json' },
    } as const;
    const value = { tags: ['a', 'b c'], at: { x: 1 }, path: 'a/b', ids: [1, 2], plain: [1, 2], none: null };
    expect(target('/x', [{ ...whole(), members }], { q: value })).toBe(
      '/x?tags=a%7Cb%20c&at%5Bx%5D=1&path=a/b&ids=%5B1%2C2%5D&plain=1&plain=2',
    );
  });

  it('refuses a member that is half a character', () => {
    expect(() => target('/x', [whole()], { q: { a: '\ud800' } })).toThrow(refusal('arguments_invalid'));
  });
});

describe('queries and fragments in path keys', () => {
  const method: ParameterBinding = { in: 'query', name: 'method', arg: 'method' };
  const acl: ParameterBinding = { in: 'query', name: 'acl', arg: 'acl' };

  it.each<[string, ParameterBinding[], Record<string, Json>, string]>([
    ['/rest?method=a.b', [color()], { color: 'x' }, '/rest?method=a.b&color=x'],
    ['/rest?method=a.b', [method], { method: 'a.b' }, '/rest?method=a.b'],
    ['/rest?method=a.b', [{ in: 'query', name: 'method', const: 'other' }], {}, '/rest?method=a.b'],
    ['/#Action=CreateQueue', [], {}, '/?Action=CreateQueue'],
    ['/#Action=X&Version=1', [], {}, '/?Action=X&Version=1'],
    ['/files/1#add_shared_link', [], {}, '/files/1'],
    ['/b?acl', [], {}, '/b?acl'],
    ['/b?acl', [acl], { acl: true }, '/b?acl=true'],
    ['/b#acl', [acl], { acl: true }, '/b?acl=true'],
    ['/#X-Amz-Target=T.Get', [{ in: 'header', name: 'X-Amz-Target', const: 'T.Get' }], {}, '/'],
    ['/s?color={color}', [color()], { color: 'x' }, '/s?color=x'],
    ['/s?color={color}', [color()], {}, '/s'],
    ['/s?q={term}', [{ in: 'path', name: 'term', arg: 'term' }], { term: 'a&b' }, '/s?q=a%26b'],
  ])('%s with %j and %j is %s', (path, bindings, args, expected) => {
    expect(target(path, bindings, args)).toBe(expected);
  });

  it.each<[ParameterBinding, Json]>([
    [method, 'flickr.photos.delete'],
    [color(), { method: 'flickr.photos.delete' }],
    [{ in: 'querystring', name: 'q', arg: 'color' }, 'method=flickr.photos.delete'],
  ])('no argument changes what the key fixes: %j of %j', (binding, value) => {
    expect(() => target('/rest?method=a.b', [binding], { [binding.arg!]: value })).toThrow(
      refusal('arguments_invalid'),
    );
  });

  it('keeps the query of the base URL', () => {
    const request = buildRequest(
      operationOf({ path: '/x', bindings: [color()] }),
      { color: 'a' },
      connectionOf({ baseUrl: 'https://h.example/b/?k=v' }),
    );
    expect(request.url).toBe('https://h.example/b/x?k=v&color=a');
  });

  it.each<[ParameterBinding, Json]>([
    [{ in: 'query', name: 'k', arg: 'color' }, 'other'],
    [{ in: 'query', name: 'q', arg: 'color' }, { k: 'other' }],
    [{ in: 'querystring', name: 'q', arg: 'color' }, 'k=other'],
  ])('which the configuration says: no argument changes it: %j of %j', (binding, color) => {
    const operation = operationOf({ path: '/x', bindings: [binding] });
    const connection = connectionOf({ baseUrl: 'https://h.example/b?k=v' });
    expect(buildRequest(operation, { color }, connection).url).toBe('https://h.example/b/x?k=v');
    const ofDocument = { ...operation.invocation, servers: [{ url: 'https://h.example/b?k=v' }] };
    const request = buildRequest({ ...operation, invocation: ofDocument }, { color }, connectionOf());
    expect(request.url).toBe('https://h.example/b/x?k=v&k=other');
  });
});

it('no argument takes the place of an API key in the query', () => {
  const operation = operationOf({
    bindings: [color(), { in: 'query', name: 'api_key', arg: 'key' }],
    security: [{ k: [] }],
  });
  const connection = connectionOf({
    securitySchemes: { k: { type: 'apiKey', in: 'query', name: 'api_key' } },
  });
  expect(() => buildRequest(operation, { key: 'stolen' }, connection)).toThrow(
    refusal('arguments_invalid', '/key'),
  );
  expect(() => buildRequest(operation, { color: { api_key: 'stolen' } }, connection)).toThrow(
    refusal('arguments_invalid', '/color'),
  );
});
