import { describe, expect, it } from 'vitest';
import { lintSchema } from '../../src/compiler/lint-schema.ts';
import type { JsonObject } from '../../src/operations/index.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const fromPairs = <T>(count: number, pair: (index: number) => [string, T]) =>
  Object.fromEntries(range(count).map(pair));

function nested(levels: number, wrap: (inner: JsonObject) => JsonObject): JsonObject {
  return range(levels).reduce<JsonObject>((inner) => wrap(inner), { type: 'object' });
}

/** `fan` references a level, each to the next: fan^levels when expanded. */
function bomb(levels: number, fan: number, apply: (references: JsonObject[]) => JsonObject): JsonObject {
  const $defs = fromPairs(levels, (index) => [
    `l${index}`,
    apply(range(fan).map(() => ({ $ref: `#/$defs/l${index + 1}` }))),
  ]);
  return { $defs: { ...$defs, [`l${levels}`]: { type: 'string' } }, $ref: '#/$defs/l0' };
}

describe('lintSchema accepts, unchanged', () => {
  it.each<[string, JsonObject | boolean]>([
    ['a boolean', true],
    ['local references', { $defs: { a: { type: 'string' } }, items: { $ref: '#/$defs/a' } }],
    [
      'references by escaped pointers',
      { $defs: { 'a/b c': true, 'p%': {} }, anyOf: [{ $ref: '#/$defs/a~1b%20c' }, { $ref: '#/$defs/p%25' }] },
    ],
    ['recursion through data', { type: 'object', properties: { child: { $ref: '#' } } }],
    [
      'mutual recursion through items',
      {
        $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } },
        $ref: '#/$defs/a',
      },
    ],
    ['hundreds of properties', { properties: fromPairs(500, (index) => [`p${index}`, { type: 'string' }]) }],
    ['a hundred levels', nested(100, (inner) => ({ type: 'object', properties: { a: inner } }))],
    ['many alternatives', { anyOf: range(500).map((index) => ({ const: index })) }],
    [
      'sharing through properties, however much',
      bomb(30, 8, (references) => ({
        properties: fromPairs(8, (index) => [`c${index}`, references[index]!]),
      })),
    ],
    ['names from Object.prototype', { properties: { toString: {}, hasOwnProperty: {}, valueOf: {} } }],
    [
      'keywords as property names',
      { properties: { $ref: { type: 'string' }, $id: { type: 'string' }, enum: {} } },
    ],
    ['data that looks like keywords', { const: { $ref: 'http://example.com', $id: 7 } }],
    [
      'unknown keywords and formats',
      { format: 'money', 'x-internal': { a: [1] }, discriminator: { propertyName: 'k' } },
    ],
    ['a limit written as a float', { minLength: 2.0 }],
  ])('%s', (_what, schema) => {
    const { verdict, schema: result, diagnostics } = lintSchema(schema);
    expect({ verdict, diagnostics }).toEqual({ verdict: 'accept', diagnostics: [] });
    expect(result).toBe(schema);
  });

  it('equal anchors that nothing refers to', () => {
    const schema = { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } };
    expect(lintSchema(schema)).toMatchObject({ verdict: 'accept', diagnostics: [] });
  });

  it('anchors, as pointers', () => {
    const schema = { $defs: { a: { $anchor: 'name', type: 'string' } }, $ref: '#name' };
    expect(lintSchema(schema)).toEqual({
      verdict: 'accept',
      schema: { $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' },
      diagnostics: [],
    });
  });
});

describe('lintSchema accepts after cleaning', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['an $id', { $id: 'https://example.com/a', type: 'string' }, { type: 'string' }],
    [
      'a reference by the own $id',
      { $id: 'https://example.com/a', $defs: { x: {} }, $ref: 'a#/$defs/x' },
      { $defs: { x: {} }, $ref: '#/$defs/x' },
    ],
    [
      'an embedded resource, by its own root',
      {
        $id: 'https://example.com/a',
        $defs: { b: { $id: 'b', items: { $ref: '#/$defs/c' }, $defs: { c: {} } } },
        $ref: 'b',
      },
      { $defs: { b: { items: { $ref: '#/$defs/b/$defs/c' }, $defs: { c: {} } } }, $ref: '#/$defs/b' },
    ],
    ['an id of draft 4', { id: 'https://example.com/a', type: 'string' }, { type: 'string' }],
    [
      'an anchor of draft 7',
      { definitions: { a: { $id: '#name', type: 'string' } }, $ref: '#name' },
      { definitions: { a: { type: 'string' } }, $ref: '#/definitions/a' },
    ],
    [
      'an anchor of draft 4',
      { definitions: { a: { id: '#name', type: 'string' } }, $ref: '#name' },
      { definitions: { a: { type: 'string' } }, $ref: '#/definitions/a' },
    ],
    [
      'ids that are pointers, as generators write them',
      { $id: '#/properties/a', properties: { a: { $id: '#/properties/a', type: 'string' } } },
      { properties: { a: { type: 'string' } } },
    ],
    [
      'one schema written out twice with its $id',
      {
        properties: {
          a: { $id: 'node', properties: { next: { $ref: 'node' } } },
          b: { $id: 'node', properties: { next: { $ref: 'node' } } },
        },
      },
      {
        properties: {
          a: { properties: { next: { $ref: '#/properties/a' } } },
          b: { properties: { next: { $ref: '#/properties/b' } } },
        },
      },
    ],
    [
      'references to items that are a list',
      {
        properties: {
          pair: { items: [{ type: 'string' }, { type: 'number' }], additionalItems: { type: 'null' } },
          first: { $ref: '#/properties/pair/items/0' },
          rest: { $ref: '#/properties/pair/additionalItems' },
          items: { $ref: '#/properties/items2' },
          items2: {},
        },
      },
      {
        properties: {
          pair: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: { type: 'null' } },
          first: { $ref: '#/properties/pair/prefixItems/0' },
          rest: { $ref: '#/properties/pair/items' },
          items: { $ref: '#/properties/items2' },
          items2: {},
        },
      },
    ],
    ['an unknown dialect', { $schema: 'http://evil.example/meta', type: 'string' }, { type: 'string' }],
    ['a limit that is a string', { type: 'string', maxLength: '10' }, { type: 'string' }],
    ['a negative length', { minLength: -1 }, {}],
    ['a fraction of items', { maxItems: 1.5 }, {}],
    ['a divisor of zero', { multipleOf: 0 }, {}],
    ['an infinite limit', { maximum: Number.POSITIVE_INFINITY }, {}],
    ['an infinite default', { default: Number.POSITIVE_INFINITY }, {}],
    ['an unknown type', { type: 'file' }, {}],
    ['a type given twice', { type: ['string', 'null', 'string'] }, { type: ['string', 'null'] }],
    ['a name required twice', { required: ['a', 'a', 'b'] }, { required: ['a', 'b'] }],
    ['required names that are none', { required: [1] }, {}],
    ['properties that are a list', { properties: [] }, {}],
    ['an empty choice', { anyOf: [], enum: [] }, {}],
    ['an invalid pattern', { pattern: '(' }, {}],
    ['a text without end', { description: 'x'.repeat(200_000) }, {}],
    ['$async', { $async: true, type: 'string' }, { type: 'string' }],
    [
      '__proto__',
      JSON.parse('{"__proto__":{"a":1},"properties":{"__proto__":{},"b":{}}}'),
      { properties: { b: {} } },
    ],
    [
      'constructor, still checked by a pattern',
      { properties: { constructor: { type: 'string' } } },
      { properties: {}, patternProperties: { '^constructor$': { type: 'string' } } },
    ],
    [
      'draft 4 limits',
      { maximum: 5, exclusiveMaximum: true, minimum: 1, exclusiveMinimum: false },
      { exclusiveMaximum: 5, minimum: 1 },
    ],
    [
      'tuples of older drafts',
      { items: [{ type: 'string' }], additionalItems: false },
      { prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      'dependencies of older drafts',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
    ],
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'a dynamic reference',
      { $defs: { n: { $dynamicAnchor: 'n' } }, items: { $dynamicRef: '#n' } },
      { $defs: { n: {} }, items: { $ref: '#/$defs/n' } },
    ],
  ])('%s', (_what, schema, cleaned) => {
    const result = lintSchema(schema);
    expect(result.verdict).toBe('accept-sanitised');
    expect(result.schema).toEqual(cleaned);
    expect(result.diagnostics.length).toBeGreaterThan(0);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['itself', { type: 'string', pattern: '(?=a)b' }, { type: 'string' }],
    ['the not around it', { not: { pattern: '(?=a)b' } }, {}],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['the if around it', { if: { pattern: '(a)\\1' }, then: { minLength: 1 } }, {}],
    ['the uniqueness of oneOf', { oneOf: [{ pattern: '(?!a)b' }, {}] }, { anyOf: [{}, {}] }],
    [
      'additionalProperties beside it',
      { patternProperties: { '(?<!a)b': {}, c: {} }, additionalProperties: false },
      { patternProperties: { c: {} } },
    ],
  ])('a pattern that no linear engine runs, with %s', (_what, schema, cleaned) => {
    expect(lintSchema(schema)).toMatchObject({ verdict: 'accept-sanitised', schema: cleaned });
    expect(lintSchema(schema).schema).toEqual(cleaned);
  });
});

describe('lintSchema rejects', () => {
  it.each<[string, unknown, RegExp]>([
    ['what is no schema', null, /object or a boolean/],
    ['a list', [], /object or a boolean/],
    ['a remote reference', { $ref: 'https://example.com/a' }, /leaves the document/],
    ['a relative reference', { $ref: 'other.json' }, /leaves the document/],
    [
      'a reference relative to a remote $id',
      { $id: 'http://e.example/', $ref: 'other.json' },
      /leaves the document/,
    ],
    ['the meta-schema', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, /leaves the document/],
    ['a file', { $ref: 'file:///etc/passwd' }, /leaves the document/],
    ['a dangling reference', { $ref: '#/$defs/a' }, /does not lead to a schema/],
    ['a reference into a prototype', { $ref: '#/__proto__/toString' }, /does not lead to a schema/],
    ['a reference to a text', { title: 'x', $ref: '#/title' }, /does not lead to a schema/],
    [
      'a reference to something unlinted',
      { default: { type: 'string' }, $ref: '#/default' },
      /does not lead to a schema/,
    ],
    ['a broken escape', { $ref: '#/%zz' }, /no valid URI/],
    ['a reference that is a number', { $ref: 5 }, /no string/],
    ['an unknown anchor', { $ref: '#nowhere' }, /leads nowhere/],
    [
      'a reference to one of two equal $id',
      { $ref: 'x', $defs: { a: { $id: 'x' }, b: { $id: 'x' } } },
      /may mean several schemas/,
    ],
    [
      'a reference to one of two equal anchors',
      { $ref: '#x', $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
      /may mean several schemas/,
    ],
    [
      'a loop of references',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      /consumes no data/,
    ],
    ['a reference to itself', { $ref: '#' }, /consumes no data/],
    ...['allOf', 'anyOf', 'oneOf'].map((keyword): [string, unknown, RegExp] => [
      `a loop through ${keyword}`,
      { [keyword]: [{ $ref: '#' }] },
      /consumes no data/,
    ]),
    ...['not', 'if', 'then'].map((keyword): [string, unknown, RegExp] => [
      `a loop through ${keyword}`,
      { [keyword]: { $ref: '#' } },
      /consumes no data/,
    ]),
    ['a loop through dependentSchemas', { dependentSchemas: { a: { $ref: '#' } } }, /consumes no data/],
    ['exponential anyOf', bomb(30, 10, (anyOf) => ({ anyOf })), /combined alternatives/],
    ['exponential allOf', bomb(20, 2, (allOf) => ({ allOf })), /combined alternatives/],
    ['an infinite constant', { enum: [Number.POSITIVE_INFINITY] }, /infinite number/],
    ['an unsafe key in a constant', { const: JSON.parse('{"__proto__":1}') }, /the key __proto__/],
    ['a list of schemas with something else', { allOf: [1] }, /no schema/],
    ['twenty thousand levels', nested(20_000, (inner) => ({ anyOf: [inner] })), /nested deeper/],
    [
      'a hundred thousand properties',
      { properties: fromPairs(100_000, (index) => [`p${index}`, {}]) },
      /schemas/,
    ],
    ['a million required names', { required: range(1_000_000).map(String) }, /values/],
    ['a name without end', { properties: { ['n'.repeat(100_000)]: {} } }, /a name has more/],
    [
      'megabytes of text',
      { properties: fromPairs(100, (index) => [`p${index}`, { title: 'x'.repeat(90_000) }]) },
      /texts have more/,
    ],
  ])('%s', (_what, schema, reason) => {
    const result = lintSchema(schema);
    expect(result.verdict).toBe('reject');
    expect(result.schema).toBeUndefined();
    expect(result.diagnostics[0]!.message).toMatch(reason);
  });

  it('a schema that contains itself in memory', () => {
    const schema: JsonObject = { type: 'object' };
    schema['properties'] = { again: schema };
    expect(lintSchema(schema).verdict).toBe('reject');
  });
});

describe('lintSchema', () => {
  it('names the place', () => {
    const schema = { properties: { 'a/b': { items: { maxLength: 'x' } } } };
    expect(lintSchema(schema).diagnostics).toEqual([
      {
        pointer: '#/properties/a~1b/items/maxLength',
        message: 'maxLength was dropped: its value has no meaning there.',
      },
    ]);
  });

  it('shares what it does not change', () => {
    const kept = { type: 'string' };
    const { schema } = lintSchema({ properties: { kept, changed: { minLength: -1 } } });
    expect((schema as { properties: JsonObject }).properties['kept']).toBe(kept);
  });

  it('takes another budget', () => {
    expect(lintSchema({ items: { items: {} } }, { budget: { depth: 1 } }).verdict).toBe('reject');
  });
});
