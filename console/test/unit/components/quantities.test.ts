import { expect, it } from 'vitest';
import { duration } from '../../../src/components/quantities.ts';

it('a duration is rounded into the next unit, never to 60 s or 1000 ms', () => {
  expect([999.7, 59_960, 119_700, 250_000].map(duration)).toEqual([
    '1.0 s',
    '1 min 0 s',
    '2 min 0 s',
    '4 min 10 s',
  ]);
});
