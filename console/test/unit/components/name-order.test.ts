import { expect, it } from 'vitest';
import { nameOrder } from '../../../src/components/name-order.ts';

it('numbers in names are numbers, and a small letter stands beside its capital', () => {
  expect(['user-10', 'Zoe', 'user-2', 'adam'].sort(nameOrder())).toEqual([
    'adam',
    'user-2',
    'user-10',
    'Zoe',
  ]);
});
