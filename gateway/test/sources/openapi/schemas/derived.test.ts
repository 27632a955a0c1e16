import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/operations/index.ts';
import { DiagnosticLog } from '../../../../src/sources/openapi/diagnostics.ts';
import { References } from '../../../../src/sources/openapi/read/references.ts';
import { SchemaConverter } from '../../../../src/sources/openapi/schemas/converter.ts';
import type { Direction } from '../../../../src/sources/openapi/schemas/hidden-properties.ts';

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });
const local = (name: string): { $ref: string } => ({ $ref: `#/$defs/${name}` });
const shape = (mapping: object): JsonObject => ({
  type: 'object',
  properties: { kind: { type: 'string' } },
  discriminator: { propertyName: 'kind', mapping } as JsonObject,
});
const extending = (...parts: object[]): object => ({
  type: 'object',
  allOf: parts,
  properties: { r: { type: 'number' } },
});
const SHAPES = {
  Shape: shape({ circle: '#/components/schemas/Circle', box: 'Box', gone: 'Gone', other: 'Other' }),
  Circle: extending(ref('Shape')),
  Square: extending(ref('Shape')),
  Box: extending(ref('Square')),
  Other: { type: 'object' },
};

function convert(schema: unknown, schemas: object = SHAPES, direction: Direction = 'request') {
  const log = new DiagnosticLog();
  const references = new References({ components: { schemas } }, new Map(), (reference) => reference);
  const converter = new SchemaConverter(references, log, direction, false);
  const converted = converter.convert(schema, '#/x');
  return {
    schema: converted.schema,
    definitions: converter.definitions(converted.uses) ?? {},
    diagnostics: log.list(),
  };
}

const ANY = [local('Circle'), local('Box'), local('Shape')];

it('a base is what its mapping names of those that extend it, or it alone', () => {
  const { schema, definitions, diagnostics } = convert({
    type: 'object',
    properties: { shape: ref('Shape') },
  });
  expect(schema).toMatchObject({ properties: { shape: { anyOf: ANY } } });
  expect(definitions).toMatchObject({
    Circle: { allOf: [local('Shape')], properties: { r: { type: 'number' } } },
    Shape: { properties: { kind: { type: 'string' } } },
  });
  expect(definitions).not.toHaveProperty('Other');
  expect(diagnostics).toEqual([]);
});

it.each<[string, object, object]>([
  ['a list of it', { type: 'array', items: ref('Shape') }, { items: { anyOf: ANY } }],
  ['a body', ref('Shape'), { anyOf: ANY }],
  [
    'it described and null',
    { type: 'object', properties: { a: { allOf: [ref('Shape')], nullable: true } } },
    { properties: { a: { anyOf: [{ allOf: [{ anyOf: ANY }] }, { type: 'null' }] } } },
  ],
])('so is %s', (_what, schema, expected) => {
  const converted = convert(schema);
  expect(converted.schema).toMatchObject(expected);
  expect(converted.diagnostics).toEqual([]);
});

it('an answer, a base whose choices are written out and one with too many stay as they are', () => {
  expect(convert(ref('Shape'), SHAPES, 'response').schema).toEqual(local('Shape'));
  const written = { ...SHAPES, Shape: { ...SHAPES.Shape, oneOf: [ref('Circle')] } };
  expect(convert(ref('Shape'), written).schema).toEqual(local('Shape'));
  const names = Array.from({ length: 17 }, (_, index) => `S${index}`);
  const many = Object.fromEntries(names.map((name) => [name, extending(ref('Shape'))]));
  const mapping = Object.fromEntries(names.map((name) => [name, name]));
  expect(convert(ref('Shape'), { ...many, Shape: shape(mapping) }).schema).toEqual(local('Shape'));
});

it('another name of a base that its kinds extend makes no circle', () => {
  const schemas = { ...SHAPES, Alias: ref('Shape'), Circle: extending(ref('Alias')) };
  const { definitions, diagnostics } = convert({ type: 'array', items: ref('Shape') }, schemas);
  expect(definitions).toMatchObject({ Alias: local('Shape'), Circle: { allOf: [local('Alias')] } });
  expect(diagnostics).toEqual([]);
});

it('a kind that holds one of them refers to them by name', () => {
  const schemas = { ...SHAPES, Circle: { ...extending(ref('Shape')), properties: { inner: ref('Shape') } } };
  const { definitions } = convert(ref('Shape'), schemas);
  expect(definitions).toMatchObject({ Circle: { properties: { inner: { anyOf: ANY } } } });
});
