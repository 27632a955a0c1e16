import { expect, test } from 'vitest';
import { createLineBuffer } from '../../../src/upstreams/stdio/line-buffer.ts';

/** What came out of these chunks, and whether each was taken. */
function cut(maxBytes: number, ...chunks: readonly (string | Buffer)[]) {
  const buffer = createLineBuffer(maxBytes);
  const lines: string[] = [];
  const taken = chunks.map((chunk) => buffer.push(Buffer.from(chunk), (line) => lines.push(line)));
  return { lines, taken };
}

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['one chunk with several', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
  ['several chunks for one', ['a', 'b', 'c\n'], ['abc']],
  ['what was held, and then lines of their own', ['a', 'b\nc\nd', 'e\nf\n'], ['ab', 'c', 'de', 'f']],
  ['line ends of Windows, also cut in two', ['a\r\nb\r', '\nc\r\r\n\r\n'], ['a', 'b', 'c\r', '']],
  ['an unfinished one', ['a\nb'], ['a']],
])('lines come whole: %s', (_how, chunks, lines) => {
  expect(cut(100, ...chunks)).toEqual({ lines, taken: chunks.map(() => true) });
});

test('a character that two chunks share is whole', () => {
  const bytes = Buffer.from('é\n');
  expect(cut(100, bytes.subarray(0, 1), bytes.subarray(1)).lines).toEqual(['é']);
});

test.each<readonly [string, readonly string[], readonly boolean[]]>([
  ['as long as allowed, whole', ['12345\n'], [true]],
  ['longer, whole', ['123456\n'], [false]],
  ['as long as allowed, in parts', ['123', '45', '\n12345\n'], [true, true, true]],
  ['longer, with its end', ['123', '456\n'], [true, false]],
  ['longer, without an end', ['123', '456'], [true, false]],
  ['longer in three parts', ['12', '34', '56'], [true, true, false]],
  ['behind one that was held', ['12345', '\n', '12345\n'], [true, true, true]],
])('a line is bounded: %s', (_how, chunks, taken) => {
  expect(cut(5, ...chunks).taken).toEqual(taken);
});
