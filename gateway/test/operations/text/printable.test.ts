import { describe, expect, test } from 'vitest';
import { printable } from '../../../src/operations/text/printable.ts';

describe('text of others', () => {
  test.each([
    ['is shown as it is', 'Größe 北京 👍 ok', 'Größe 北京 👍 ok'],
    ['moves no cursor', 'a\u001b[2Jb\r\nc\u009b1mc', 'a [2Jb c 1mc'],
    ['does not turn the direction of writing', 'invoice\u202efdp.exe\u2069', 'invoice fdp.exe '],
    ['hides nothing', 'dele\u200bte \u{e0061}\u{e0062}all', 'dele te  all'],
    ['stays on its line', 'one\u2028two\u2029three', 'one two three'],
    ['is well formed', 'half \ud83d of one', 'half   of one'],
  ])('%s', (_what, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test('is cut between characters, and says so', () => {
    expect(printable('abcdef', 6)).toBe('abcdef');
    expect(printable('abcdef', 3)).toBe('abc…');
    expect(printable('ab👍d', 3)).toBe('ab…');
  });
});
