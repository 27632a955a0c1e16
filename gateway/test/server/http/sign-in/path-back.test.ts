import { expect, test } from 'vitest';
import { pathBack } from '../../../../src/server/http/sign-in/path-back.ts';

test.each([
  [null, '/'],
  ['https://evil.example/x', '/'],
  ['//evil.example', '/'],
  ['//evil.example/x', '/'],
  ['/a b', '/'],
  ['/\u00e9', '/'],
  ['/.//evil.example', '/'],
  ['@evil.example', '/'],
  ['tools/a', '/'],
  ['//[', '/'],
  [`/${'x'.repeat(1_000)}`, '/'],
  [`/${'x'.repeat(999)}`, `/${'x'.repeat(999)}`],
  ['/\\evil.example', '/'],
  ['/sign-in?back=/x', '/'],
  // which is served as well: back would be into a second sign-in
  ['/%73ign-in/provider', '/'],
  ['/x/../sign%2Din/provider', '/'],
  ['/%E0%A4/x', '/'],
  ['/tools/a%2Fb', '/tools/a%2Fb'],
  ['/calls/c1#there', '/calls/c1'],
  ['/tools?q=a%20b', '/tools?q=a%20b'],
])('the way back to %s is to %s', (back, expected) => {
  expect(pathBack(back, 'https://tools.example.com')).toBe(expected);
});
