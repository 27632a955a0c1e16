import { expect, it } from 'vitest';
import { wayBack } from '../../../src/pages/sign-in/way-back.ts';

const back = (to: string) => wayBack(`?back=${encodeURIComponent(to)}`, 'http://127.0.0.1:8787');

it.each(['/tools', '/calls?q=x', '/approvals/0123'])('leads back to %s', (to) => {
  expect(back(to)).toBe(to);
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
  expect(back(to)).toBe('/calls');
});
