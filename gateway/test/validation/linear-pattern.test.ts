import { describe, expect, it } from 'vitest';
import { createPatternEngine } from '../../src/validation/linear-pattern.ts';

const engine = createPatternEngine();

describe('the pattern engine', () => {
  it.each([
    ['^a$', ['a', 'a\n', 'ba']],
    ['a', ['bab', 'b']],
    ['^(\\S+) (\\s)$', ['a\u00a0b c', 'a  ', 'a \u2003']],
    ['^(a|[\\s\\d]+)$', ['\u00a01', 'a', 'b']],
    ['^(.|x)$', ['\u2028', '\r', 'é', '😀']],
    ['^(\\d{3}|x)-\\d{2}$', ['123-45', '٣٣٣-45']],
    ['^[\\s\\S]{1,2048}$', ['x', '', 'x'.repeat(2049)]],
    ['^(x|[a-z]{1000})$', ['x'.repeat(999), 'x'.repeat(1000), 'x'.repeat(1001)]],
    ['^(x|[a-z]{1500,})$', ['x'.repeat(1499), 'x'.repeat(1500), 'x'.repeat(4000)]],
    ['^(xx|[a-z]{1200,1400})$', [1199, 1200, 1400, 1401].map((length) => 'x'.repeat(length))],
    ['^(xx|[a-z]{3000})$', [2999, 3000, 3001].map((length) => 'x'.repeat(length))],
    ['^(x|[\\sb])$', ['\u00a0', 'b', 's', '\\']],
    ['^(x|\\S\\s[]?)$', ['a\u00a0', '\u00a0a']],
    ['^(x|[a-z]{1,2000})$', ['x'.repeat(2000), 'x'.repeat(2001)]],
    ['(\\p{L}|x)\\p{Script=Greek}', ['xα', 'xa']],
    ['^(\\u00e9|\\x41|\\u{1F600})$', ['é', 'A', '😀']],
    ['^([^]|xx)$', ['\n', 'xx', '']],
    ['^([\\b]|a)$', ['\b', 'a', 'b']],
    ['^(\\/x\\-y|a)$', ['/x-y']],
    ['(?<name>a)b', ['ab', 'b']],
    ['^(https?|ftp):\\/\\/[^\\s/$.?#].[^\\s]*$', ['http://a.b', 'http:// x', 'gopher://x']],
  ])('reads %s as ECMA-262 does', (pattern, texts) => {
    let expected: RegExp;
    try {
      expected = new RegExp(pattern, 'u');
    } catch {
      expected = new RegExp(pattern);
    }
    const compiled = engine.compile(pattern)!;
    expect(texts.map((text) => compiled.test(text))).toEqual(texts.map((text) => expected.test(text)));
  });

  it('knows every general category by its long name', () => {
    const names = [
      ...['Letter', 'Cased_Letter', 'Uppercase_Letter', 'Lowercase_Letter', 'Titlecase_Letter'],
      ...['Modifier_Letter', 'Other_Letter', 'Mark', 'Combining_Mark', 'Nonspacing_Mark', 'Spacing_Mark'],
      ...[
        'Enclosing_Mark',
        'Number',
        'Decimal_Number',
        'digit',
        'Letter_Number',
        'Other_Number',
        'Punctuation',
      ],
      ...['punct', 'Connector_Punctuation', 'Dash_Punctuation', 'Open_Punctuation', 'Close_Punctuation'],
      ...['Initial_Punctuation', 'Final_Punctuation', 'Other_Punctuation', 'Symbol', 'Math_Symbol'],
      ...[
        'Currency_Symbol',
        'Modifier_Symbol',
        'Other_Symbol',
        'Separator',
        'Space_Separator',
        'Line_Separator',
      ],
      ...['Paragraph_Separator', 'Other', 'Control', 'cntrl', 'Format'],
    ];
    const letters = Array.from({ length: 0x2100 }, (_, code) => String.fromCodePoint(code));
    for (const name of names) {
      // the repeat of a group is what the built-in engine is not trusted with
      const pattern = `^(~|[\\p{${name}}])+$`;
      const expected = new RegExp(pattern, 'u');
      const compiled = engine.compile(pattern);
      expect(compiled, name).toBeDefined();
      expect(letters.filter((letter) => compiled!.test(letter) !== expected.test(letter))).toEqual([]);
    }
  });

  it.each([
    '(?=a)b',
    '(?!a)b',
    '(?<=a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(',
    'a**',
    '((a{1000}){1000}){1000}',
    '(x|a{3001})',
    '(x|a{1,3001})',
    '(x|a{3001,})',
    '(x|\\A)',
  ])('does not take %s', (pattern) => {
    expect(engine.compile(pattern)).toBeUndefined();
  });

  it.each(['^(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(\\w+\\s?)*$', '^(.*a){20}$', '(a|a)*b', '^(a|aa)+$'])(
    'runs %s in linear time',
    (pattern) => {
      const compiled = engine.compile(pattern)!;
      expect(compiled.test(`${'a'.repeat(20_000)}!`)).toBe(false);
    },
    5000,
  );

  it('refuses a text that a large program would take too long for', () => {
    const compiled = engine.compile('^(x|[a-z]{1,900}-)+$')!;
    expect(compiled.test('abc-')).toBe(true);
    expect(compiled.test('abc-'.repeat(250_000))).toBe(false);
  });

  it('refuses a program that is too large', () => {
    expect(engine.compile(`^(x|${'[a-z]{1,900}-'.repeat(4)})$`)).toBeUndefined();
  });

  it('tells patterns apart by their text', () => {
    expect(String(engine.compile('^(a|b)$'))).toBe('^(a|b)$');
  });
});
