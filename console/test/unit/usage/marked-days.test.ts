import { describe, expect, it } from 'vitest';
import { DAY, markedDays } from '../../../src/pages/usage/marked-days.ts';

const days = Array.from({ length: 30 }, (_, day) => day * DAY);
const marked = (every: number, of = days) => markedDays(of, every * DAY).map((day) => day / DAY);

describe('days of a chart that are named', () => {
  it('have the last one among them, whatever lies between', () => {
    expect(marked(7)).toEqual([1, 8, 15, 22, 29]);
    expect(marked(14)).toEqual([1, 15, 29]);
    expect(marked(84)).toEqual([29]);
    expect(marked(1, days.slice(0, 3))).toEqual([0, 1, 2]);
  });

  it('are none where there is no day', () => {
    expect(marked(7, [])).toEqual([]);
  });
});
