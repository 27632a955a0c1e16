import { describe, expect, it } from 'vitest';
import type { Json, ParameterBinding } from '../../../src/operations/index.ts';
import { refusal, target } from './operation-under-test.ts';

const color = (rest: Partial<ParameterBinding> = {}): ParameterBinding =>
  ({ in: 'path', name: 'color', arg: 'color', ...rest }) as ParameterBinding;
const list = ['blue', 'black', 'brown'];
const object = { R: 100, G: 200 };

describe('path parameters follow the style table', () => {
  it.each<[ParameterBinding['style'], boolean, Json, string]>([
    ['simple', false, 'blue', 'blue'],
    ['simple', false, list, 'blue,black,brown'],
    ['simple', true, list, 'blue,black,brown'],
    ['simple', false, object, 'R,100,G,200'],
    ['simple', true, object, 'R=100,G=200'],
    ['label', false, 'blue', '.blue'],
    ['label', false, list, '.blue,black,brown'],
    ['label', true, list, '.blue.black.brown'],
    ['label', false, object, '.R,100,G,200'],
    ['label', true, object, '.R=100.G=200'],
    ['matrix', false, 'blue', ';color=blue'],
    ['matrix', false, '', ';color'],
    ['matrix', false, list, ';color=blue,black,brown'],
    ['matrix', true, list, ';color=blue;color=black;color=brown'],
    ['matrix', false, object, ';color=R,100,G,200'],
    ['matrix', true, object, ';R=100;G=200'],
    ['spaceDelimited', false, list, 'blue%20black%20brown'],
    ['pipeDelimited', false, list, 'blue%7Cblack%7Cbrown'],
  ])('%s, explode %s, of %j is %s', (style, explode, value, expected) => {
    expect(target('/x/{color}/y', [color({ style: style!, explode })], { color: value })).toBe(
      `/x/${expected}/y`,
    );
  });

  it('writes Swagger 2.0 tab separation as %09', () => {
    expect(target('/{color}', [color({ delimiter: '\t' })], { color: ['a', 'b'] })).toBe('/a%09b');
  });

  it.each<[string, Json, string]>([
    ['a comma in an item', ['a,b', 'c'], 'a%2Cb,c'],
    ['a null item', ['a', null], 'a'],
    ['a number without exponent', 1e21, '1000000000000000000000'],
    ['a small number', 1.5e-7, '0.00000015'],
    ['a negative number', -1.034e-20, '-0.00000000000000000001034'],
    ['a boolean', false, 'false'],
    ['zero', -0, '0'],
    ['a replacement pattern', '$&$1$$', '%24%26%241%24%24'],
    ['characters beyond ASCII', 'Grüße/日本', 'Gr%C3%BC%C3%9Fe%2F%E6%97%A5%E6%9C%AC'],
    ['reserved characters', "!*'();:@&=+$,", '%21%2A%27%28%29%3B%3A%40%26%3D%2B%24%2C'],
  ])('%s', (_, value, expected) => {
    expect(target('/{color}', [color()], { color: value })).toBe(`/${expected}`);
  });
});

describe('a value within quotes stays within them', () => {
  it.each<[string, string, string]>([
    ["/rates(cur='{color}')", "O'Neil", "/rates(cur='O%27%27Neil')"],
    ["/rates(cur='{color}',day=1)", "a',day=2", "/rates(cur='a%27%27%2Cday%3D2',day=1)"],
    ["/rates('{color}')", "O''Neil", "/rates('O%27%27Neil')"],
    ["/rates('{color}')", "''a'", "/rates('%27%27%27%27a%27%27')"],
    ['/rates(%27{color}%27)', "a'b", '/rates(%27a%27%27b%27)'],
    ['/rates({color})', "a'b", '/rates(a%27b)'],
    ["/it's/{color}", "a'b", "/it's/a%27b"],
    ["/'x'{color}'y'", 'plain', "/'x'plain'y'"],
  ])('%s with %s', (template, value, expected) => {
    expect(target(template, [color()], { color: value })).toBe(expected);
  });
});

describe('a value never leaves its segment', () => {
  it.each([
    ['a/b', 'a%2Fb'],
    ['a?b', 'a%3Fb'],
    ['a#b', 'a%23b'],
    ['a\\b', 'a%5Cb'],
    ['a%2Fb', 'a%252Fb'],
    ['...', '...'],
    ['..a', '..a'],
    ['a b', 'a%20b'],
    ['{color}', '%7Bcolor%7D'],
    ['//evil.example', '%2F%2Fevil.example'],
  ])('%j is encoded', (value, expected) => {
    expect(target('/x/{color}', [color()], { color: value })).toBe(`/x/${expected}`);
  });

  it.each([
    '',
    '.',
    '..',
    '%2e%2e',
    '%252E.',
    '../admin',
    'a/../../b',
    '..\\admin',
    '..;/admin',
    '%2e%2e%2fadmin',
    'a\r\nb',
    'a\u0000b',
    '%0d%0aX: y',
    [],
    {},
    '\ud800',
  ])('%j is refused with a pointer', (value) => {
    expect(() => target('/x/{color}', [color()], { color: value })).toThrow(
      refusal('arguments_invalid', '/color'),
    );
  });

  it.each([undefined, null])('%j is missing', (value) => {
    const args = value === undefined ? {} : { color: value };
    expect(() => target('/x/{color}', [color()], args)).toThrow(refusal('arguments_invalid', '/color'));
  });

  it('refuses a dot segment that two values make together', () => {
    const bindings: ParameterBinding[] = [
      { in: 'path', name: 'a', arg: 'a', style: 'label' },
      { in: 'path', name: 'b', arg: 'b', style: 'label' },
    ];
    expect(() => target('/x/{a}{b}', bindings, { a: '', b: '' })).toThrow(refusal('arguments_invalid'));
    const plain = bindings.map(({ style: _label, ...rest }) => rest as ParameterBinding);
    // `%2` and `e%2e`: neither is one, however often it is decoded
    expect(() => target('/x/{a}{b}', plain, { a: '%2', b: 'e%2e' })).toThrow(refusal('arguments_invalid'));
  });
});

describe('template operators', () => {
  const name: ParameterBinding = { in: 'path', name: 'name', arg: 'name' };

  it.each([
    ['projects/p/zones/z', '/v1/projects/p/zones/z:cancel'],
    ['a b?c#d', '/v1/a%20b%3Fc%23d:cancel'],
    ['objects/a%2Fb', '/v1/objects/a%2Fb:cancel'],
    ['50%', '/v1/50%25:cancel'],
  ])('{+name} keeps the slashes of %j', (value, expected) => {
    expect(target('/v1/{+name}:cancel', [name], { name: value })).toBe(expected);
  });

  it.each(['../x', 'a/../b', 'a/%2e%2e/b', '/a', 'a/', 'a//b', '', 'a/./b', 'a\\..\\b', 'a/%252e%252e/b'])(
    '{+name} refuses %j',
    (value) => {
      expect(() => target('/v1/{+name}/x', [name], { name: value })).toThrow(
        refusal('arguments_invalid', '/name'),
      );
    },
  );

  it('a value of several segments keeps its slashes, and nothing else leaves its place', () => {
    const scope: ParameterBinding = { ...name, encoding: 'slashes' };
    expect(target('/{name}/locks', [scope], { name: 'subscriptions/1/a b?c,d%2F' })).toBe(
      '/subscriptions/1/a%20b%3Fc%2Cd%252F/locks',
    );
    for (const value of ['../x', 'a/%2e%2e/b', '/a', 'a//b', ''])
      expect(() => target('/{name}/locks', [scope], { name: value })).toThrow(
        refusal('arguments_invalid', '/name'),
      );
  });

  it.each<[string, Json, string]>([
    ['/x/{name*}', { a: 1, b: 2 }, '/x/a=1,b=2'],
    ['/x{.name}', 'json', '/x.json'],
    ['/x{.name*}', ['a', 'b'], '/x.a.b'],
    ['/x{;name}', 'v', '/x;name=v'],
    ['/x{/name*}', ['a', 'b/c'], '/x/a/b%2Fc'],
    ['/x{?name}', 'a&b', '/x?name=a%26b'],
    ['/x{?name,missing}', 'v', '/x?name=v'],
    ['/x/{name:[0-9]+}', 7, '/x/7'],
    ['/x/{name}.{name}', 'a', '/x/a.a'],
    ['/ä b/{name}', 'a', '/%C3%A4%20b/a'],
    ['/x/{unclosed', 'a', '/x/%7Bunclosed'],
  ])('%s with %j is %s', (template, value, expected) => {
    expect(target(template, [name], { name: value })).toBe(expected);
  });

  it('refuses a placeholder that nothing describes as a fault of the document', () => {
    expect(() => target('/x/{other}', [name], { name: 'a' })).toThrow(refusal('source_invalid'));
  });

  it('sends constants of the document as they are', () => {
    expect(target('/x/{name}', [{ in: 'path', name: 'name', const: '' }], {})).toBe('/x/');
  });
});
