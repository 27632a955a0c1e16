import { describe, expect, it } from 'vitest';
import { trimText } from '../../src/compiler/descriptions.ts';

describe('descriptions within a budget', () => {
  it('stay as they are when they fit', () => {
    expect(trimText('Short.', 100)).toBe('Short.');
  });

  it('lose layout first', () => {
    expect(trimText('  One.\n\n\n\nTwo   words. \n', 100)).toBe('One.\n\nTwo words.');
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
