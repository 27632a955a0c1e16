import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokensFromAbove } from '../../../src/results/shaping/token-estimate.ts';

/** The same digits in every run. */
function digits(length: number, base: number): string {
  let seed = 20_261_121;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed % base).toString(base);
  }).join('');
}

const rows = Array.from({ length: 200 }, (_, id) => ({
  id,
  name: `osd.${id}`,
  host: `node-${id % 7}`,
  used_percent: (id * 17.77) % 100,
  created: new Date(1.7e12 + id * 1e6).toISOString(),
}));

describe('an estimate of tokens', () => {
  it.each([
    ['rows', JSON.stringify(rows)],
    ['hexadecimal', digits(8000, 16)],
    ['random letters', digits(8000, 36)],
    ['capitals', digits(8000, 36).toUpperCase()],
    ['escapes', '\\n\\t\\u0000'.repeat(300)],
    ['punctuation', '{}[]"",::'.repeat(500)],
    ['prose', 'The disks of this node are being checked in the background. '.repeat(50)],
    ['Chinese', '这是一个测试，服务器的状态不正常。'.repeat(100)],
  ])('is at least what a tokenizer counts, give or take a tenth: %s', (_what, text) => {
    expect(estimateTokensFromAbove(text)).toBeGreaterThan(countTokens(text) * 0.9);
    expect(estimateTokensFromAbove(text)).toBeLessThan(countTokens(text) * 2.5);
  });
});
