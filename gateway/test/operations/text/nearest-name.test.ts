import { expect, it } from 'vitest';
import { nearestName } from '../../../src/operations/text/nearest-name.ts';

it.each([
  ['limt', ['offset', 'limit'], 'limit'],
  ['lmiit', ['limit', 'summit'], 'limit'],
  ['petId', ['pet_id', 'pet'], 'pet_id'],
  ['perPage', ['page', 'per_page'], 'per_page'],
  ['colour', ['size'], undefined],
  ['x'.repeat(100), ['x'.repeat(99)], undefined],
])('%s among %j means %s', (name, known, expected) => {
  expect(nearestName(name, known)).toBe(expected);
});
