import { describe, expect, it } from 'vitest';
import { describeOne, get, jsonResponse, openapi, swagger } from './describing.ts';

const withResponses = (responses: object, components: object = {}): object =>
  openapi(get({ responses }), { components });
const json = (schema: object): object => ({ description: 'ok', content: { 'application/json': { schema } } });

describe('output', () => {
  it('an object is published as it is, with its definitions', async () => {
    const schemas = {
      Pet: {
        type: 'object',
        description: 'A pet.',
        properties: { parent: { $ref: '#/components/schemas/Pet' } },
      },
    };
    const { operation, invocation } = await describeOne(
      withResponses({ 200: json({ $ref: '#/components/schemas/Pet' }) }, { schemas }),
    );
    const pet = { type: 'object', description: 'A pet.', properties: { parent: { $ref: '#/$defs/Pet' } } };
    expect(operation.output).toEqual({ ...pet, $defs: { Pet: pet } });
    expect(invocation.wrapsResult).toBeUndefined();
  });

  it('allOf of objects is an object', async () => {
    const schema = { allOf: [{ type: 'object', properties: { a: {} } }, { properties: { b: {} } }] };
    const { operation } = await describeOne(withResponses({ 200: json(schema) }));
    expect(operation.output).toEqual({ type: 'object', ...schema });
  });

  it.each<[string, object]>([
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['a primitive', { type: 'string', enum: ['a'] }],
    ['a union', { oneOf: [{ type: 'object', properties: { a: {} } }, { type: 'string' }] }],
    ['an object or null', { type: ['object', 'null'], properties: { a: {} } }],
  ])('%s is wrapped', async (_what, schema) => {
    const { operation, invocation } = await describeOne(withResponses({ 200: json(schema) }));
    expect(operation.output).toEqual({
      type: 'object',
      properties: { result: schema },
      required: ['result'],
    });
    expect(invocation.wrapsResult).toBe(true);
  });

  it.each<[string, object]>([
    ['an empty schema', { 200: json({}) }],
    ['an object that says nothing', { 200: json({ type: 'object' }) }],
    ['no schema', { 200: { content: { 'application/json': {} } } }],
    ['no JSON', { 200: { content: { 'text/csv': { schema: { type: 'string' } } } } }],
    ['no content', { 204: { description: 'done' } }],
    ['only errors', { 404: json({ type: 'object', properties: { a: {} } }) }],
    ['null', { 200: null }],
    ['bytes, though as JSON', { 200: json({ type: 'string', format: 'binary' }) }],
    ['bytes or null', { 200: json({ anyOf: [{ type: 'string', format: 'binary' }, { type: 'null' }] }) }],
  ])('%s has none', async (_what, responses) => {
    const { operation, invocation } = await describeOne(withResponses(responses));
    expect(operation.output).toBeUndefined();
    expect(invocation.wrapsResult).toBeUndefined();
  });

  it.each<[string, string[], string]>([
    ['200 before others', ['201', '200'], '200'],
    ['any 2xx', ['202', '404'], '202'],
    ['2XX', ['2XX', 'default'], '2XX'],
    ['default if nothing else', ['default', '400'], 'default'],
  ])('taken from %s', async (_what, codes, expected) => {
    const responses = Object.fromEntries(
      codes.map((code) => [
        code,
        code === expected || code > '3' || code === 'default'
          ? json({ type: 'object', properties: { [`of${code}`]: {} } })
          : { description: 'none' },
      ]),
    );
    const { operation } = await describeOne(withResponses(responses));
    expect(Object.keys(operation.output?.properties as object)).toEqual([`of${expected}`]);
  });

  it('successes that differ are alternatives; the same one twice is not', async () => {
    const [a, b] = [
      { type: 'object', properties: { a: {} } },
      { type: 'object', properties: { b: {} } },
    ];
    const differ = await describeOne(withResponses({ 200: json(a), 202: json(b) }));
    expect(differ.operation.output).toMatchObject({ properties: { result: { anyOf: [a, b] } } });
    expect(differ.invocation.wrapsResult).toBe(true);
    const same = { $ref: '#/components/schemas/A' };
    const alike = await describeOne(
      withResponses({ 200: json(same), 201: json({ ...same }) }, { schemas: { A: a } }),
    );
    expect(alike.operation.output).toEqual(a);
  });

  it('leaves writeOnly properties out', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, secret: { writeOnly: true } } };
    expect((await describeOne(openapi(get(jsonResponse(schema))))).operation.output).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
  });

  it('Swagger 2.0', async () => {
    const responses = {
      200: { description: 'ok', schema: { type: 'array', items: { $ref: '#/definitions/A' } } },
    };
    const { operation } = await describeOne(
      swagger(get({ responses }), { definitions: { A: { type: 'string', 'x-nullable': true } } }),
    );
    expect(operation.output).toMatchObject({
      properties: { result: { items: { $ref: '#/$defs/A' } } },
      $defs: { A: { type: ['string', 'null'] } },
    });
  });

  it('Swagger 2.0: what may be null is no bare object, a file promises nothing', async () => {
    const answering = async (schema: object) =>
      (await describeOne(swagger(get({ responses: { 200: { description: 'ok', schema } } })))).operation
        .output;
    const properties = { a: { type: 'string' } };
    expect(await answering({ type: 'object', properties })).toEqual({ type: 'object', properties });
    expect(await answering({ type: 'object', properties, 'x-nullable': true })).toMatchObject({
      properties: { result: { type: ['object', 'null'], properties } },
    });
    expect(await answering({ type: 'file' })).toBe(undefined);
  });
});

describe('records (3.2 "Sequential Media Types")', () => {
  const record = { type: 'object', properties: { a: { type: 'integer' } } };
  const list = { type: 'array', items: record };
  const answered = async (content: object, version = '3.2.1') => {
    const { operation, invocation } = await describeOne({
      ...withResponses({ 200: { description: 'ok', content } }),
      openapi: version,
    });
    return [operation.output, invocation.wrapsResult];
  };
  const wrapped = { type: 'object', properties: { result: list }, required: ['result'] };

  it.each<[string, object]>([
    ['application/jsonl', { itemSchema: record }],
    ['application/geo+json-seq', { itemSchema: record }],
    ['application/x-ndjson', { schema: list }],
    ['application/x-ndjson', { schema: list, itemSchema: { type: 'object' } }],
  ])('of %s are a list: %j', async (mediaType, media) => {
    expect(await answered({ [mediaType]: media })).toEqual([wrapped, true]);
  });

  it('promise nothing beside JSON, or where a schema may speak of one of them', async () => {
    const content = { 'application/json': { schema: record }, 'application/jsonl': { itemSchema: {} } };
    expect(await answered(content)).toEqual([record, undefined]);
    expect(await answered({ 'application/jsonl': { schema: record } })).toEqual([undefined, undefined]);
    expect(await answered({ 'application/jsonl': { schema: list } }, '3.1.0')).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('accept', () => {
  it('names the media types of success, JSON first', async () => {
    const content = {
      'text/csv': {},
      'application/xml': {},
      'application/hal+json': {},
      'application/json': {},
    };
    const { invocation } = await describeOne(
      withResponses({ 200: { content }, 404: { content: { 'text/html': {} } } }),
    );
    expect(invocation.accept).toEqual([
      'application/json',
      'application/hal+json',
      'text/csv',
      'application/xml',
    ]);
  });

  it('produces (2.0), of the operation before the document', async () => {
    const responses = { 200: { description: 'ok', schema: { type: 'file' } } };
    const document = swagger(get({ responses, produces: ['image/png'] }), { produces: ['application/json'] });
    expect((await describeOne(document)).invocation.accept).toEqual(['image/png']);
  });

  it('a broken response is reported', async () => {
    const { codes, invocation } = await describeOne(
      withResponses({ 200: { $ref: '#/components/responses/none' } }),
    );
    expect(codes).toEqual(['reference-broken']);
    expect(invocation.accept).toEqual([]);
  });
});

it.each<[string, object, boolean]>([
  ['a bare string of any status', { default: { type: 'string' } }, false],
  ['a string of any status that is said to be more', { default: { type: 'string', maxLength: 5 } }, true],
  ['an object of any status', { default: { type: 'object', properties: { a: {} } } }, true],
  ['a bare string of success', { 200: { type: 'string' }, default: { type: 'string' } }, true],
])('%s: whether it promises something', async (_what, schemas, promises) => {
  const responses = Object.fromEntries(
    Object.entries(schemas).map(([code, schema]) => [code, { content: { 'application/json': { schema } } }]),
  );
  const { operation } = await describeOne(openapi(get({ responses })));
  expect(operation.output !== undefined).toBe(promises);
});
