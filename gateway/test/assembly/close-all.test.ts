import { expect, it } from 'vitest';
import { closeAll } from '../../src/assembly/close-all.ts';

it('closes one after the other, and what fails keeps nothing open', async () => {
  const closed: string[] = [];
  const step = (name: string, error?: Error) => async () => {
    await new Promise((resolve) => setImmediate(resolve));
    closed.push(name);
    if (error !== undefined) throw error;
  };
  const first = new Error('first');
  const closing = closeAll([
    step('a'),
    step('b', first),
    () => {
      throw new Error('second');
    },
    step('c'),
  ]);
  await expect(closing).rejects.toBe(first);
  expect(closed).toEqual(['a', 'b', 'c']);
});
