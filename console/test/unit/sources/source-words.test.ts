import { describe, expect, it } from 'vitest';
import { lacksTitle, lacksWord } from '../../../src/pages/sources/source-words.ts';

describe('calls that lack a credential', () => {
  const lacks = (calls: number, of: number) => ({ calls, of, message: '', next: '' });

  it.each([
    [3, 3, 3, 'credential missing', 'Every call would fail'],
    [20, 20, 358, 'credential missing', 'Calls would fail: all 20 operations that were looked at'],
    [2, 20, 358, 'credential missing for some calls', 'Some calls would fail'],
  ])('%i of %i, of %i operations', (calls, of, operations, word, title) => {
    expect(lacksWord(lacks(calls, of))).toBe(word);
    expect(lacksTitle(lacks(calls, of), operations)).toBe(title);
  });
});
