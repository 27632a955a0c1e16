import { expect, it } from 'vitest';
import { visibleJson, visibleText } from '../../src/components/visible-text.ts';

it('shows what hides or turns the writing, and keeps the value', () => {
  const value = { to: 'ann\u202e\u2066gpj.exe', tag: '\u{e0041}\u200b', plain: 'é — 💥\n' };
  const text = visibleJson(value, 2);
  expect(text).toContain('"ann\\u202e\\u2066gpj.exe"');
  expect(text).toContain('"\\udb40\\udc41\\u200b"');
  expect(text).toContain('é — 💥\\n');
  expect(JSON.parse(text)).toEqual(value);
  expect(visibleText('a\u2028b\u0085')).toBe('a\\u2028b\\u0085');
});
