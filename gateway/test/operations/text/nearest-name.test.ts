import { expect, it } from 'vitest';
import { closeToIt, nearestName, nearestNames } from '../../../src/operations/text/nearest-name.ts';

it.each([
  ['limt', ['offset', 'limit'], 'limit'],
  ['lmiit', ['limit', 'summit'], 'limit'],
  ['petId', ['pet_id', 'pet'], 'pet_id'],
  ['perPage', ['page', 'per_page'], 'per_page'],
  ['ids[]', ['page', 'tags_', 'ids_'], 'ids_'],
  ['$top', ['_stop', '_top'], '_top'],
  ['filter[name]', ['filter_name_'], 'filter_name_'],
  ['colour', ['size'], undefined],
  ['x'.repeat(100), ['x'.repeat(99)], undefined],
])('%s among %j means %s', (name, known, expected) => {
  expect(nearestName(name, known)).toBe(expected);
});

it.each([
  ['list_pets', ['pets_listPets', 'pets_getPet'], ['pets_listPets']],
  ['search', ['web_search', 'search_operations', 'fetch'], ['web_search', 'search_operations']],
  ['petsList', ['petsLists', 'pets_list', 'list-all-pets'], ['pets_list', 'petsLists', 'list-all-pets']],
  ['pets', ['a_pets', 'b_pets', 'c_pets', 'd_pets'], ['a_pets', 'b_pets', 'c_pets']],
  ['', ['pets'], []],
  ['list pets '.repeat(10), ['list_pets'], []],
])('%s among %j may mean %j', (name, known, expected) => {
  expect(nearestNames(name, known)).toEqual(expected);
});

it('what is close is told in a sentence, and nothing else', () => {
  expect(closeToIt('list_pets', ['pets_listPets'])).toBe(' Close to it: pets_listPets.');
  expect(closeToIt('list_pets', ['orders'])).toBe('');
});
