import { expect, test } from 'vitest';
import { templateMatcher } from '../../../src/assembly/upstreams/match-template.ts';
import { processorTime } from '../../processor-time.ts';

test.each([
  ['test://a/{id}/data', 'test://a/7/data', true],
  ['test://a/{id}/data', 'test://a//data', false],
  ['test://a/{id}/data', 'test://a/7/8/data', false],
  ['test://a/{id}', 'test://a/7/data', false],
  ['test://a/{id}', 'test://b/7', false],
  ['test://a', 'test://a', true],
  ['test://a', 'test://a/b', false],
  ['file:///{+path}', 'file:///etc/hosts', true],
  ['file://{/path*}', 'file:///etc/hosts', true],
  ['x://{a}/{b}', 'x://1/2', true],
  ['x://{a}-{b}', 'x://1-2-3', true],
  ['x://{a}{b}', 'x://1', false],
  ['x://s{?q,r}', 'x://s?q=1&r=2', true],
  ['x://s{?q}', 'x://s', true],
  ['x://s{#part}', 'x://s#top', true],
  ['x://{a}/end', 'x://a/endless', false],
  ['x://{owner}{/path*}/raw', 'x://ann/a/b/raw', true],
  ['x://{name}{.type}', 'x://a.b.json', true],
  ['x://{a}{;n}-{b}', 'x://1;n=2-3', true],
  ['x://{a}?y=1{&b*}/', 'x://1?y=1&b=2/', true],
  ['x://s{?q}', 'x://st', false],
  ['x://s{#part}', 'x://s?top', false],
  ['x://s{/path*}', 'x://s/a?b', false],
  ['files://{path*}', 'files://a/b.txt', true],
  ['files://{path*}', 'files://', false],
  ['files://{path*}', 'files://a?b', false],
  ['x://{?q*}', 'x://a/b', false],
])('%s fits %s: %s', (template, uri, fits) => {
  expect(templateMatcher(template)(uri)).toBe(fits);
});

test('a long hostile address takes no time', async () => {
  const matches = templateMatcher(`x://${'{+a}/'.repeat(50)}end`);
  expect(await processorTime(() => matches(`x://${'/'.repeat(4000)}`))).toBeLessThan(2000);
});
