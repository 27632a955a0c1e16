import { describe, expect, it } from 'vitest';
import { readCategories } from '../../../src/assembly/listing/read-categories.ts';
import type { JsonObject, JsonSchema } from '../../../src/operations/index.ts';
import { lintMappings } from '../../../src/topology/generic/lint-mappings.ts';

const ats = readCategories([]).find(({ category }) => category === 'ats');
const inputs = new Map<string, JsonSchema>([
  ['list_people', { type: 'object', properties: { size: {}, page: {} } }],
  ['get_person', { type: 'object', properties: { id: {} } }],
]);
const search = { operation: 'list_people', arguments: { size: '{{limit}}', page: '{{cursor}}' } };
const mappings = (changes: object = {}, way: object = {}) =>
  ({
    candidate: {
      fields: { id: '/id', name: '{/first} {/last}', emails: ['/emails/*/value', '/email'] },
      actions: { search: [{ ...search, ...way }] },
      ...changes,
    },
  }) as unknown as JsonObject;
const lint = (generic: JsonObject, category = ats) =>
  lintMappings(generic, inputs, category).map(({ pointer, message }) => `${pointer} ${message}`);

describe('mappings to generic tools', () => {
  it('that fit have nothing said against them', () => {
    expect(lint(mappings())).toEqual([]);
  });

  it.each([
    [
      'a record that the category has not',
      { person: mappings()['candidate'] },
      '#/generic/person Category ats has no record person',
    ],
    [
      'a field that the record has not',
      mappings({ fields: { id: '/id', nickname: '/nick' } }),
      '#/generic/candidate/fields/nickname candidate has no field nickname',
    ],
    [
      'a field without pointer',
      mappings({ fields: { id: 'id' } }),
      '#/generic/candidate/fields/id "id" is no JSON Pointer',
    ],
    [
      'an unknown operation',
      mappings({}, { operation: 'list_pepole' }),
      '#/generic/candidate/actions/search/0/operation The manifest has no operation list_pepole',
    ],
    [
      'an argument that the operation has not',
      mappings({}, { arguments: { per_page: '{{limit}}' } }),
      '#/generic/candidate/actions/search/0/arguments/per_page list_people has no argument per_page',
    ],
    [
      'an argument that the generic tool has not',
      mappings({}, { arguments: { size: '{{limmit}}' } }),
      '#/generic/candidate/actions/search/0 The generic tool has no argument limmit',
    ],
    [
      'a condition on one that it has not',
      mappings({}, { when: ['q'] }),
      'The generic tool has no argument q',
    ],
    [
      'reading another operation first',
      mappings({}, { keeps: { operation: 'read_person', arguments: {}, fields: {} } }),
      '#/generic/candidate/actions/search/0/keeps/operation The manifest has no operation read_person',
    ],
    ['another form', mappings({ colour: 'red' }), '#/generic/candidate'],
  ] as [string, JsonObject, string][])('%s is found', (_, generic, complaint) => {
    expect(lint(generic)[0]).toContain(complaint);
  });

  it('of a category that is not known are held against the provider only', () => {
    expect(lintMappings(mappings({}, { when: ['q'] }), inputs, undefined)).toEqual([]);
    expect(lintMappings(mappings({}, { operation: 'nothing' }), inputs, undefined)).toHaveLength(1);
  });
});
