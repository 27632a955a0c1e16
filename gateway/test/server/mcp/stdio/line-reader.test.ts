import { describe, expect, test } from 'vitest';
import { LineReader } from '../../../../src/server/mcp/stdio/line-reader.ts';

function linesOf(...chunks: (string | Buffer)[]): string[] {
  const reader = new LineReader(1000);
  return chunks.flatMap((chunk) => reader.append(Buffer.from(chunk)));
}

describe('lines of a byte stream', () => {
  test.each([
    ['one line', ['a\n'], ['a']],
    ['two in one chunk', ['a\nb\n'], ['a', 'b']],
    ['one in three chunks', ['a', 'b', 'c\n'], ['abc']],
    ['the end of one and the start of the next', ['a', 'b\nc', 'd\n'], ['ab', 'cd']],
    ['an end of its own', ['a', '\n'], ['a']],
    ['empty lines', ['\n\n'], ['', '']],
    ['CRLF', ['a\r\nb\r\n'], ['a', 'b']],
    ['CR and LF in two chunks', ['a\r', '\n'], ['a']],
    ['a CR within the line', ['a\rb\n'], ['a\rb']],
    ['no end', ['a'], []],
  ])('%s', (_case, chunks, lines) => {
    expect(linesOf(...chunks)).toEqual(lines);
  });

  test('a character in two chunks', () => {
    const bytes = Buffer.from('grüße\n');
    expect(linesOf(bytes.subarray(0, 3), bytes.subarray(3))).toEqual(['grüße']);
  });

  test('a line beyond the limit is refused and forgotten', () => {
    const reader = new LineReader(4);
    expect(reader.append(Buffer.from('ab'))).toEqual([]);
    expect(() => reader.append(Buffer.from('cde'))).toThrow('longer than 4 bytes');
    expect(reader.append(Buffer.from('x\n'))).toEqual(['x']);
  });
});
