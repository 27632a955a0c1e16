import { expect, it } from 'vitest';
import { cleanJson } from '../../../src/results/untrusted/clean-json.ts';
import { processorTime } from '../../processor-time.ts';

it('numbers keys that only differed by what was hidden in them, beside those that have such a name already', () => {
  expect(cleanJson({ 'a\u200b': 1, 'a\u2060': 2, a_2: 3, 'a\u200b\u200b': 4, a: 5 })).toEqual({
    a_3: 1,
    a_4: 2,
    a_2: 3,
    a_5: 4,
    a: 5,
  });
});

it('reads 20,000 of them in good time, and loses none', async () => {
  const hidden = (index: number) =>
    index.toString(2).replace(/./g, (digit) => (digit === '0' ? '\u200b' : '\u2060'));
  const answer = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`a${hidden(index)}`, index]),
  );
  let clean: unknown;
  const time = await processorTime(() => {
    clean = cleanJson(answer);
  });
  expect(time).toBeLessThan(8000);
  expect(Object.values(clean as object)).toEqual(Object.values(answer));
});
