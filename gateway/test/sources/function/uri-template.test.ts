import { expect, test } from 'vitest';
import { parseUriTemplate } from '../../../src/sources/function/uri-template.ts';

test.each([
  ['test://a/{id}/data', 'test://a/123/data', { id: '123' }],
  ['test://{a}/{b}', 'test://x/y', { a: 'x', b: 'y' }],
  ['test://{a}-{b}', 'test://x-y', { a: 'x', b: 'y' }],
  ['{all}', 'abc', { all: 'abc' }],
  ['test://{id}', 'test://caf%C3%A9', { id: 'café' }],
  ['test://{id}', 'test://a%2Fb', { id: 'a/b' }],
  ['test://plain', 'test://plain', {}],
  ['test://(a+)+/{id}', 'test://(a+)+/1', { id: '1' }],
  ['test://a.b/{id}', 'test://a.b/1', { id: '1' }],
])('%s takes %s apart', (template, uri, variables) => {
  expect({ ...parseUriTemplate(template)?.match(uri) }).toEqual(variables);
});

test.each([
  ['test://a/{id}/data', 'test://a/1/2/data', 'a value holds no slash'],
  ['test://a/{id}/data', 'test://a//data', 'a value is not empty'],
  ['test://a/{id}/data', 'test://a/1/data/more', 'nothing follows'],
  ['test://a/{id}/data', 'other://a/1/data', 'the start differs'],
  ['test://a.b/{id}', 'test://axb/1', 'a dot is a dot'],
  ['test://{id}', 'test://%zz', 'a broken escape'],
  ['test://{id}', 'test://%C3', 'broken UTF-8'],
  ['test://{id}', 'test://a?b=c', 'a value holds no query'],
  ['test://plain', 'test://plainer', 'no expression, no slack'],
])('%s does not match %s: %s', (template, uri) => {
  expect(parseUriTemplate(template)?.match(uri)).toBeUndefined();
});

test.each([
  'test://{+path}',
  'test://{a,b}',
  'test://{a}{b}',
  'test://{a}/{a}',
  'test://{a',
  'test://a}',
  'test://{}',
])('%s is more, or less, than level 1', (template) => {
  expect(parseUriTemplate(template)).toBeUndefined();
});

test('a variable name that every object has is only a name', () => {
  const match = parseUriTemplate('test://{constructor}')?.match('test://x');
  expect(match && Object.getPrototypeOf(match)).toBeNull();
  expect(match?.['constructor']).toBe('x');
});

test('matching takes linear time', () => {
  const template = parseUriTemplate('test://{a}-{b}-{c}-end');
  expect(template?.match(`test://${'a-'.repeat(50_000)}`)).toBeUndefined();
});
