import { describe, expect, it } from 'vitest';
import { jsonFault } from '../../../../src/components/json/json-fault.ts';

describe('jsonFault', () => {
  it.each([
    ['{"a": 1,}', 1, 9, 'A name in double quotes is expected here, not “}”.'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'A comma or } is expected here, not “"”.'],
    ['{"a" 1}', 1, 6, 'A colon is expected here, not “1”.'],
    ['[1, 2', 1, 6, 'A comma or ] is expected here, not the end.'],
    ['', 1, 1, 'A value is expected here, not the end.'],
    ['{"a": yes}', 1, 7, 'A value is expected here, not “y”.'],
    ['{"a": "b\n"}', 1, 7, 'This text does not end, or has an escape that JSON does not know.'],
    ['{} {}', 1, 4, '“{” stands behind the end of the value.'],
    ['{"a": 01}', 1, 8, 'A comma or } is expected here, not “1”.'],
    ['[💥]', 1, 2, 'A value is expected here, not “💥”.'],
  ])('%j', (text, line, column, message) => {
    expect(jsonFault(text)).toMatchObject({ line, column, message });
    expect(() => JSON.parse(text)).toThrow();
  });

  it('finds one exactly where the browser’s own reader does', () => {
    const good = JSON.stringify(
      { a: [1, -0.5e3, 'x"\\\u00e9', null, true], 'b/c': { d: {}, e: [] } },
      undefined,
      2,
    );
    expect(jsonFault(good)).toBeUndefined();
    // every text that lacks one character, or has one twice
    for (let at = 0; at < good.length; at++) {
      for (const text of [good.slice(0, at) + good.slice(at + 1), good.slice(0, at) + good.slice(at - 1)]) {
        expect([text, jsonFault(text) === undefined]).toEqual([text, parses(text)]);
      }
    }
  });

  it('is a whole number that would arrive as another one', () => {
    expect(jsonFault('{\n "id": 9007199254740993 }')).toMatchObject({
      line: 2,
      column: 8,
      message: expect.stringContaining('Too large to be sent exactly'),
    });
    expect(jsonFault('{"id":"9007199254740993","a":[9007199254740992,-1,1e300,0.30000000000000004]}')).toBe(
      undefined,
    );
  });

  it('ends on a text that nests without end', () => {
    expect(jsonFault('['.repeat(100_000))?.message).toBe('This is nested too deeply.');
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
