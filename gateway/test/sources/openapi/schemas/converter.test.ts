import { describe, expect, it } from 'vitest';
import type { Diagnostic, JsonObject } from '../../../../src/operations/index.ts';
import { DiagnosticLog } from '../../../../src/sources/openapi/diagnostics.ts';
import { References } from '../../../../src/sources/openapi/read/references.ts';
import { SchemaConverter } from '../../../../src/sources/openapi/schemas/converter.ts';
import type { Direction } from '../../../../src/sources/openapi/schemas/hidden-properties.ts';

interface Converted {
  readonly schema: unknown;
  readonly definitions: JsonObject | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function convert(
  schema: unknown,
  schemas: object = {},
  direction: Direction = 'request',
  siblings = true,
): Converted {
  const log = new DiagnosticLog();
  const references = new References({ components: { schemas } }, new Map(), (reference) => reference);
  const converter = new SchemaConverter(references, log, direction, siblings);
  const converted = converter.convert(schema, '#/x');
  return {
    schema: converted.schema,
    definitions: converter.definitions(converted.uses),
    diagnostics: log.list(),
  };
}

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });
const local = (name: string): { $ref: string } => ({ $ref: `#/$defs/${name}` });

describe('keywords', () => {
  it.each<[string, object, object]>([
    ['a default of another type', { type: 'object', default: 1 }, { default: 1 }],
    ['an example of another type', { type: 'object', example: 'abc', properties: {} }, { properties: {} }],
    [
      'an empty schema and a default',
      { allOf: [ref('Object')], default: 1, minimum: 1 },
      { default: 1, minimum: 1 },
    ],
  ])('an object of no members with %s is none', (_what, schema, expected) => {
    const converted = convert(schema, { Object: { type: 'object', properties: {} } });
    expect(converted.schema).toEqual(expected);
    expect(converted.diagnostics).toMatchObject([{ code: 'type-stray', severity: 'warning' }]);
  });

  it('members that say themselves that they are required are', () => {
    const name = { type: 'string', required: true };
    const author = { type: 'object', properties: { name, age: { type: 'number', required: false } } };
    const schema = { type: 'object', required: ['author'], properties: { title: name, author } };
    const converted = convert(schema);
    expect(converted.schema).toMatchObject({
      required: ['author', 'title'],
      properties: { author: { required: ['name'], properties: { name: { type: 'string' } } } },
    });
    expect(JSON.stringify(converted.schema)).not.toContain('"required":true');
    expect(converted.diagnostics).toEqual([]);
  });

  it.each<object>([
    { type: 'object', default: {} },
    { type: 'object', example: '{ "a": 1 }' },
    { type: 'object', example: 'a', properties: { a: { type: 'string' } } },
    { type: 'object', example: 'a', additionalProperties: true },
    { type: 'object', default: null },
    { allOf: [ref('Full')], default: 1 },
  ])('an object is one: %j', (schema) => {
    const full = { type: 'object', properties: { a: { type: 'string' } } };
    const converted = convert(schema, { Full: full });
    expect(JSON.stringify(converted)).toContain('"object"');
    expect(converted.diagnostics).toEqual([]);
  });

  it('types by the names that programs give them, with what belongs to the type', () => {
    const properties = {
      on: { type: 'bool', default: 'false', nullable: true },
      level: { type: 'int', enum: ['1', 2] },
      odd: { type: 'thing' },
      big: { type: 'bigint' },
      born: { type: 'Date' },
      names: { type: 'Array', items: { type: 'String' } },
    };
    const { schema, diagnostics } = convert({ type: 'object', properties }, {}, 'request', false);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        on: { type: ['boolean', 'null'], default: false },
        level: { type: 'integer', enum: [1, 2] },
        odd: {},
        big: { type: 'integer' },
        born: { type: 'string' },
        names: { type: 'array', items: { type: 'string' } },
      },
    });
    expect(diagnostics).toMatchObject([
      { code: 'type-misnamed', message: 'There is no type bool; it is read as boolean.' },
      { code: 'type-misnamed', pointer: '#/x/properties/level/type' },
      { code: 'keyword-invalid', pointer: '#/x/properties/odd/type' },
      { code: 'type-misnamed', message: 'There is no type bigint; it is read as integer.' },
      { code: 'type-misnamed', message: 'There is no type Date; it is read as string.' },
      { code: 'type-misnamed', pointer: '#/x/properties/names/type' },
      { code: 'type-misnamed', pointer: '#/x/properties/names/items/type' },
    ]);
  });

  it.each<Direction>(['request', 'response'])('lists of lists of which nothing is said, %s', (direction) => {
    const unsaid = { type: 'array', items: { type: 'array' } };
    const { schema, diagnostics } = convert(unsaid, {}, direction, false);
    expect(schema).toEqual({ type: 'array', items: {} });
    expect(diagnostics).toMatchObject([{ code: 'items-unsaid', pointer: '#/x/items' }]);
    // JSON Schema, as of OpenAPI 3.1, means what it says
    expect(convert(unsaid, {}, direction).schema).toEqual({
      type: 'array',
      items: { type: 'array', items: {} },
    });
    for (const said of [{ items: {} }, { minItems: 2 }]) {
      const grid = { type: 'array', items: { type: 'array', ...said } };
      expect(convert(grid, {}, direction, false).schema).toMatchObject({ items: { type: 'array' } });
    }
  });

  it.each<[string, object, unknown]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['x-nullable', { type: 'integer', 'x-nullable': true }, { type: ['integer', 'null'] }],
    [
      'nullable enum',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'nullable beside a choice',
      { description: 'D', oneOf: [{ type: 'string' }], nullable: true },
      { description: 'D', anyOf: [{ oneOf: [{ type: 'string' }] }, { type: 'null' }] },
    ],
    ['type list with null', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      'exclusive limit of draft 4',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    ['exclusive limit that is off', { maximum: 3, exclusiveMaximum: false }, { maximum: 3 }],
    ['exclusive limit of 2020-12', { exclusiveMaximum: 3 }, { exclusiveMaximum: 3 }],
    ['array without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'items as a list',
      { type: 'array', items: [{ type: 'string' }, { type: 'null' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    ],
    ['items as a list of one', { items: [{ type: 'string' }] }, { items: { type: 'string' } }],
    [
      'prefixItems',
      { type: 'array', prefixItems: [{ type: 'string' }] },
      { type: 'array', prefixItems: [{ type: 'string' }] },
    ],
    [
      'file',
      { type: 'file' },
      { type: 'string', contentEncoding: 'base64', description: 'File content, base64' },
    ],
    [
      'enum of numbers for a string',
      { type: 'string', enum: [1, true, 1] },
      { type: 'string', enum: ['1', 'true'] },
    ],
    ['enum of text for an integer', { type: 'integer', enum: ['1', '2'] }, { type: 'integer', enum: [1, 2] }],
    [
      'enum of several types for a string',
      { type: 'string', enum: ['none', 1, 2, '1'] },
      { type: 'string', enum: ['none', '1', '2'] },
    ],
    [
      'enum of several types for one that may be null',
      { type: ['string', 'null'], enum: [1, null] },
      { type: ['string', 'null'], enum: ['1', null] },
    ],
    ['enum of text for a boolean', { type: 'boolean', enum: ['true'] }, { type: 'boolean', enum: [true] }],
    [
      'enum of a list that lists what its items may be',
      { type: 'array', items: { type: 'integer', minimum: 1 }, enum: ['1', '2'] },
      { type: 'array', items: { type: 'integer', minimum: 1, enum: [1, 2] } },
    ],
    ['the same without items', { type: 'array', enum: ['a'] }, { type: 'array', items: { enum: ['a'] } }],
    [
      'the same beside items that say it',
      { type: 'array', items: { enum: ['a'] }, enum: ['a', 'b'], nullable: true },
      { type: ['array', 'null'], items: { enum: ['a'] } },
    ],
    ['enum of lists', { type: 'array', enum: [['a']] }, { type: 'array', items: {}, enum: [['a']] }],
    ['default as text for an integer', { type: 'integer', default: '20' }, { type: 'integer', default: 20 }],
    [
      'default as text for a boolean',
      { type: 'boolean', default: 'false' },
      { type: 'boolean', default: false },
    ],
    ['default as a number for a string', { type: 'string', default: 0 }, { type: 'string', default: '0' }],
    ['default that is of no type', { type: 'integer', default: 'all' }, { type: 'integer', default: 'all' }],
    ['empty lists', { required: [], allOf: [], description: '' }, {}],
    [
      'allOf around one reference',
      { description: 'D', allOf: [ref('A')] },
      { ...local('A'), description: 'D' },
    ],
    [
      'parts of allOf that only describe',
      { allOf: [{ xml: { name: 'x' } }, ref('A'), { description: 'D', deprecated: true }] },
      { ...local('A'), description: 'D', deprecated: true },
    ],
    [
      'parts of allOf that describe otherwise',
      { description: 'D', allOf: [ref('A'), { description: 'E' }] },
      { description: 'D', allOf: [local('A'), { description: 'E' }] },
    ],
    [
      'allOf of descriptions alone',
      { type: 'string', allOf: [{ description: 'D' }, {}] },
      { type: 'string', description: 'D' },
    ],
    [
      'a part that says no',
      { allOf: [ref('A'), { description: 'D', maxLength: 3 }] },
      { allOf: [local('A'), { description: 'D', maxLength: 3 }] },
    ],
    ['title beside a description', { title: 'T', description: 'D' }, { description: 'D' }],
    [
      'HTML in a description',
      { description: '<p>One</p><p>two &lt;id&gt;</p>' },
      { description: 'One\ntwo <id>' },
    ],
    ['default and const', { default: null, const: { a: 1 } }, { default: null, const: { a: 1 } }],
  ])('%s', (_what, schema, expected) => {
    expect(convert(schema, { A: { type: 'string' } }).schema).toEqual(expected);
  });

  it('keeps what a text holds that is JSON', () => {
    const near = { type: 'string', contentMediaType: 'application/json', contentSchema: ref('Point') };
    const { schema, definitions, diagnostics } = convert(near, {
      Point: {
        type: 'object',
        required: ['lat'],
        properties: { lat: { type: 'number', 'x-unit': 'degree' } },
      },
    });
    expect(schema).toEqual({ ...near, contentSchema: local('Point') });
    expect(definitions).toEqual({
      Point: { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } },
    });
    expect(diagnostics).toEqual([]);
  });

  it('keeps conditions', () => {
    const conditions = JSON.parse('{"if":{"type":"string"},"then":{"minLength":1},"else":false}');
    expect(convert(conditions).schema).toEqual(conditions);
  });

  it('drops what only documents or identifies', () => {
    const noise = {
      type: 'string',
      example: 1,
      examples: [1],
      xml: {},
      discriminator: {},
      externalDocs: {},
      $id: 'x',
      id: 'x',
      $schema: 'x',
      $anchor: 'a',
      $comment: 'c',
      'x-other': 1,
      readOnly: false,
      unknown: 1,
    };
    expect(convert(noise)).toMatchObject({ schema: { type: 'string' }, diagnostics: [] });
  });

  it.each<[string, object]>([
    ['required', { required: true }],
    ['pattern', { pattern: '[' }],
    ['pattern', { pattern: '(?P<a>x)' }],
    ['type', { type: 'any' }],
    ['enum', { enum: [] }],
    ['minimum', { minimum: '1' }],
    ['minLength', { minLength: -1 }],
    ['multipleOf', { multipleOf: 0 }],
    ['properties', { properties: [] }],
    ['allOf', { allOf: {} }],
  ])('an invalid %s is left out and reported', (keyword, schema) => {
    const converted = convert(schema);
    expect(converted.schema).toEqual({});
    expect(converted.diagnostics).toMatchObject([{ code: 'keyword-invalid', pointer: `#/x/${keyword}` }]);
  });

  it.each([
    [{ a: {} }, ['a', 'gone'], ['a']],
    [{ a: {} }, ['gone'], undefined],
    [{}, ['gone'], undefined],
  ])(
    'a required property that a closed schema does not know is reported, not asked for',
    (properties, required, asked) => {
      const { schema, diagnostics } = convert({ properties, required, additionalProperties: false });
      expect((schema as JsonObject).required).toEqual(asked);
      expect(diagnostics).toMatchObject([{ code: 'keyword-invalid', pointer: '#/x/required' }]);
      expect(
        convert({ required, patternProperties: { g: {} }, additionalProperties: false }).schema,
      ).toMatchObject({
        required,
      });
    },
  );

  it('a type that no value of its enum has is left out and reported', () => {
    const { schema, diagnostics } = convert({ type: 'integer', enum: ['Undefined', 'Coast'] });
    expect(schema).toEqual({ enum: ['Undefined', 'Coast'] });
    expect(diagnostics).toMatchObject([{ code: 'keyword-invalid', pointer: '#/x/type' }]);
  });

  it.each(['default', 'const', 'enum'])('%s of data nested beyond measure is left out', (keyword) => {
    const deep = JSON.parse(`${'['.repeat(5_000)}null${']'.repeat(5_000)}`);
    const { schema, diagnostics } = convert({ [keyword]: deep, title: 'A' });
    expect(schema).toEqual({ title: 'A' });
    expect(diagnostics).toMatchObject([{ code: 'keyword-invalid' }]);
    expect(convert({ default: null }).schema).toEqual({ default: null });
  });

  it('a regular expression with its slashes is the pattern between them', () => {
    expect(convert({ pattern: '/^[a-z]\\/+$/' }).schema).toEqual({ pattern: '^[a-z]\\/+$' });
    expect(convert({ pattern: '/^[a-z]+$/g' }).schema).toEqual({ pattern: '^[a-z]+$' });
    expect(convert({ pattern: '/a/b/' }).schema).toEqual({ pattern: '/a/b/' });
  });

  it('one that ignores case cannot be said', () => {
    const { schema, diagnostics } = convert({ pattern: '/^[a-z]+$/i' });
    expect(schema).toEqual({});
    expect(diagnostics).toMatchObject([{ code: 'keyword-invalid' }]);
  });

  it.each(['\\A[a-z]\\z', '[\\p{Print}]*', '^[a-z]{1-20}$'])(
    '%s, which only other syntaxes know, is left out',
    (pattern) => {
      expect(convert({ pattern }).schema).toEqual({});
    },
  );

  it.each([
    ['^[a-z\\_]+\\-\\d$', '^[a-z_]+-\\d$'],
    ['^a\\:\\ \\@\\\\\\.[\\-\\^\\]\\#]$', '^a: @\\\\\\.[\\-\\^\\]#]$'],
    ['^[\\w-.]+[+-\\d][a-f]\\,$', '^[\\w\\-.]+[+\\-\\d][a-f],$'],
    ['^[-\\w][\\w-]$', '^[-\\w][\\w-]$'],
  ])('%s, with backslashes as most syntaxes take them, is %s', (pattern, expected) => {
    expect(convert({ pattern })).toMatchObject({ schema: { pattern: expected }, diagnostics: [] });
  });

  it.each([
    ['null', null],
    ['text', 'string'],
    ['a list', []],
  ])('%s in place of a schema accepts anything', (_what, broken) => {
    const { schema, diagnostics } = convert({ properties: { a: broken, b: { type: 'string' } } });
    expect(schema).toEqual({ properties: { a: {}, b: { type: 'string' } } });
    expect(diagnostics).toMatchObject([{ code: 'schema-invalid', pointer: '#/x/properties/a' }]);
  });

  it('refuses property names that could reach a prototype', () => {
    const { schema, diagnostics } = convert(
      JSON.parse('{"properties":{"__proto__":{"type":"string"},"a":{}},"required":["__proto__","a"]}'),
    );
    expect(schema).toEqual({ properties: { a: {} }, required: ['a'] });
    expect(diagnostics).toMatchObject([{ code: 'property-refused' }]);
  });
});

describe('direction', () => {
  const schema = {
    type: 'object',
    required: ['id', 'secret', 'name', 'ref'],
    properties: {
      id: { type: 'string', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string' },
      ref: ref('Stamp'),
    },
  };
  const schemas = { Stamp: { type: 'string', readOnly: true } };

  it('requests lose readOnly properties, with their requirement, and say what is only written', () => {
    expect(convert(schema, schemas).schema).toEqual({
      type: 'object',
      required: ['secret', 'name'],
      properties: { secret: { type: 'string', writeOnly: true }, name: { type: 'string' } },
    });
  });

  it('responses lose writeOnly properties', () => {
    expect(convert(schema, schemas, 'response').schema).toMatchObject({ required: ['id', 'name', 'ref'] });
  });

  it('a requirement beside allOf follows the parts', () => {
    const schemas = { Base: { properties: { id: { readOnly: true }, a: {} } } };
    expect(
      convert({ allOf: [ref('Base'), { properties: { b: {} } }], required: ['id', 'a', 'b'] }, schemas)
        .schema,
    ).toMatchObject({
      required: ['a', 'b'],
    });
  });
});

describe('references', () => {
  it('stay references, to definitions that hold only what is reached', () => {
    const schemas = { A: { properties: { b: ref('B') } }, B: { type: 'string' }, C: { type: 'integer' } };
    const { schema, definitions } = convert({ items: ref('A') }, schemas);
    expect(schema).toEqual({ items: local('A') });
    expect(definitions).toEqual({ A: { properties: { b: local('B') } }, B: { type: 'string' } });
  });

  it('keep recursion that consumes data', () => {
    const { definitions, diagnostics } = convert(ref('Tree'), {
      Tree: { properties: { children: { type: 'array', items: ref('Tree') } } },
    });
    expect(definitions).toEqual({
      Tree: { properties: { children: { type: 'array', items: local('Tree') } } },
    });
    expect(diagnostics).toEqual([]);
  });

  it.each<[string, object]>([
    ['itself', { A: ref('A') }],
    ['allOf', { A: { allOf: [ref('A'), { type: 'object' }] } }],
    ['two steps', { A: { anyOf: [ref('B')] }, B: { oneOf: [ref('A'), { type: 'string' }] } }],
    ['not', { A: { not: ref('A') } }],
  ])('are cut where they come back without consuming data: %s', (_what, schemas) => {
    const { diagnostics, definitions } = convert(ref('A'), schemas);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(['schema-loop']);
    expect(JSON.stringify((definitions as JsonObject).A)).not.toContain('#/$defs/A');
  });

  it('keep keywords beside them from 3.1 on, texts and null before', () => {
    const beside = { ...ref('A'), description: 'D', minLength: 2 };
    expect(convert(beside, { A: {} }).schema).toEqual({ ...local('A'), description: 'D', minLength: 2 });
    expect(convert(beside, { A: {} }, 'request', false).schema).toEqual({ ...local('A'), description: 'D' });
    expect(convert({ ...ref('A'), nullable: true }, { A: {} }, 'request', false).schema).toEqual({
      anyOf: [local('A'), { type: 'null' }],
    });
  });

  it('may use anchors, percent-encoding and names that need escaping', () => {
    const schemas = {
      'a b/c': { type: 'string' },
      'ü.[]': { type: 'integer' },
      N: { $anchor: 'node', type: 'boolean' },
    };
    expect(convert({ $ref: '#/components/schemas/a%20b~1c' }, schemas).definitions).toEqual({
      a_b_c: { type: 'string' },
    });
    expect(convert({ $ref: '#/components/schemas/ü.[]' }, schemas).definitions).toEqual({
      '_._': { type: 'integer' },
    });
    expect(convert({ $ref: '#node' }, schemas).definitions).toEqual({ node: { type: 'boolean' } });
    expect(convert({ $dynamicRef: '#node' }, schemas).definitions).toEqual({ node: { type: 'boolean' } });
  });

  it('give two schemas whose names become equal different definitions', () => {
    const schemas = { 'a b': { type: 'string' }, a$b: { type: 'integer' } };
    const { definitions } = convert({ anyOf: [ref('a b'), ref('a$b')] }, schemas);
    const names = Object.keys(definitions as JsonObject);
    expect(names).toHaveLength(2);
    expect(names[0]).toBe('a_b');
    expect(names[1]).toMatch(/^a_b_[0-9a-f]{6}$/);
  });

  it.each([
    '#/components/schemas/none',
    'other.yaml#/x',
    '#nowhere',
    '#/components/schemas/A/properties/none',
  ])('to %s, which is not there, accept anything', (broken) => {
    const { schema, diagnostics } = convert({ properties: { a: { $ref: broken } } }, { A: {} });
    expect(schema).toEqual({ properties: { a: {} } });
    expect(diagnostics).toMatchObject([{ code: 'reference-broken', pointer: '#/x/properties/a' }]);
  });
});

describe('size', () => {
  it('chains of thousands of definitions and nesting without end do not overflow', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`S${index}`, { allOf: [ref(`S${index + 1}`), {}] }]),
    );
    expect(Object.keys(convert(ref('S0'), schemas).definitions as JsonObject)).toHaveLength(20_000);
    let deep: object = { type: 'string' };
    for (let level = 0; level < 10_000; level++) deep = { items: deep };
    expect(convert(deep).diagnostics).toMatchObject([{ code: 'schema-too-deep' }]);
  });

  it('a schema is converted once and shared', () => {
    const log = new DiagnosticLog();
    const root = {
      components: { schemas: { A: { type: 'object', properties: { x: { type: 'string' } } } } },
    };
    const converter = new SchemaConverter(new References(root, new Map(), (r) => r), log, 'request', true);
    const first = converter.convert(ref('A'), '#/1');
    const second = converter.convert({ items: ref('A') }, '#/2');
    expect(converter.definitions(first.uses)).toBe(converter.definitions(second.uses));
  });
});

describe('additionalProperties in a whole of several parts', () => {
  const closed = { type: 'object', properties: { a: {} }, additionalProperties: false };
  const open = { type: 'object', properties: { a: {} } };

  it('beside its parts says nothing: it would refuse what they describe', () => {
    const { schema } = convert(
      { allOf: [ref('Base')], properties: { b: {} }, additionalProperties: false },
      { Base: open },
    );
    expect(schema).toEqual({ allOf: [local('Base')], properties: { b: {} } });
  });

  it.each([
    ['false', false],
    ['a schema', { type: 'object' }],
  ])('%s in a part says nothing of the whole', (_what, additionalProperties) => {
    const { schema } = convert({ allOf: [{ ...closed, additionalProperties }, { properties: { b: {} } }] });
    expect(schema).toEqual({ allOf: [open, { properties: { b: {} } }] });
  });

  it('of a schema by reference stays where that stands alone', () => {
    const { schema, definitions } = convert(
      {
        properties: {
          alone: ref('Base'),
          wrapped: { description: 'D', allOf: [ref('Base')] },
          whole: { allOf: [ref('Base'), { properties: { b: {} } }] },
        },
      },
      { Base: closed },
    );
    expect(schema).toEqual({
      properties: {
        alone: local('Base'),
        wrapped: { ...local('Base'), description: 'D' },
        whole: { allOf: [local('Base_part'), { properties: { b: {} } }] },
      },
    });
    expect(definitions).toEqual({ Base: closed, Base_part: open });
  });

  it('of parts of parts says nothing either', () => {
    const { definitions } = convert(
      { allOf: [ref('Middle')], properties: { c: {} } },
      { Middle: { allOf: [ref('Base'), closed], additionalProperties: false }, Base: closed },
    );
    expect(definitions).toEqual({ Middle: { allOf: [local('Base_part'), open] }, Base_part: open });
  });

  it.each([
    ['a part that only describes', { description: 'D', allOf: [ref('Base')] }],
    ['another name', ref('Base')],
  ])('behind %s, too', (_what, Middle) => {
    const { definitions } = convert(
      { allOf: [ref('Middle'), { properties: { c: {} } }] },
      { Middle, Base: closed },
    );
    expect(Object.keys(definitions ?? {})).toEqual(['Base_part', 'Middle_part']);
  });

  it('of a reference with properties beside it says nothing, since they count', () => {
    const whole = { ...ref('Base'), properties: { b: {} } };
    const { schema } = convert(whole, { Base: closed });
    expect(schema).toEqual({ ...local('Base_part'), properties: { b: {} } });
    expect(convert(whole, { Base: closed }, 'request', false).schema).toEqual(local('Base'));
  });

  it('stays where everything is said in one place, and below the parts', () => {
    const below = { allOf: [{ properties: { a: closed } }, { properties: { b: {} } }] };
    expect(convert(closed).schema).toEqual(closed);
    expect(convert(below).schema).toEqual(below);
  });
});
