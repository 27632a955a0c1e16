import { expect, it } from 'vitest';
import { lazily } from '../../src/assembly/lazily.ts';

it('makes once for all who ask, and again only what could not be made', async () => {
  let made = 0;
  const get = lazily(async () => {
    made++;
    if (made === 1) throw new Error('not yet');
    return made;
  });
  expect(get.made).toBeUndefined();
  const failing = [get(), get()];
  for (const one of failing) await expect(one).rejects.toThrow('not yet');
  expect(get.made).toBeUndefined();
  expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  expect(await get.made).toBe(2);
  expect(made).toBe(2);
});
