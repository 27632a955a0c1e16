import { expect, it } from 'vitest';
import { answerLines, argumentLines } from '../../../src/cli/call/argument-lines.ts';
import type { JsonSchema } from '../../../src/operations/index.ts';

const lines = (properties: JsonSchema, more: JsonSchema = {}) =>
  argumentLines({ type: 'object', properties, ...more });

it('says what an argument may be, and its description below', () => {
  expect(
    lines(
      {
        id: { type: 'string', format: 'uuid' },
        count: {
          type: ['integer', 'null'],
          minimum: 1,
          maximum: 9,
          default: 3,
          description: 'How many.\nAt most.',
        },
        kind: { enum: ['a', '', 'b'] },
        any: {},
      },
      { required: ['id'] },
    ),
  ).toEqual([
    'id (required): string, uuid',
    'count: integer or null, ≥ 1, ≤ 9, default 3',
    '    How many.',
    '    At most.',
    'kind: string, one of a, "", b',
    'any: any',
  ]);
  expect(lines({})).toEqual(['none']);
});

it('says what is meant where no type is named', () => {
  expect(
    lines({ at: { properties: { x: { type: 'integer' } } }, names: { items: { type: 'string' } } }),
  ).toEqual(['at: object', '    x: integer', 'names: array of string']);
});

it('says limits that are no value themselves, and null by the type alone', () => {
  expect(
    lines({
      limit: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 },
      artist: { type: ['string', 'null'], enum: ['A', 'B', null] },
      none: { enum: [null] },
    }),
  ).toEqual(['limit: integer, > 0, < 9', 'artist: string or null, one of A, B', 'none: null, one of null']);
});

it('says a member once that a schema and its parts describe', () => {
  const base = { properties: { kind: { type: 'string' }, id: { type: 'string' } } };
  const circle = { type: 'object', properties: { kind: { const: 'circle' } }, allOf: [base] };
  expect(lines({ circle })).toEqual(['circle: object', '    kind: string, one of circle', '    id: string']);
});

it('names the values that alternatives list', () => {
  const on = { type: 'string', enum: ['on', 'always'] };
  expect(
    lines(
      {
        mode: { oneOf: [on, { const: 'off' }, { type: 'null' }] },
        level: { anyOf: [{ $ref: '#/$defs/Level' }, { type: 'integer' }] },
        days: { type: 'array', items: { anyOf: [on, { const: 7 }] } },
      },
      { $defs: { Level: { enum: ['low', 'high'] } } },
    ),
  ).toEqual([
    'mode: string or null, one of on, always, off',
    'level: string or integer, such as low, high',
    'days: array of string or number, each one of on, always, 7',
  ]);
});

it('says what each element of a list may be', () => {
  expect(
    lines(
      {
        breeds: { type: 'array', items: { $ref: '#/$defs/Breed' }, default: ['persian'] },
        days: { type: 'array', items: { type: 'string', format: 'date' } },
        grid: { type: 'array', items: { type: 'array', items: { type: 'integer', minimum: 0 } } },
        owners: { type: 'array', items: { type: 'object', properties: {} } },
      },
      { $defs: { Breed: { type: 'string', enum: ['persian', 'siamese'] } } },
    ),
  ).toEqual([
    'breeds: array of string, default ["persian"], each one of persian, siamese',
    'days: array of string, each date',
    'grid: array of array',
    'owners: array of object',
  ]);
});

it('spells out the members of objects, of what a list holds and of what is put together', () => {
  expect(
    lines(
      {
        owner: {
          type: 'object',
          description: 'Who.',
          required: ['name'],
          properties: { name: { type: 'string' } },
        },
        tags: { type: 'array', items: { $ref: '#/$defs/Tag' } },
        names: { type: 'array', items: { type: 'string' } },
        both: { allOf: [{ $ref: '#/$defs/Tag' }, { properties: { at: { type: 'number' } } }] },
      },
      { $defs: { Tag: { type: 'object', properties: { id: { type: 'integer' } } } } },
    ),
  ).toEqual([
    'owner: object',
    '    Who.',
    '    name (required): string',
    'tags: array of object',
    '    id: integer',
    'names: array of string',
    'both: object',
    '    id: integer',
    '    at: number',
  ]);
});

it('tells alternatives apart, where they have members', () => {
  const point = { type: 'object', properties: { x: { type: 'number' } } };
  const place = { type: 'object', properties: { href: { type: 'string' } } };
  expect(lines({ to: { oneOf: [point, place] }, at: { anyOf: [point, { type: 'null' }] } })).toEqual([
    'to: object',
    '    either',
    '        x: number',
    '    or',
    '        href: string',
    'at: object or null',
    '    x: number',
  ]);
});

it('spells out what a text holds that is JSON', () => {
  const held = { type: 'object', required: ['at'], properties: { at: { type: 'integer' } } };
  const text = { type: 'string', contentMediaType: 'application/json' };
  expect(lines({ where: { ...text, contentSchema: held }, any: text })).toEqual([
    'where: string of JSON',
    '    at (required): integer',
    'any: string of JSON',
  ]);
});

it('ends where a schema holds itself', () => {
  const node = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } } };
  expect(lines({ head: { $ref: '#/$defs/Node' } }, { $defs: { Node: node } })).toEqual([
    'head: object',
    '    name: string',
    '    next: object',
  ]);
});

it('says which of the alternatives are lists', () => {
  const row = { type: 'object', properties: { id: { type: 'integer' } } };
  const rows = { type: 'array', items: row };
  const words = { type: 'array', items: { type: 'string' } };
  expect(lines({ body: { oneOf: [rows, row] }, one: { anyOf: [words, row, { type: 'null' }] } })).toEqual([
    'body: array of object or object',
    '    either array of object',
    '        id: integer',
    '    or object',
    '        id: integer',
    'one: array of string or object or null',
    '    id: integer',
  ]);
});

it('spells out six levels', () => {
  let schema: JsonSchema = { type: 'string' };
  for (let level = 9; level > 0; level -= 1)
    schema = { type: 'object', properties: { [`m${level}`]: schema } };
  expect(lines({ m0: schema }).map((line) => line.trim())).toEqual(
    ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6'].map((name) => `${name}: object`),
  );
});

it('says what comes back, also where it is one of several', () => {
  const pet = {
    type: 'object',
    properties: { name: { type: ['string', 'null'], description: 'As called.' } },
  };
  expect(
    answerLines({
      type: 'object',
      properties: { result: { type: 'array', items: { $ref: '#/$defs/Pet' } } },
      $defs: { Pet: pet },
    }),
  ).toEqual(['result: array of object', '    name: string', '        As called.']);
  expect(
    answerLines({ anyOf: [pet, { type: 'object', properties: { code: { type: 'integer' } } }] }),
  ).toEqual(['either', '    name: string', '        As called.', 'or', '    code: integer']);
  expect(answerLines({ type: 'object' })).toEqual(['any']);
});
