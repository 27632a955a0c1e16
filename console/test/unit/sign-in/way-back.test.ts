import { expect, it } from 'vitest';
import { pathBack } from '../../../../gateway/src/server/http/sign-in/path-back.ts';
import { wayBack } from '../../../src/pages/sign-in/way-back.ts';

const ORIGIN = 'http://127.0.0.1:8787';
const back = (to: string) => wayBack(`?back=${encodeURIComponent(to)}`, ORIGIN);
/** By way of the identity provider; no code crosses over, so that the same rule stands in both. */
const backFromProvider = (to: string) => pathBack(to, ORIGIN);

it.each(['/tools', '/calls?q=x', '/approvals/0123'])('leads back to %s', (to) => {
  expect([back(to), backFromProvider(to)]).toEqual([to, to]);
});

it('leads the provider back, too, to a name that no address can hold as it is', () => {
  expect(backFromProvider(back('/tools/日本'))).toBe('/tools/%E6%97%A5%E6%9C%AC');
});

it.each([
  'http://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/.//evil.example/',
  '/x/..//evil.example/',
  '/\t/evil.example/',
  'javascript:alert(1)',
  '/sign-in',
  '/%73ign-in/provider',
  '/%E0%A4/x',
  '',
])('%j is no way back', (to) => {
  expect([back(to), backFromProvider(to)]).toEqual(['/calls', '/']);
});
