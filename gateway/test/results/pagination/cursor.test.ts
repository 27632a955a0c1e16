import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { decodeCursor, encodeCursor } from '../../../src/results/pagination/index.ts';
import fc from '../../properties.ts';

describe('a cursor', () => {
  it('is opaque text that says what was put into it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()), (content) => {
        const cursor = encodeCursor(content as JsonObject);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor)).toEqual(JSON.parse(JSON.stringify({ v: 1, ...content })));
      }),
    );
  });

  it.each([
    ['', 'nothing'],
    ['abc', 'a word'],
    ['{"v":1}', 'JSON as it is'],
    [Buffer.from('{"v":2}').toString('base64url'), 'another version'],
    [Buffer.from('[1]').toString('base64url'), 'a list'],
    [Buffer.from('null').toString('base64url'), 'null'],
    [encodeCursor({ a: 'x'.repeat(9000) }), 'one that is too long'],
  ])('%s is refused: %s', (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(
      expect.objectContaining({ code: 'cursor_invalid', pointer: '/_cursor' }),
    );
  });
});
