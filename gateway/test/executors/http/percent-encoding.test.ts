import { describe, expect, it } from 'vitest';
import { decodedFully } from '../../../src/executors/http/percent-encoding.ts';
import { processorTime } from '../../processor-time.ts';

describe('decoding until nothing is left', () => {
  it.each([
    ['a.b', 'a.b'],
    ['%2e', '.'],
    ['%252e', '.'],
    ['%25252e%2E', '..'],
    ['%2%355', '%5'],
    ['%%3235', '#5'],
    ['%%32e', '.'],
    ['%c3%a9', '%c3%a9'],
    ['100%', '100%'],
  ])('%s is %s', (text, decoded) => {
    expect(decodedFully(text)).toBe(decoded);
  });

  it('takes one pass, however deep the escapes are nested', async () => {
    const took = await processorTime(() => expect(decodedFully(`%${'25'.repeat(200_000)}2e`)).toBe('.'));
    expect(took).toBeLessThan(2000);
  });
});
