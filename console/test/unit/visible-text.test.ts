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

it('shows joiners where they change what is seen', () => {
  const names = [
    'می\u200cخواهم',
    'نامه\u200cها',
    'مُ\u200cد',
    '👩\u200d💻',
    '👨\u200d👩\u200d👧',
    '👩🏽\u200d🚀',
    '🏳️\u200d🌈',
    'ශ්\u200dරී',
    'क्\u200dष',
    'क्\u200cष',
  ];
  expect(names.map(visibleText)).toEqual(names);
  expect(visibleJson({ name: names[0] })).toBe(`{"name":"${names[0]}"}`);
});

it('spells joiners out where nobody sees them: names that differ look different', () => {
  const hidden = {
    'ad\u200cmin': 'ad\\u200cmin',
    'ad\u200dmin': 'ad\\u200dmin',
    // nothing would connect there
    'دا\u200cر': 'دا\\u200cر',
    'می\u200c': 'می\\u200c',
    'م\u200c\u200cی': 'م\\u200c\\u200cی',
    'م\u200dی': 'م\\u200dی',
    'م\u200ca': 'م\\u200ca',
    // two emoji, with or without it
    '👩\u200d🐈': '👩\\u200d🐈',
    '👩\u200d': '👩\\u200d',
    '👩\u200d\u200d💻': '👩\\u200d\\u200d💻',
    'a\u094d\u200dष': 'a\u094d\\u200dष',
    'क\u200dष': 'क\\u200dष',
    'क्\u200da': 'क्\\u200da',
  };
  expect(Object.keys(hidden).map(visibleText)).toEqual(Object.values(hidden));
});
