import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/operations/index.ts';
import { describeOne, jsonBody, jsonResponse, openapi, post } from '../describing.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const kind = { type: 'string' };
const Cat = object({ kind, hunting: kind }, { required: ['hunting'] });
const Dog = object({ kind, bark: kind }, { required: ['bark'] });
const either = [ref('Cat'), ref('Dog')];

/** What is said of the schema Pet. */
async function said(pet: JsonObject, schemas: object = {}, operation = jsonBody(ref('Pet'))) {
  const document = openapi(post(operation), { components: { schemas: { Cat, Dog, ...schemas, Pet: pet } } });
  const { operation: found } = await describeOne({ ...document, openapi: '3.2.0' });
  return ((found.input.$defs as JsonObject | undefined)?.Pet as JsonObject | undefined)?.description;
}

const propertyName = 'kind';

test.each<[what: string, pet: object, expected: string]>([
  ['names of components', { discriminator: { propertyName } }, 'kind is one of: Cat, Dog.'],
  [
    'a mapping to names and URIs',
    { discriminator: { propertyName, mapping: { kitty: 'Cat', hound: '#/components/schemas/Dog' } } },
    'kind is one of: kitty (Cat), hound (Dog).',
  ],
  [
    'a mapping of some, and a name',
    { discriminator: { propertyName, mapping: { kitty: 'Cat' } } },
    'kind is one of: kitty (Cat), Dog.',
  ],
  [
    'a mapping beside another text',
    { description: 'A pet', discriminator: { propertyName, mapping: { kitty: 'Cat' } } },
    'A pet. kind is one of: kitty (Cat), Dog.',
  ],
  [
    'a mapping to no address',
    { discriminator: { propertyName, mapping: { kitty: 'http://[' } } },
    'kind is one of: kitty, Cat, Dog.',
  ],
  [
    'what stands for all others',
    { discriminator: { propertyName, defaultMapping: 'Dog' } },
    'kind is one of: Cat.',
  ],
])('the values that select a branch are told: %s', async (_what, pet, expected) => {
  expect(await said({ oneOf: either, ...pet })).toBe(expected);
  expect(await said({ anyOf: either, ...pet })).toBe(expected);
});

test('they are told of a base that is extended', async () => {
  const Rex = { allOf: [ref('Pet'), object({ bark: kind })] };
  const discriminator = { propertyName, mapping: { dog: 'Rex' } };
  expect(await said(object({ kind }, { discriminator }), { Rex })).toBe('kind is one of: dog (Rex).');
});

test.each<[what: string, pet: JsonObject, schemas: object]>([
  [
    'the branches say them',
    { oneOf: either, discriminator: { propertyName } },
    { Cat: object({ kind: { const: 'Cat' } }), Dog: object({ kind: { enum: ['Dog'] } }) },
  ],
  ['there is no mapping and no reference', { oneOf: [Cat], discriminator: { propertyName } }, {}],
  ['the discriminator is none', { oneOf: either, discriminator: 'kind' }, {}],
  ['it has no property', { oneOf: either, discriminator: { propertyName: 3, mapping: { a: 'Cat' } } }, {}],
  ['its mapping is none', { oneOf: [Cat], discriminator: { propertyName, mapping: { a: 3, b: null } } }, {}],
])('nothing is told where %s', async (_what, pet, schemas) => {
  expect(await said(pet, schemas)).toBeUndefined();
});

test('answers are published without', async () => {
  const pet = { oneOf: either, discriminator: { propertyName } };
  const document = openapi(post(jsonResponse(ref('Pet'))), {
    components: { schemas: { Cat, Dog, Pet: pet } },
  });
  expect(JSON.stringify((await describeOne(document)).operation.output)).not.toContain('is one of');
});
