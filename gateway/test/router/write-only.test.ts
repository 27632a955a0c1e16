import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, JsonSchema } from '../../src/operations/json/json.ts';
import { withoutWriteOnly } from '../../src/router/write-only.ts';

const input = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    pin: { type: 'string', format: 'password' },
    values: { type: 'object', writeOnly: true },
    account: { type: 'object', properties: { user: { type: 'string' }, key: { writeOnly: true } } },
  },
};

describe('withoutWriteOnly', () => {
  it('masks what is only written, whatever it is, and keeps the names of its members', () => {
    const args = {
      name: 'mail',
      pin: '1234',
      values: { server: 'db', port: 1433, list: ['a', null], deep: { password: 'x' } },
      account: { user: 'ann', key: 'k', more: 'm' },
      unknown: { deep: 'd' },
    };
    const before = structuredClone(args);
    expect(withoutWriteOnly(args, input)).toEqual({
      name: 'mail',
      pin: '[redacted]',
      values: {
        server: '[redacted]',
        port: '[redacted]',
        list: ['[redacted]', null],
        deep: { password: '[redacted]' },
      },
      account: { user: 'ann', key: '[redacted]', more: 'm' },
      unknown: { deep: 'd' },
    });
    expect(args).toEqual(before);
  });

  it('masks what references, parts of `allOf` and items of lists hide, in circles too', () => {
    const user = {
      properties: {
        pin: { $ref: '#/$defs/Pin' },
        note: { type: 'string' },
        friend: { $ref: '#/$defs/User' },
      },
    };
    const schema = {
      properties: {
        users: { type: 'array', items: { $ref: '#/$defs/User' } },
        body: { allOf: [{ $ref: '#/$defs/User' }, { properties: { token: { writeOnly: true } } }] },
        codes: { type: 'array', items: { type: 'string', writeOnly: true } },
        beside: { $ref: '#/$defs/Text', writeOnly: true },
        lost: { $ref: '#/$defs/Nothing' },
        endless: { $ref: '#/$defs/Endless' },
      },
      $defs: {
        User: user,
        Pin: { type: 'string', writeOnly: true },
        Text: { type: 'string' },
        Endless: { $ref: '#/$defs/Endless' },
      },
    };
    const ann = { pin: '1', note: 'n', friend: { pin: '2' } };
    const hidden = { pin: '[redacted]', note: 'n', friend: { pin: '[redacted]' } };
    expect(
      withoutWriteOnly(
        { users: [ann], body: { ...ann, token: 't' }, codes: ['1'], beside: 'b', lost: 'l', endless: 'e' },
        schema,
      ),
    ).toEqual({
      users: [hidden],
      body: { ...hidden, token: '[redacted]' },
      codes: ['[redacted]'],
      beside: '[redacted]',
      lost: 'l',
      endless: 'e',
    });
  });

  it('gives arguments back as they are where no schema hides anything', () => {
    const args = { values: { a: 1 } };
    expect(withoutWriteOnly(args, { type: 'object', properties: { values: { type: 'object' } } })).toBe(args);
    expect(withoutWriteOnly(args, {})).toBe(args);
  });

  it('takes values that do not fit their schema, and members named as those of every object', () => {
    expect(withoutWriteOnly({ account: 'text', values: 'secret' }, input)).toEqual({
      account: 'text',
      values: '[redacted]',
    });
    const odd = JSON.parse('{"__proto__":"x","toString":"y"}');
    expect(JSON.stringify(withoutWriteOnly(odd, input))).toBe('{"__proto__":"x","toString":"y"}');
  });
});

it('looks six steps deep', () => {
  let [schema, args]: [JsonSchema, Json] = [{ writeOnly: true }, 'secret'];
  for (let step = 0; step < 6; step++) [schema, args] = [{ properties: { a: schema } }, { a: args }];
  expect(JSON.stringify(withoutWriteOnly(args as JsonObject, schema))).not.toContain('secret');
});

it.each(['allOf', 'anyOf', 'oneOf'])('what one form of %s hides another shows no part of', (form) => {
  const secret = { writeOnly: true };
  const shown = { properties: { inner: secret } };
  const forms = (...all: object[]) => ({ [form]: all.map((at) => ({ properties: { at } })) }) as never;
  const args = { at: { inner: 'x', other: 'y' } } as never;
  const hidden = { at: { inner: '[redacted]', other: '[redacted]' } };
  expect(withoutWriteOnly(args, forms(secret, shown))).toEqual(hidden);
  expect(withoutWriteOnly(args, forms(shown, secret))).toEqual(hidden);
});

const pin = { type: 'string', format: 'password' };
it.each<[string, JsonSchema, Json, Json]>([
  ['a map', { additionalProperties: pin }, { db: 'x' }, { db: '[redacted]' }],
  [
    'a map beside members that are described',
    { properties: { user: {} }, additionalProperties: pin },
    { user: 'ann', db: 'x' },
    { user: 'ann', db: '[redacted]' },
  ],
  [
    'a map of objects',
    { additionalProperties: { properties: { pin } } },
    { db: { pin: 'x', host: 'h' } },
    { db: { pin: '[redacted]', host: 'h' } },
  ],
  ['names by a pattern', { patternProperties: { '^x-': pin } }, { 'x-a': 'x' }, { 'x-a': '[redacted]' }],
  ['a tuple', { prefixItems: [{}, pin] }, ['ann', 'x'], ['[redacted]', '[redacted]']],
  ['a branch', { if: {}, else: { properties: { pin } } }, { pin: 'x' }, { pin: '[redacted]' }],
  [
    'two parts that hide each another member of one',
    {
      allOf: [
        { properties: { at: { properties: { a: pin } } } },
        { properties: { at: { properties: { b: pin } } } },
      ],
    },
    { at: { a: 'x', b: 'x', c: 'c' } },
    { at: { a: '[redacted]', b: '[redacted]', c: 'c' } },
  ],
  [
    'a map in one part, a described member in another',
    { allOf: [{ additionalProperties: pin }, { properties: { user: {} } }] },
    { user: 'x' },
    { user: '[redacted]' },
  ],
  [
    'members beside a reference',
    { $ref: '#/$defs/A', properties: { b: pin } },
    { a: 'x', b: 'x' },
    { a: '[redacted]', b: '[redacted]' },
  ],
  ['a part of itself', { $ref: '#/$defs/Self' }, { pin: 'x' }, { pin: '[redacted]' }],
])('masks what %s hides', (_what, schema, given, shown) => {
  const $defs = {
    A: { properties: { a: pin } },
    Self: { allOf: [{ $ref: '#/$defs/Self' }], properties: { pin } },
  };
  expect(withoutWriteOnly({ given }, { properties: { given: schema }, $defs })).toEqual({ given: shown });
});
