import { expect, it } from 'vitest';
import { queue } from '../../../src/operations/work/queue.ts';

it('begins the next work when the one before has ended, well or not', async () => {
  const inTurn = queue();
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inTurn(async () => {
    told.push('first begins');
    await gate.promise;
    throw new Error('no');
  });
  const second = inTurn(async () => {
    told.push('second begins');
    return 2;
  });
  await Promise.resolve();
  expect(told).toEqual(['first begins']);
  gate.resolve();
  await expect(first).rejects.toThrow('no');
  await expect(second).resolves.toBe(2);
  expect(told).toEqual(['first begins', 'second begins']);
});
