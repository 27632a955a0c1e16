import { describe, expect, test } from 'vitest';
import { wantedEffect } from '../../src/retrieval/wanted-effect.ts';

describe('what a request wants done', () => {
  test.each([
    ['find books by title', 'reads'],
    ['which books are there', 'reads'],
    ['remove a book', 'changes'],
    ['how do I delete a book', 'changes'],
    ['find the book and delete it', undefined],
    ['book title', undefined],
    ['', undefined],
  ])('%s', (text, effect) => {
    expect(wantedEffect(text.split(' '))).toBe(effect);
  });
});
