import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isObject,
  isSame,
  type Json,
  type JsonObject,
  withMember,
} from '../../../src/components/json/json-values.ts';
import {
  faultOfText,
  type TextControl,
  textOfValue,
  valueOfText,
} from '../../../src/pages/tools/form/control-text.ts';
import { fieldOf } from '../../../src/pages/tools/form/field.ts';
import { canShow, initialValue, isOfBranch } from '../../../src/pages/tools/form/field-value.ts';
import type { Schema } from '../../../src/pages/tools/form/schema.ts';
import { startArguments } from '../../../src/pages/tools/form/start-arguments.ts';

const kindOf = (schema: unknown, root: Schema = {}) => fieldOf(schema, root).control.kind;

describe('fieldOf', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['number', 'integer'] }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ enum: ['a', 'b'] }, 'choice'],
    [{ enum: ['a'] }, 'constant'],
    [{ const: 5 }, 'constant'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } }, 'selection'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, 'json'],
    [{ type: 'object', properties: {} }, 'object'],
    [{ properties: { a: {} } }, 'object'],
    [{ oneOf: [{ type: 'string' }, { type: 'object' }] }, 'alternatives'],
    [{ type: ['string', 'integer'] }, 'alternatives'],
    [{ allOf: [{ type: 'object', properties: { a: {} } }, { properties: { b: {} } }] }, 'object'],
    [{}, 'json'],
    [true, 'json'],
  ])('draws %j as %s', (schema, kind) => expect(kindOf(schema)).toBe(kind));

  it('knows what values are called, in each of the ways to say it', () => {
    const options = ['a', 'b'];
    const labels = ['Anna', 'Bert'];
    const titled = [
      { const: 'a', title: 'Anna' },
      { const: 'b', title: 'Bert' },
    ];
    expect(fieldOf({ type: 'string', oneOf: titled }, {}).control).toEqual({
      kind: 'choice',
      options,
      labels,
    });
    expect(fieldOf({ anyOf: [...titled, { type: 'null' }] }, {})).toMatchObject({
      nullable: true,
      control: { kind: 'choice', options, labels },
    });
    expect(fieldOf({ type: 'string', enum: options, enumNames: labels }, {}).control).toEqual({
      kind: 'choice',
      options,
      labels,
    });
    expect(fieldOf({ enum: [null, ...options], enumNames: ['None', ...labels] }, {}).control).toEqual({
      kind: 'choice',
      options,
      labels,
    });
    expect(fieldOf({ enum: options, enumNames: ['Anna'] }, {}).control).toEqual({ kind: 'choice', options });
    expect(fieldOf({ oneOf: [{ const: 1 }, { const: 2, title: 'two' }] }, {}).control).toEqual({
      kind: 'choice',
      options: [1, 2],
      labels: ['1', 'two'],
    });
    expect(fieldOf({ type: 'array', uniqueItems: true, items: { anyOf: titled } }, {}).control).toEqual({
      kind: 'selection',
      options,
      labels,
    });
    expect(kindOf({ oneOf: [{ const: 'a' }, { type: 'integer' }] })).toBe('alternatives');
    expect(fieldOf({ oneOf: [{ const: 'a', title: 'Anna' }] }, {}).control).toEqual({
      kind: 'constant',
      value: 'a',
    });
  });

  it('takes null as something beside the value', () => {
    for (const schema of [
      { type: ['string', 'null'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { oneOf: [{ type: 'null' }, { type: 'string' }], description: 'A name.' },
    ]) {
      const field = fieldOf(schema, {});
      expect(field.control.kind).toBe('text');
      expect(field.nullable).toBe(true);
    }
    expect(fieldOf({ enum: ['a', 'b', null], type: ['string', 'null'] }, {})).toMatchObject({
      nullable: true,
      control: { kind: 'choice', options: ['a', 'b'] },
    });
  });

  it('follows references, also in a circle, and joins allOf', () => {
    const root = {
      $defs: {
        Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] },
        Loop: { $ref: '#/$defs/Loop' },
        Both: {
          allOf: [{ $ref: '#/$defs/Node' }, { required: ['name'], properties: { name: { type: 'string' } } }],
        },
      },
    };
    expect(kindOf({ $ref: '#/$defs/Node' }, root)).toBe('object');
    expect(kindOf({ $ref: '#/$defs/Loop' }, root)).toBe('json');
    expect(kindOf({ $ref: '#/$defs/Missing' }, root)).toBe('json');
    const { control } = fieldOf({ $ref: '#/$defs/Both' }, root);
    expect(
      control.kind === 'object' && control.members.map(({ name, required }) => [name, required]),
    ).toEqual([
      ['next', true],
      ['name', true],
    ]);
    expect(() => initialValue({ $ref: '#/$defs/Node' }, root)).not.toThrow();
  });

  it('leaves conditions over the same members to the gateway', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    expect(kindOf(schema)).toBe('object');
  });

  it('never throws, whatever a schema holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.object(), (schema, root) => {
        const field = fieldOf(schema, root as Schema);
        expect(field.control.kind).toBeTypeOf('string');
        initialValue(schema, root as Schema);
      }),
    );
    const keywords = fc.constantFrom(
      'type',
      'enum',
      'const',
      'oneOf',
      'anyOf',
      'allOf',
      'items',
      'properties',
      'required',
      '$ref',
      'additionalProperties',
    );
    fc.assert(
      fc.property(fc.dictionary(keywords, fc.jsonValue({ maxDepth: 3 })), (schema) => {
        fieldOf(schema, schema as Schema);
        initialValue(schema, schema as Schema);
      }),
    );
  });
});

describe('texts of controls', () => {
  const number: TextControl = { kind: 'number', integer: true };
  it.each([
    ['', undefined],
    [' 12 ', 12],
    ['-1.5e3', -1500],
    ['.5', 0.5],
    ['12a', '12a'],
    ['1e999', '1e999'],
    ['0x10', '0x10'],
    ['9007199254740991', 9007199254740991],
    ['+0009007199254740992', 9007199254740992],
    ['9007199254740993', '9007199254740993'],
    [' -9007199254740993', ' -9007199254740993'],
    // a double holds it, but JSON would carry 1152921504606847000
    ['1152921504606846976', '1152921504606846976'],
    ['12345678901234567890123', '12345678901234567890123'],
  ])('reads the number %j as %j', (text, value) => expect(valueOfText(number, text)).toBe(value));

  it('says what is no number, and keeps it', () => {
    expect(faultOfText(number, '12a')).toBe('Is no number.');
    expect(faultOfText(number, 1.5)).toBe('Is no whole number.');
    expect(faultOfText(number, 1)).toBeUndefined();
    expect(textOfValue(number, '12a')).toBe('12a');
  });

  it('says what would lose its digits, in JSON too', () => {
    const words = /Too large to be sent exactly/;
    expect(faultOfText(number, ' 9007199254740993')).toMatch(words);
    expect(faultOfText({ kind: 'number', integer: false }, '-9007199254740993')).toMatch(words);
    expect(() => valueOfText({ kind: 'json' }, '{"ids": [9007199254740993]}')).toThrow(words);
    expect(valueOfText({ kind: 'json' }, '["9007199254740993"]')).toEqual(['9007199254740993']);
  });

  it('refuses JSON that is none', () => {
    expect(() => valueOfText({ kind: 'json' }, '{')).toThrow(SyntaxError);
    expect(valueOfText({ kind: 'json' }, ' ')).toBeUndefined();
  });
});

it('begins with what can only be one value', () => {
  const properties = { kind: { const: 'a' }, name: { type: 'string' }, version: { const: 1 } };
  expect(startArguments({ type: 'object', properties, required: ['kind', 'name'] })).toEqual({ kind: 'a' });
});

it('keeps a member named __proto__ a member', () => {
  const value = withMember(withMember({}, '__proto__', 'x'), 'b', 1);
  expect(JSON.stringify(value)).toBe('{"__proto__":"x","b":1}');
});

/** A schema and a value that fits it. */
interface Pair {
  readonly schema: Schema;
  readonly value: Json;
}

const name = fc.stringMatching(/^[a-z]{1,5}$/);
const leaf: fc.Arbitrary<Pair> = fc.oneof(
  fc.string({ minLength: 1 }).map((value) => ({ schema: { type: 'string' }, value })),
  fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ schema: { type: 'number' }, value: Object.is(value, -0) ? 0 : value })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc
    .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 4 })
    .map((options) => ({ schema: { enum: options }, value: options.at(-1)! })),
  fc.jsonValue().map((value) => ({ schema: { const: value as Json }, value: value as Json })),
  fc.jsonValue().map((value) => ({ schema: {}, value: value as Json })),
  fc.option(fc.string({ minLength: 1 })).map((value) => ({ schema: { type: ['string', 'null'] }, value })),
  fc
    .option(fc.integer())
    .map((value) => ({ schema: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, value })),
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c')).map((value) => ({
    schema: { type: 'array', uniqueItems: true, items: { enum: ['a', 'b', 'c'] } },
    value,
  })),
);

const { pair: made } = fc.letrec<{
  pair: Pair;
  object: Pair;
  list: Pair;
  map: Pair;
  either: Pair;
  joined: Pair;
}>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    tie('object'),
    tie('list'),
    tie('map'),
    tie('either'),
    tie('joined'),
  ),
  object: fc
    .array(fc.tuple(name, tie('pair'), fc.boolean(), fc.boolean()), { maxLength: 4 })
    .map((members) => {
      const given = new Map(members.map((member) => [member[0], member]));
      const all = [...given.values()];
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(all.map(([key, { schema }]) => [key, schema])),
          required: all.filter(([, , required]) => required).map(([key]) => key),
          additionalProperties: false,
        },
        value: Object.fromEntries(
          all.filter(([, , required, there]) => required || there).map(([key, { value }]) => [key, value]),
        ),
      };
    }),
  list: fc.tuple(tie('pair'), fc.nat(3)).map(([{ schema, value }, length]) => ({
    schema: { type: 'array', items: schema },
    value: Array.from({ length }, () => value),
  })),
  map: fc.tuple(tie('pair'), fc.uniqueArray(name, { maxLength: 3 })).map(([{ schema, value }, keys]) => ({
    schema: { type: 'object', additionalProperties: schema },
    value: Object.fromEntries(keys.map((key) => [key, value])),
  })),
  either: fc.tuple(tie('pair'), tie('pair'), fc.boolean()).map(([left, right, first]) => {
    const branch = (kind: string, { schema }: Pair) => ({
      type: 'object',
      properties: { kind: { const: kind }, it: schema },
      required: ['kind', 'it'],
    });
    return {
      schema: { oneOf: [branch('left', left), branch('right', right)] },
      value: { kind: first ? 'left' : 'right', it: first ? left.value : right.value },
    };
  }),
  joined: fc.tuple(tie('pair'), tie('pair')).map(([left, right]) => ({
    schema: {
      allOf: [
        { type: 'object', properties: { left: left.schema }, required: ['left'] },
        { type: 'object', properties: { right: right.schema } },
      ],
    },
    value: { left: left.value, right: right.value },
  })),
}));

/** As a schema and a value arrive: JSON knows no -0. */
const pair = made.map((one) => JSON.parse(JSON.stringify(one)) as Pair);

/** Everything through the controls, as if each was written anew. */
function retyped(schema: unknown, value: Json, root: Schema): Json | undefined {
  const field = fieldOf(schema, root);
  if (value === null && field.nullable) return null;
  const control = canShow(field, value) ? field.control : ({ kind: 'json' } as const);
  switch (control.kind) {
    case 'constant':
      return control.value;
    case 'selection':
      return value;
    case 'list':
      return (value as Json[]).map((item) => retyped(control.item, item, root)!);
    case 'alternatives': {
      const branch = control.branches.find((one) => isOfBranch(value, one.schema, root));
      expect(branch).toBeDefined();
      return retyped(branch!.schema, value, root);
    }
    case 'object': {
      let made: JsonObject = {};
      for (const [key, item] of Object.entries(isObject(value) ? value : {})) {
        const member = control.members.find((one) => one.name === key)?.schema ?? control.others;
        expect(member).toBeDefined();
        made = withMember(made, key, retyped(member, item, root));
      }
      return made;
    }
    default:
      return valueOfText(control, textOfValue(control, value));
  }
}

it('names a choice by a constant that has no text of its own', () => {
  const of = (value: Json) => ({ properties: { kind: { const: value } } });
  const { control } = fieldOf({ oneOf: [of({ toString: {} }), of('x'), of(1)] }, {});
  expect(control).toMatchObject({
    branches: [{ label: 'kind {"toString":{}}' }, { label: 'kind x' }, { label: 'kind 1' }],
  });
});

describe('a value that fits its schema', () => {
  it('comes out of the form as it went in', () => {
    fc.assert(
      fc.property(pair, ({ schema, value }) => {
        expect(retyped(schema, value, schema)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('stands behind a reference as it does in place', () => {
    fc.assert(
      fc.property(pair, ({ schema, value }) => {
        const root = { $defs: { It: schema } };
        expect(retyped({ $ref: '#/$defs/It' }, value, root)).toEqual(value);
      }),
    );
  });

  it('is what a field begins with, where it has only constants and choices', () => {
    fc.assert(
      fc.property(pair, ({ schema }) => {
        const begin = initialValue(schema, schema);
        expect(canShow(fieldOf(schema, schema), begin)).toBe(true);
        expect(isSame(begin, JSON.parse(JSON.stringify(begin)))).toBe(true);
      }),
    );
  });
});
