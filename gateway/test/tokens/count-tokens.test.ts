import { expect, it } from 'vitest';
import { createTokenCounter, inPieces } from '../../src/tokens/count-tokens.ts';

it('counts like o200k', () => {
  const count = createTokenCounter();
  expect(count('')).toBe(0);
  expect(count('hello world')).toBe(2);
  expect(count('<|endoftext|>')).toBeGreaterThan(1);
});

it('counts a long text as if it were counted whole', () => {
  const count = createTokenCounter();
  const sentence = ' Lists the tickets of a project, newest first.';
  expect(count(sentence.repeat(400))).toBe(400 * count(sentence));
});

it('gives the tokenizer pieces of bounded length that make up the text, surrogate pairs whole', () => {
  const texts = ['x'.repeat(9000), `${'word '.repeat(2000)}`, '😀'.repeat(3000), `a${'😀'.repeat(3000)}`];
  for (const text of texts) {
    const pieces: string[] = [];
    inPieces((piece) => pieces.push(piece))(text);
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2000);
    expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
  }
});
