import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/operations/index.ts';
import { createValidator, lintAndCompile } from '../../src/validation/validator.ts';

const validator = createValidator();

function problems(schema: JsonObject, value: unknown): string[] {
  const outcome = validator.validate(schema, value);
  return outcome.valid ? [] : outcome.errors.map(({ pointer, message }) => `${pointer} ${message}`);
}

/** One property `a`, for rules that need no more. */
const withA = (a: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { a },
  ...rest,
});

describe('a valid value', () => {
  it.each<[string, JsonObject, unknown]>([
    ['an integer written as a float', withA({ type: 'integer' }), { a: 1.0 }],
    ['a multiple beyond binary fractions', withA({ multipleOf: 0.01 }), { a: 0.07 }],
    ['characters counted as a reader counts them', withA({ maxLength: 1 }), { a: '😀' }],
    ['a format that is not checked', withA({ type: 'string', format: 'date' }), { a: 'tomorrow' }],
    ['an enum value with other key order', withA({ enum: [{ x: 1, y: [2] }] }), { a: { y: [2], x: 1 } }],
    ['recursion', withA({ $ref: '#' }, { additionalProperties: false }), { a: { a: {} } }],
    ['properties evaluated elsewhere', { allOf: [withA({})], unevaluatedProperties: false }, { a: 1 }],
    ['a property that every object inherits, absent', { properties: { valueOf: { type: 'string' } } }, {}],
    ['different items, of all kinds', withA({ uniqueItems: true }), { a: [1, '1', null, [1], { a: 1 }, {}] }],
    ['equal items where they may be', withA({ uniqueItems: false }), { a: [1, 1] }],
    ['null as one of several', withA({ enum: [null, 'x'] }), { a: null }],
  ])('%s', (_what, schema, value) => {
    expect(problems(schema, value)).toEqual([]);
  });
});

describe('what a model is told', () => {
  const city = { type: 'object', properties: { city: { type: 'string' }, limit: { type: 'integer' } } };
  it.each<[string, JsonObject, unknown, string[]]>([
    [
      'a missing argument',
      { ...city, required: ['city'] },
      {},
      ['/city argument "city" is required: string'],
    ],
    [
      'a missing member, where an argument has the name that it would be told by',
      {
        type: 'object',
        properties: {
          'book.name': { type: 'string' },
          book: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      },
      { 'book.name': 'b1', book: {} },
      ['/book/name argument "book[name]" is required: string'],
    ],
    [
      'a mistyped name',
      { ...city, additionalProperties: false },
      { Limt: 1 },
      ['/Limt argument "Limt" is not known: did you mean "limit"?'],
    ],
    [
      'an unknown name',
      { ...city, additionalProperties: false },
      { zip: 1 },
      ['/zip argument "zip" is not known: there are city, limit'],
    ],
    [
      'a name that stands further inside',
      {
        type: 'object',
        properties: { body: { $ref: '#/$defs/server' }, id: { type: 'integer' } },
        $defs: { server: { type: 'object', properties: { name: { type: 'string' } } } },
        additionalProperties: false,
      },
      { name: 'web' },
      ['/name argument "name" is not known: it belongs in "body"'],
    ],
    [
      'a name that stands in one form of another',
      {
        type: 'object',
        properties: {
          meta: { type: 'string' },
          body: { oneOf: [{ type: 'array' }, { $ref: '#/$defs/server' }] },
        },
        $defs: { server: { type: 'object', properties: { name: { type: 'string' } } } },
        additionalProperties: false,
      },
      { name: 'web' },
      ['/name argument "name" is not known: it belongs in "body"'],
    ],
    [
      'a name that stands in a part of another',
      {
        type: 'object',
        properties: {
          id: { type: 'string' },
          body: {
            allOf: [{ $ref: '#/$defs/server' }],
            anyOf: [{ required: ['name'] }, { required: ['id'] }],
          },
        },
        $defs: { server: { allOf: [{ type: 'object' }, { properties: { name: { type: 'string' } } }] } },
        additionalProperties: false,
      },
      { name: 'web' },
      ['/name argument "name" is not known: it belongs in "body"'],
    ],
    [
      'what an argument of any form may take',
      withA({ description: 'Settings.' }, { required: ['a'], additionalProperties: false }),
      { name: 'web' },
      ['/a argument "a" is required: any value', '/name argument "name" is not known: it may belong in "a"'],
    ],
    [
      'an unknown name beside one of any form that is given',
      withA({}, { additionalProperties: false }),
      { a: 1, name: 'web' },
      ['/name argument "name" is not known: there is only a'],
    ],
    [
      'what is given further inside than it stands',
      { ...city, additionalProperties: false },
      { body: { city: 'Rome', other: 1 } },
      ['/body argument "body" is not known: its members are given directly, beside the others'],
    ],
    [
      'what belongs in an open body, though a member of it is called as an argument that is given',
      {
        type: 'object',
        properties: { name: { type: 'string' }, body: { type: 'object', properties: {} } },
        required: ['name', 'body'],
        additionalProperties: false,
      },
      { name: 'items', fields: { name: 'new' } },
      [
        '/body argument "body" is required: object',
        '/fields argument "fields" is not known: it may belong in "body", or be "body" itself',
      ],
    ],
    [
      'no coercion of numbers',
      city,
      { limit: '10' },
      ['/limit argument "limit" must be integer, not string "10"'],
    ],
    [
      'no coercion of booleans',
      withA({ type: 'boolean' }),
      { a: 'true' },
      ['/a argument "a" must be boolean, not string "true"'],
    ],
    ['a range', withA({ maximum: 100 }), { a: 101 }, ['/a argument "a" must be at most 100, not number 101']],
    [
      'a length',
      withA({ minLength: 2 }),
      { a: 'x' },
      ['/a argument "a" must have at least 2 characters, not 1'],
    ],
    [
      'a choice',
      withA({ enum: ['c', 'f'] }),
      { a: 'k' },
      ['/a argument "a" must be one of "c", "f", not string "k"'],
    ],
    [
      'a choice of many, with the one that was meant',
      withA({ enum: ['list', 'get', 'create', 'update', 'delete', 'lock'] }),
      { a: 'crate' },
      [
        '/a argument "a" must be one of "list", "get", "create", "update", "delete", "lock", not string "crate": did you mean "create"?',
      ],
    ],
    [
      'a missing argument that may have several types',
      {
        type: 'object',
        properties: { a: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
        required: ['a'],
      },
      {},
      ['/a argument "a" is required: string or integer'],
    ],
    ['a constant', withA({ const: 'x' }), { a: null }, ['/a argument "a" must be "x", not null']],
    [
      'a pattern',
      withA({ pattern: '^x' }),
      { a: 'y' },
      ['/a argument "a" must match the pattern "^x", not string "y"'],
    ],
    [
      'equal items',
      withA({ uniqueItems: true }),
      { a: [{ b: 1 }, { b: 1 }] },
      ['/a argument "a" must not hold the same item twice'],
    ],
    [
      'equal texts',
      withA({ uniqueItems: true }),
      { a: ['b', 'c', 'b'] },
      ['/a argument "a" must not hold the same item twice'],
    ],
    [
      'a constant that is a list',
      withA({ const: [1] }),
      { a: [2] },
      ['/a argument "a" must be [1], not an array of 1 item'],
    ],
    [
      'what no keyword has looked at',
      { ...city, unevaluatedProperties: false },
      { limt: 1 },
      ['/limt argument "limt" is not known: did you mean "limit"?'],
    ],
    [
      'what nothing may be called',
      { additionalProperties: false },
      { a: 1 },
      ['/a argument "a" is not known: none is expected there'],
    ],
    [
      'a name that names may not be',
      withA({ propertyNames: { maxLength: 1 } }),
      { a: { bc: 1 } },
      ['/a argument "a" must not have the name "bc": a name must have at most 1 characters'],
    ],
    [
      'a name that is none of those there are',
      withA({ propertyNames: { enum: ['b', 'c'], type: 'string' }, additionalProperties: {} }),
      { a: { $or: 1, b: 2 } },
      ['/a argument "a" must not have the name "$or": there are "b", "c"'],
    ],
    [
      'what is not allowed at all',
      { properties: { a: false } },
      { a: 1 },
      ['/a argument "a" is not allowed'],
    ],
    [
      'items that are missing among others',
      withA({ contains: { type: 'integer' }, minContains: 2 }),
      { a: [1] },
      ['/a argument "a" must hold at least 2 item of the kind described, not an array of 1 item'],
    ],
    [
      'too few items',
      withA({ minItems: 2 }),
      { a: [1] },
      ['/a argument "a" must have at least 2 items, not 1'],
    ],
    [
      'too many properties',
      withA({ maxProperties: 1 }),
      { a: { b: 1, c: 2 } },
      ['/a argument "a" must have at most 1 properties, not 2'],
    ],
    [
      'a whole number where a number is one of the forms, and too large',
      withA({ anyOf: [{ type: 'number', maximum: 4 }, { type: 'string' }] }),
      { a: 5 },
      ['/a argument "a" must be at most 4, not number 5'],
    ],
    [
      'forms that are both meant',
      withA({
        anyOf: [
          { type: 'string', maxLength: 1 },
          { type: 'string', pattern: '^x' },
        ],
      }),
      { a: 'yz' },
      ['/a argument "a" must be string; it is string "yz"'],
    ],
    [
      'a place deep inside',
      withA({ items: { properties: { 'b/c': { type: 'null' } } } }),
      { a: [{}, { 'b/c': 1 }] },
      ['/a/1/b~1c argument "a[1].b/c" must be null, not number 1'],
    ],
    ...(['oneOf', 'anyOf'] as const).map((union): [string, JsonObject, unknown, string[]] => [
      `in ${union}, the branch whose properties are there`,
      withA({
        [union]: [
          { type: 'object', properties: { href: { pattern: '^/' } }, required: ['href'] },
          { type: 'object', properties: { at: { type: 'array' } }, required: ['at'] },
        ],
      }),
      { a: { href: 'x' } },
      ['/a/href argument "a.href" must match the pattern "^/", not string "x"'],
    ]),
    [
      'the branch that a value of it names, behind a reference',
      {
        properties: { a: { items: { anyOf: [{ $ref: '#/$defs/text' }, { $ref: '#/$defs/file' }] } } },
        $defs: {
          text: { properties: { kind: { const: 'text' }, text: { type: 'string' } } },
          file: { properties: { kind: { enum: ['file'] }, url: { $ref: '#/$defs/url' } } },
          url: { type: 'string' },
        },
      },
      { a: [{ kind: 'file', url: 7 }] },
      ['/a/0/url argument "a[0].url" must be string, not number 7'],
    ],
    [
      'the branch that knows all names',
      withA({
        anyOf: [
          { properties: { x: { type: 'integer' } }, additionalProperties: false },
          { properties: { y: { minimum: 3 } }, additionalProperties: false },
        ],
      }),
      { a: { y: 1 } },
      ['/a/y argument "a.y" must be at least 3, not number 1'],
    ],
    [
      'the union where several are left',
      withA({
        anyOf: [
          { type: 'object', properties: { x: { minimum: 3 } } },
          { type: 'object', properties: { x: { type: 'string' } } },
        ],
      }),
      { a: { x: 1 } },
      ['/a argument "a" must be object; it is an object with x'],
    ],
    [
      'the union where none is left',
      withA({
        anyOf: [
          { type: 'object', required: ['x'], properties: { z: { type: 'string' } } },
          { type: 'object', required: ['y'] },
        ],
      }),
      { a: { z: 1 } },
      ['/a argument "a" must be object with x, or object with y; it is an object with z'],
    ],
    ...(
      [
        [
          'no form',
          { kind: 'cow' },
          '/a/kind argument "a.kind" must be one of "cat", "dog", not string "cow"',
        ],
        ['no text', { kind: 7 }, '/a/kind argument "a.kind" must be one of "cat", "dog", not number 7'],
        ['nothing', { lives: 9 }, '/a/kind argument "a.kind" is required: one of "cat", "dog"'],
      ] as const
    ).map(([what, a, problem]): [string, JsonObject, unknown, string[]] => [
      `a member that tells forms apart, and names ${what}`,
      withA(
        { anyOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }, { type: 'null' }] },
        {
          $defs: {
            Cat: {
              type: 'object',
              properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
              required: ['kind'],
            },
            // as documents write what extends a common base
            Dog: {
              type: 'object',
              allOf: [{ $ref: '#/$defs/Named' }, { properties: { name: { type: 'string' } } }],
            },
            Named: { type: 'object', properties: { kind: { enum: ['dog'] } }, required: ['kind'] },
          },
        },
      ),
      { a },
      [problem],
    ]),
    ...(
      [
        ['lacks a member', { kind: 'dog' }, ['/a/name argument "a.name" is required: string or null']],
        [
          'lacks one, with one of another form',
          { kind: 'dog', lives: 9 },
          ['/a/name argument "a.name" is required: string or null'],
        ],
        [
          'lacks one, within one of another form that holds it',
          { kind: 'cat', lives: 9, prey: { kind: 'dog' } },
          ['/a/prey/name argument "a.prey.name" is required: string or null'],
        ],
      ] as const
    ).map(([what, a, problems]): [string, JsonObject, unknown, string[]] => [
      `the form that a member names, where it ${what}`,
      withA(
        { $ref: '#/$defs/Pet' },
        {
          $defs: {
            Pet: { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
            Cat: {
              type: 'object',
              properties: {
                kind: { enum: ['cat'] },
                lives: { type: 'integer' },
                prey: { $ref: '#/$defs/Pet' },
              },
              required: ['kind', 'lives'],
            },
            Dog: {
              type: 'object',
              properties: {
                kind: { enum: ['dog'] },
                name: { type: ['string', 'null'] },
                owner: { $ref: '#/$defs/Pet' },
              },
              required: ['kind', 'name'],
            },
          },
        },
      ),
      { a },
      [...problems],
    ]),
    [
      'the union where the member that tells its forms apart may be left out',
      withA({
        oneOf: [
          { type: 'object', properties: { kind: { const: 'x' }, x: { type: 'string' } }, required: ['x'] },
          { type: 'object', properties: { kind: { const: 'y' }, y: { type: 'string' } }, required: ['y'] },
        ],
      }),
      { a: {} },
      ['/a argument "a" must be object with x, or object with y; it is an empty object'],
    ],
    [
      'forms that extend what others say',
      {
        ...withA({
          oneOf: [{ $ref: '#/$defs/Cat' }, { allOf: [{ $ref: '#/$defs/Pet' }, { required: ['bark'] }] }],
        }),
        $defs: {
          Pet: { allOf: [{ $ref: '#/$defs/Named' }] },
          Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          Cat: { allOf: [{ $ref: '#/$defs/Pet' }, { type: 'object', required: ['claws'] }] },
        },
      },
      { a: { x: 1 } },
      ['/a argument "a" must be object with name, claws, or object with name, bark; it is an object with x'],
    ],
    [
      'a union',
      withA({ anyOf: [{ type: 'string' }, { type: 'object', required: ['b'] }] }),
      { a: 5 },
      ['/a argument "a" must be string, or object with b; it is number 5'],
    ],
    [
      'how long the forms of a list may be',
      withA({
        type: 'array',
        oneOf: [{ minItems: 4, maxItems: 4 }, { minItems: 6, maxItems: 8 }, { maxItems: 1 }, { minItems: 9 }],
      }),
      { a: [1, 2] },
      [
        '/a argument "a" must be a list of 4 items, or a list of 6 to 8 items, or a list of at most 1 items, or a list of at least 9 items; it is an array of 2 items',
      ],
    ],
    [
      'the one branch that was meant',
      withA(
        { anyOf: [{ $ref: '#/$defs/F' }, { type: 'null' }] },
        {
          $defs: {
            F: {
              type: 'object',
              properties: { id: { type: 'integer' } },
              required: ['id'],
              additionalProperties: false,
            },
          },
        },
      ),
      { a: { ID: 1 } },
      [
        '/a/id argument "a.id" is required: integer',
        '/a/ID argument "a.ID" is not known: did you mean "id"?',
      ],
    ],
    [
      'forms that exclude each other',
      withA({ oneOf: [{ type: 'integer' }, { type: 'number' }] }),
      { a: 1 },
      ['/a argument "a" fits more than one of its forms: integer; number. Make it fit one'],
    ],
    [
      'forms of which each wants one more member',
      withA({
        oneOf: [
          { type: 'object', required: ['id', 'queries'] },
          { type: 'object', required: ['name', 'queries'] },
          { type: 'null' },
        ],
      }),
      { a: { id: 1, name: 'x', queries: [] } },
      [
        '/a argument "a" fits more than one of its forms: object with id, queries; object with name, queries. Make it fit one',
      ],
    ],
    [
      'what is wrong in each of the forms that it is meant for',
      withA({
        anyOf: [
          {
            type: 'object',
            properties: { name: { type: 'string', minLength: 2 }, x: {} },
            required: ['name'],
          },
          {
            type: 'object',
            properties: { name: { type: 'string', minLength: 2 }, y: {} },
            required: ['name'],
          },
          { type: 'object', properties: { id: {} }, required: ['id'] },
        ],
      }),
      { a: { name: 'x' } },
      ['/a/name argument "a.name" must have at least 2 characters, not 1'],
    ],
    [
      'what is wrong in one of them only',
      withA({
        anyOf: [
          { type: 'object', properties: { n: { minLength: 2 } }, required: ['n'] },
          { type: 'object', properties: { n: { minLength: 3 } }, required: ['n'] },
        ],
      }),
      { a: { n: 'x' } },
      ['/a argument "a" must be object with n; it is an object with n'],
    ],
    [
      'two equal forms',
      withA({ oneOf: [{ type: 'object' }, { type: 'object' }] }),
      { a: {} },
      ['/a argument "a" fits more than one of its forms: object. Make it fit one'],
    ],
    ['the whole', city, [], [' the arguments must be object, not an array of 0 items']],
    [
      'a condition',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { required: ['a'] }, then: { required: ['b'] } },
      { a: 1 },
      ['/b argument "b" is required'],
    ],
    [
      'a dependency',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      ['/b argument "b" is required beside "a"'],
    ],
    ['a schema that takes nothing', withA({ not: {} }), { a: 1 }, ['/a argument "a" is not allowed']],
  ])('%s', (_what, schema, value, expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });

  it('never repeats a secret and cuts long values', () => {
    const schema = {
      properties: {
        apiKey: { maxLength: 3 },
        pin: { type: 'integer', writeOnly: true },
        text: { const: 'x' },
      },
    };
    const told = problems(schema, { apiKey: 'sk-1234567', pin: '0000', text: 'y'.repeat(500) }).join('\n');
    expect(told).not.toMatch(/sk-1234567|0000/);
    expect(told.length).toBeLessThan(400);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'by its name',
      withA({}, { properties: { clientSecret: { type: 'integer' } } }),
      { clientSecret: 'hidden1' },
    ],
    [
      'by the name of what it stands in',
      { properties: { tokens: { items: { type: 'integer' } } } },
      { tokens: ['hidden1'] },
    ],
    ['by its format', withA({ type: 'integer', format: 'password' }), { a: 'hidden1' }],
    ['because it is only written', withA({ type: 'integer', writeOnly: true }), { a: 'hidden1' }],
    [
      'in a union',
      { properties: { password: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } },
      { password: 'hidden1' },
    ],
  ])('does not show a secret that is known %s', (_how, schema, value) => {
    const told = problems(schema, value);
    expect(told).toHaveLength(1);
    expect(told[0]).not.toContain('hidden1');
  });

  it('says nothing of a form that need not fit, beside what is wrong elsewhere', () => {
    const schema = { allOf: [{ required: ['a'] }, { anyOf: [{ required: ['b'] }, { minProperties: 0 }] }] };
    expect(problems(schema, {})).toEqual(['/a argument "a" is required']);
  });

  it('stops at ten problems', () => {
    const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
    expect(problems({ required: names }, {})).toHaveLength(10);
  });

  it('speaks of properties where the value is no set of arguments', () => {
    const outcome = validator.validate(withA({ type: 'string' }), { a: 1 }, 'property');
    expect(outcome).toMatchObject({ errors: [{ message: 'property "a" must be string, not number 1' }] });
  });
});

describe('a hostile value', () => {
  const recursive = withA({ $ref: '#' });
  const nest = (levels: number) => {
    let value: JsonObject = {};
    for (let level = 0; level < levels; level++) value = { a: value };
    return value;
  };

  it('nested too deeply is refused, not a crash', () => {
    expect(problems(recursive, nest(50_000))).toEqual([' the value is nested too deeply to be checked']);
  });

  it('that would take exponential time is refused', () => {
    const doubled = { allOf: [withA({ $ref: '#' }), withA({ $ref: '#' })] };
    expect(problems(doubled, nest(10))).toEqual([]);
    expect(problems(doubled, nest(60))).toEqual([' the value takes too long to check against its schema']);
  });

  it('costs those behind it nothing', () => {
    const many = withA({ items: { $ref: '#/$defs/item' }, $defs: {} });
    const schema = { ...many, $defs: { item: { type: 'integer' } } };
    const a = Array.from({ length: 100_000 }, (_, index) => index);
    for (let round = 0; round < 5; round++) expect(problems(schema, { a })).toEqual([]);
  });

  it('with methods of its own compares by value', () => {
    const schema = withA({ enum: [{ valueOf: 1, toString: 2 }], uniqueItems: true });
    expect(problems(schema, { a: { toString: 2, valueOf: 1 } })).toEqual([]);
    expect(problems(schema, { a: { toString: 2, valueOf: 3 } })).toHaveLength(1);
  });

  it('that is no JSON is refused', () => {
    expect(problems(withA({ enum: [{ x: 1 }] }), { a: { x: 1n } })).toEqual([' the value is no JSON']);
  });

  it('with a hundred thousand items is checked for equal ones in linear time', () => {
    const a = Array.from({ length: 100_000 }, (_, index) => ({ index }));
    expect(problems(withA({ uniqueItems: true }), { a })).toEqual([]);
  }, 10_000);
});

describe('schemas', () => {
  it('that cannot be compiled safely end as schema_refused', () => {
    expect(() => validator.validate({ $ref: 'https://example.com/x' }, {})).toThrow(
      expect.objectContaining({ code: 'schema_refused', pointer: '#/$ref' }),
    );
  });

  it('do not leak into each other', () => {
    lintAndCompile({ $id: 'https://json-schema.org/draft/2020-12/schema', not: {} });
    const one = { $defs: { x: { type: 'string' } }, $ref: '#/$defs/x' };
    const other = { $defs: { x: { type: 'integer' } }, $ref: '#/$defs/x' };
    expect([problems(one, 'a').length, problems(other, 'a').length, problems(other, 1).length]).toEqual([
      0, 1, 0,
    ]);
  });

  it('with equal patterns in different places stay apart', () => {
    const schema = { properties: { a: { pattern: '^(x|y)$' }, b: { pattern: '^(u|v)$' } } };
    expect(problems(schema, { a: 'x', b: 'u' })).toEqual([]);
    expect(problems(schema, { a: 'u', b: 'x' })).toHaveLength(2);
  });

  it('are compiled again after they were forgotten', () => {
    const small = createValidator(1);
    const [one, other] = [withA({ type: 'string' }), withA({ type: 'integer' })];
    for (let round = 0; round < 3; round++) {
      expect(small.validate(one, { a: 'x' }).valid).toBe(true);
      expect(small.validate(other, { a: 'x' }).valid).toBe(false);
    }
  });

  it('cost nothing at start: ajv and the pattern engine are loaded at first use', () => {
    const file = fileURLToPath(new URL('../../src/validation/validator.ts', import.meta.url));
    const script = `
      const { createRequire } = await import('node:module');
      const { createValidator } = await import(${JSON.stringify(file)});
      const { cache } = createRequire(${JSON.stringify(file)});
      const loaded = () => Object.keys(cache).some((path) => /node_modules.(ajv|re2js)/.test(path));
      const validator = createValidator();
      const before = loaded();
      await validator.ready();
      console.log(before, loaded());`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(output.trim()).toBe('false true');
  });
});

describe('lintAndCompile', () => {
  it('gives a check for what it accepts and a reason for what it does not', () => {
    const accepted = lintAndCompile({ type: 'string', maxLength: 'x' });
    expect(accepted).toMatchObject({
      verdict: 'accept-sanitised',
      diagnostics: [{ pointer: '#/maxLength' }],
    });
    expect([accepted.validate!('a'), accepted.validate!(1)]).toEqual([true, false]);
    expect(lintAndCompile({ $ref: '#' })).toMatchObject({
      verdict: 'reject',
      diagnostics: [{ pointer: '#' }],
    });
  });

  it('accepts no value that cannot be checked to its end', () => {
    let value: JsonObject = {};
    for (let level = 0; level < 50_000; level++) value = { a: value };
    const { validate } = lintAndCompile(withA({ $ref: '#' }));
    expect([validate!({ a: {} }), validate!(value)]).toEqual([true, false]);
  });

  it('rejects what is too deep to be compiled', () => {
    const count = 4000;
    const $defs = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `d${index}`,
        index === count - 1 ? {} : { $ref: `#/$defs/d${index + 1}` },
      ]),
    );
    expect(lintAndCompile({ $defs, $ref: '#/$defs/d0' }).verdict).toBe('reject');
  });
});
