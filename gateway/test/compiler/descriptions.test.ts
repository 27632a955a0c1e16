import { describe, expect, it } from 'vitest';
import { trimText } from '../../src/compiler/descriptions.ts';

describe('descriptions within a budget', () => {
  it('stay as they are when they fit', () => {
    expect(trimText('Short.', 100)).toBe('Short.');
  });

  it('lose layout first', () => {
    expect(trimText('  One.\n\n\n\nTwo   words. \n', 100)).toBe('One.\n\nTwo words.');
  });

  it('lose the indentation that all lines share, and keep what one has beyond it', () => {
    const text = '\n    Searches.\n\n    Use it:\n      - for files\n      - for text\n    ';
    expect(trimText(text, 100)).toBe('Searches.\n\nUse it:\n  - for files\n  - for text');
    expect(trimText('Searches.\n\tFiles\n\t\tof text\n', 100)).toBe('Searches.\nFiles\n\tof text');
    expect(trimText('List:\n- one\n    - two ', 100)).toBe('List:\n- one\n    - two');
    expect(trimText('List:\n- one\n    - two ', 20)).toBe('List:\n- one\n- two');
  });

  it.each([
    [
      'a paragraph',
      `${'First part. '.repeat(6)}\n\n${'Second part. '.repeat(6)}`,
      100,
      /^(First part\. ?){6} …$/,
    ],
    [
      'a sentence',
      'Sentence number one is here. Sentence number two is here. And a third one that is cut',
      70,
      /two is here\. …$/,
    ],
    ['a word', 'word '.repeat(40), 52, /word …$/],
  ])('end where %s ends', (_what, text, budget, expected) => {
    const trimmed = trimText(text, budget);
    expect(trimmed.length).toBeLessThanOrEqual(budget);
    expect(trimmed).toMatch(expected);
  });

  it('never split a surrogate pair', () => {
    expect(trimText('😀'.repeat(50), 31).isWellFormed()).toBe(true);
  });
});
