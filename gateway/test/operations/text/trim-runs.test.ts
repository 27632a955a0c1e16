import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trimEndOf, trimEndsOf, trimLineEnds } from '../../../src/operations/text/trim-runs.ts';

const texts = fc.string({ unit: fc.constantFrom('/', '_', '-', 'a', ' ', '\t', '\n') });

test('trimming is what the plain patterns say', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(trimEndOf(text, '/')).toBe(text.replace(/\/+$/, ''));
      expect(trimEndOf(text, '_-')).toBe(text.replace(/[_-]+$/, ''));
      expect(trimEndsOf(text, '_')).toBe(text.replace(/^_+|_+$/g, ''));
      expect(trimLineEnds(text)).toBe(text.replace(/[ \t]+$/gm, ''));
    }),
  );
});
