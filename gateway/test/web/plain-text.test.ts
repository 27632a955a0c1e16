import { expect, it } from 'vitest';
import { isoDate } from '../../src/web/citations.ts';
import { plainText } from '../../src/web/plain-text.ts';

it.each([
  ['a &amp; b', 'a & b'],
  ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
  ['&#8217;&#x2019;', '’’'],
  ['&#0;&#xD800;&#x110000;', '���'],
  ['&unknown; & &;', '&unknown; & &;'],
  ['a <strong>b</strong> c < d > e', 'a b c < d > e'],
  ['one\n\ttwo\u0000\u001b[31m', 'one two [31m'],
  [undefined, ''],
  [7, ''],
])('%j is %j', (given, text) => {
  expect(plainText(given)).toBe(text);
});

it.each([
  ['2024-05-06', '2024-05-06'],
  ['2024-05-06T07:08:09', '2024-05-06T07:08:09.000Z'],
  ['Mon, 06 May 2024 07:08:09 GMT', '2024-05-06T07:08:09.000Z'],
  ['3 days ago', '3 days ago'],
  ['', undefined],
  [null, undefined],
])('the date %j is %j', (given, date) => {
  expect(isoDate(given)).toBe(date);
});
