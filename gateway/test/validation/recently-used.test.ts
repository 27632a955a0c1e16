import { expect, it } from 'vitest';
import { RecentlyUsed } from '../../src/validation/recently-used.ts';

it('forgets what was used longest ago', () => {
  const kept = new RecentlyUsed<object, string>(2);
  const [a, b, c] = [{}, {}, {}];
  kept.set(a, 'a');
  kept.set(b, 'b');
  kept.get(a);
  kept.set(c, 'c');
  expect([a, b, c].map((key) => kept.get(key))).toEqual(['a', undefined, 'c']);
});

it('replaces a value without counting its key twice', () => {
  const kept = new RecentlyUsed<object, number>(2);
  const [a, b] = [{}, {}];
  kept.set(a, 1);
  kept.set(a, 2);
  kept.set(b, 3);
  expect([kept.get(a), kept.get(b)]).toEqual([2, 3]);
});
