import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../src/operations/index.ts';
import { type InputFacts, webhookInput } from '../../../src/sources/n8n/input.ts';

const facts = (overrides: Partial<InputFacts>): InputFacts => ({
  method: 'POST',
  parameters: [],
  input: undefined,
  query: [],
  sample: undefined,
  ...overrides,
});
const PLAIN: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, tags: { type: 'array' }, filter: { type: 'object' } },
  required: ['id'],
};

describe('what is declared', () => {
  it('a plain object gives one argument a property, in the body', () => {
    const { input, bindings, body } = webhookInput(facts({ input: PLAIN }));
    expect(input).toEqual({ ...PLAIN, additionalProperties: false });
    expect(bindings).toEqual(
      ['id', 'tags', 'filter'].map((name) => ({
        arg: name,
        in: 'body',
        name,
        contentType: 'application/json',
      })),
    );
    expect(body).toEqual({ contentType: 'application/json', required: true });
  });

  it.each(['GET', 'HEAD', 'DELETE'])('%s carries them in the query, as n8n reads it', (method) => {
    const { bindings, body } = webhookInput(facts({ method, input: PLAIN }));
    expect(bindings).toEqual([
      { arg: 'id', in: 'query', name: 'id', style: 'form', explode: true },
      { arg: 'tags', in: 'query', name: 'tags[]', style: 'form', explode: true },
      { arg: 'filter', in: 'query', name: 'filter', style: 'deepObject', explode: true },
    ]);
    expect(body).toBeUndefined();
  });

  it('a property of a path parameter describes that parameter', () => {
    const { input, bindings } = webhookInput(
      facts({
        parameters: ['id'],
        input: { type: 'object', properties: { id: { type: 'integer' }, a: {} } },
      }),
    );
    expect(input).toMatchObject({ properties: { id: { type: 'integer' }, a: {} }, required: ['id'] });
    expect(bindings.map((binding) => [binding.arg, binding.in])).toEqual([
      ['id', 'path'],
      ['a', 'body'],
    ]);
  });

  it('properties named in `query` go there although there is a body', () => {
    const { bindings } = webhookInput(facts({ input: PLAIN, query: ['id'] }));
    expect(bindings.map((binding) => [binding.arg, binding.in])).toEqual([
      ['id', 'query'],
      ['tags', 'body'],
      ['filter', 'body'],
    ]);
  });

  const whole: readonly [what: string, schema: JsonSchema][] = [
    ['an open object', { type: 'object', properties: { a: {} }, additionalProperties: true }],
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['alternatives', { anyOf: [{ type: 'object' }] }],
    ['an object without properties', { type: 'object' }],
    ['patterns', { type: 'object', properties: {}, patternProperties: { a: {} } }],
  ];
  it.each(whole)('%s is one needed argument `body`', (_what, schema) => {
    const { input, bindings } = webhookInput(facts({ input: schema }));
    expect(input).toEqual({
      type: 'object',
      properties: { body: schema },
      required: ['body'],
      additionalProperties: false,
    });
    expect(bindings).toEqual([{ arg: 'body', in: 'body', name: '', contentType: 'application/json' }]);
  });

  it('a path parameter holds no slash, which n8n would take for a new segment', () => {
    const { input } = webhookInput(facts({ parameters: ['id'] }));
    expect(input).toMatchObject({ properties: { id: { type: 'string', pattern: '^[^/]+$' } } });
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    ['of no type', { description: 'Which.' }, { description: 'Which.', pattern: '^[^/]+$' }],
    ['of several types', { type: ['string', 'null'] }, { type: ['string', 'null'], pattern: '^[^/]+$' }],
    ['of a reference', { $ref: '#/$defs/Id' }, { $ref: '#/$defs/Id', pattern: '^[^/]+$' }],
    ['with a pattern of its own', { pattern: '^a/b$' }, { pattern: '^a/b$' }],
    ['of listed values', { enum: ['a/b'] }, { enum: ['a/b'] }],
    ['of a number', { type: 'integer' }, { type: 'integer' }],
  ])('nor does one %s, unless its author says what it holds', (_what, id, expected) => {
    const input = { type: 'object', properties: { id }, $defs: { Id: { type: 'string' } } };
    const made = webhookInput(facts({ parameters: ['id'], input }));
    expect((made.input['properties'] as Record<string, object>)['id']).toEqual(expected);
  });

  it('definitions stay at the root, where references find them', () => {
    const $defs = { Line: { type: 'string' } };
    const line = { $ref: '#/$defs/Line' };
    const { input } = webhookInput(facts({ input: { type: 'array', items: line, $defs } }));
    expect(input).toMatchObject({ properties: { body: { type: 'array', items: line } }, $defs });
    expect((input['properties'] as Record<string, object>)['body']).not.toHaveProperty('$defs');
  });

  it('names that no client takes are changed, and still arrive under their own', () => {
    const { bindings } = webhookInput(
      facts({ parameters: ['body'], input: { properties: { $top: {}, 'a b': {} } } }),
    );
    expect(bindings.map(({ arg, name }) => [arg, name])).toEqual([
      ['body', 'body'],
      ['_top', '$top'],
      ['a_b', 'a b'],
    ]);
  });
});

describe('nothing is declared', () => {
  it.each([
    ['POST', 'body', ''],
    ['PATCH', 'body', ''],
    ['GET', 'query', 'query'],
    ['DELETE', 'query', 'query'],
  ])('%s takes an open object %s that may be left out', (method, argument, name) => {
    const { input, bindings } = webhookInput(facts({ method }));
    expect(input).toMatchObject({
      properties: { [argument]: { type: 'object' } },
      additionalProperties: false,
    });
    expect(input).not.toHaveProperty('required');
    expect(bindings).toMatchObject([{ arg: argument, in: argument, name }]);
  });

  it('a sample with a query adds `query` to the body', () => {
    const { input } = webhookInput(facts({ sample: { query: { page: '1' }, body: { a: true } } }));
    expect(input).toMatchObject({
      properties: {
        body: { type: 'object', properties: { a: { type: 'boolean' } } },
        query: { type: 'object', properties: { page: { type: 'string' } } },
      },
    });
  });
});
