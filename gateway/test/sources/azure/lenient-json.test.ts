import { describe, expect, it } from 'vitest';
import { parseLenientJson, strictJsonText } from '../../../src/sources/azure/lenient-json.ts';

const read = (text: string): unknown => JSON.parse(strictJsonText(text));

describe('strictJsonText', () => {
  it.each([
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['commas before a bracket', '{"a":[1,2,],}', { a: [1, 2] }],
    ['a comma, a comment and a bracket', '{"a":1, // one\n}', { a: 1 }],
    ['comments', '/* x */{"a":/* , */1}// y', { a: 1 }],
  ])('takes away %s', (_name, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('leaves strings as they are', () => {
    const value = { url: 'https://a/b', text: 'x, ]', quote: 'say "//" /* no */', slash: '\\' };
    expect(read(JSON.stringify(value))).toEqual(value);
  });

  it('ends soon with text that never does', () => {
    expect(strictJsonText('/* '.repeat(200_000))).toBe('');
    expect(strictJsonText(`"${'\\"'.repeat(200_000)}`)).toHaveLength(400_001);
    expect(strictJsonText(`[${','.repeat(200_000)}`)).toHaveLength(200_001);
  });
});

describe('parseLenientJson', () => {
  it.each([
    ['{"a":[1,2,],}', { a: [1, 2] }],
    ['{"a":1 // one\n}', { a: 1 }],
    ['{"a":"x, ] // no /* comment */"}', { a: 'x, ] // no /* comment */' }],
    ['{"a":"line\nbreak\ttab",}', { a: 'line\nbreak\ttab' }],
    ['{"a":"\\",}"}', { a: '",}' }],
    ['\ufeff{"a":1}', { a: 1 }],
  ])('%j', (text, value) => {
    expect(parseLenientJson(text)).toEqual(value);
  });

  it.each(['', '{"a":1} extra', "{'a':1}", '{a:1}', '{"a":}', '[1,,2]'])('%j is none', (text) => {
    expect(() => parseLenientJson(text)).toThrow(SyntaxError);
  });
});
