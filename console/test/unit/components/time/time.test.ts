import { expect, it } from 'vitest';
import { inWords } from '../../../../src/components/time/time.tsx';

const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });

it.each([
  [-59_400, -59, 'second'],
  [-59_600, -1, 'minute'],
  [-59_999, -1, 'minute'],
  [59_700, 1, 'minute'],
  [-89_000, -1, 'minute'],
  [-59.4 * 60_000, -59, 'minute'],
  [-59.6 * 60_000, -1, 'hour'],
  [-23.4 * 3_600_000, -23, 'hour'],
  [-23.6 * 3_600_000, -1, 'day'],
  [40 * 86_400_000, 40, 'day'],
] as const)('says %d ms as %d %s: what rounds to a whole larger unit is said in it', (span, value, unit) => {
  expect(inWords(span)).toBe(words.format(value, unit));
});
