import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { createDynamicSchemas } from '../../../src/executors/azure/dynamic-schema.ts';
import { createHelperCalls } from '../../../src/executors/azure/helper-calls.ts';
import { createParameterOptions } from '../../../src/executors/azure/parameter-options.ts';
import { portableSchema, withInternalDefaults } from '../../../src/executors/azure/portable-schema.ts';
import type { AzureInvocation, Json, JsonObject, Operation } from '../../../src/operations/index.ts';
import {
  connectionOf,
  type FakeRoom,
  fakeRoom,
  inner,
  operationOf,
  QUICK,
  run,
} from './connector-under-test.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['title', 'version'],
  'x-ms-test': true,
  properties: {
    title: { type: 'string', 'x-ms-summary': 'Title', 'x-ms-visibility': 'important' },
    due: { type: 'string', format: 'date-time', 'x-nullable': true },
    version: { type: 'string', default: '2', 'x-ms-visibility': 'internal' },
    who: { $ref: '#/definitions/Person' },
  },
  definitions: { Person: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
};

const HELPER = operationOf(
  {
    operationId: 'GetSchema',
    path: '/schemas/{table}',
    bindings: [{ in: 'path', name: 'table', arg: 'table' }],
  },
  { input: { type: 'object', properties: { table: { type: 'string' } }, required: ['table'] } },
);

const shapes = (argument: string) => [
  { argument, operation: 'GetSchema', parameters: { table: { argument: '/table' } }, schema: 'schema' },
];

const CREATE = operationOf(
  {
    operationId: 'CreateItem',
    method: 'POST',
    path: '/tables/{table}/items',
    bindings: [
      { in: 'path', name: 'table', arg: 'table' },
      { in: 'body', name: '', arg: 'item', contentType: 'application/json' },
    ],
    body: { contentType: 'application/json', required: true },
    shapes: shapes('/item'),
  },
  { access: 'write' },
);

const service = (answer: Json = { schema: SCHEMA }, helpers: readonly Operation[] = [HELPER]): FakeRoom =>
  fakeRoom(({ path }) => (path.startsWith('/schemas/') ? inner('OK', answer) : inner('Created', { id: 1 })), {
    helpers,
  });

const sent = (room: FakeRoom) => room.envelopes.find(({ path }) => path.startsWith('/tables'))?.body;

describe('an argument whose schema the connector tells', () => {
  it('is checked by it, and gets the defaults of what is hidden', async () => {
    const room = service();
    await run(room, CREATE, { table: 'a b', item: { title: 'x', due: null, who: { name: 'Ann' } } });
    expect(room.envelopes[0]!.path).toBe('/schemas/a%20b');
    expect(sent(room)).toEqual({ title: 'x', due: null, who: { name: 'Ann' }, version: '2' });
  });

  it.each([
    ['a missing member', {}, '/item/title'],
    ['a wrong type', { title: 5 }, '/item/title'],
    ['something deep inside', { title: 'x', who: { name: 'Annabel' } }, '/item/who/name'],
    ['a value that is no object', 'x', '/item'],
  ])('is refused for %s, before it is sent', async (_, item, pointer) => {
    const room = service();
    await expect(run(room, CREATE, { table: 't', item })).rejects.toMatchObject({
      code: 'arguments_invalid',
      pointer,
      message: expect.stringMatching(/^Argument item does not fit the schema that the connector tells now: /),
      details: { argument: '/item', errors: [{ pointer }], schema: { type: 'object', required: ['title'] } },
    });
    expect(sent(room)).toBeUndefined();
  });

  it.each([
    ['the schema cannot be had', service('nothing'), {}],
    ['there is no helper', service({}, []), {}],
    ['it is switched off', service(), { settings: () => ({ dynamicValues: 'off' as const, pages: 1 }) }],
  ])('goes on unchecked where %s', async (_, room, options) => {
    await run(room, CREATE, { table: 't', item: { title: 5 } }, { options });
    expect(sent(room)).toEqual({ title: 5 });
  });

  it('goes on where the engine does not take the schema', async () => {
    const room = service();
    const validate = () => {
      throw new ToolcribError('schema_refused', 'too deep');
    };
    await run(room, CREATE, { table: 't', item: { title: 5 } }, { options: { validate } });
    expect(sent(room)).toEqual({ title: 5, version: '2' });
  });

  it('goes on unchecked where the schema takes too long', async () => {
    const room = { ...service(), helper: () => new Promise<undefined>(() => {}) } as FakeRoom;
    await run(room, CREATE, { table: 't', item: { title: 5 } }, { options: { adviceMs: 1 } });
    expect(sent(room)).toEqual({ title: 5 });
  });

  it('may be the body by its properties', async () => {
    const { bindings: _, ...invocation } = CREATE.invocation as AzureInvocation;
    const operation: Operation = {
      ...CREATE,
      invocation: {
        ...invocation,
        bindings: [
          { in: 'path', name: 'table', arg: 'table' },
          { in: 'body', name: 'title', arg: 'body_title', contentType: 'application/json' },
          { in: 'body', name: 'version', arg: 'version', contentType: 'application/json' },
        ],
        shapes: shapes(''),
      },
    };
    const room = service();
    await run(room, operation, { table: 't', body_title: 'x' });
    expect(sent(room)).toEqual({ title: 'x', version: '2' });
    await expect(run(room, operation, { table: 't', body_title: 5 })).rejects.toMatchObject({
      pointer: '/body_title',
    });
  });

  it('may be told as text', async () => {
    await expect(
      run(service({ schema: JSON.stringify(SCHEMA) }), CREATE, { table: 't', item: {} }),
    ).rejects.toMatchObject({
      pointer: '/item/title',
    });
  });

  it('is told to whoever asks', async () => {
    const helpers = createHelperCalls({ rooms: async () => service(), retry: QUICK });
    const find = createParameterOptions(helpers, createDynamicSchemas(helpers));
    const question = { operation: CREATE, connection: connectionOf(), signal: new AbortController().signal };
    const [item] = await find({ ...question, arguments: { table: 't' }, argument: 'item' });
    expect(item).toEqual({
      argument: '/item',
      schema: {
        type: 'object',
        properties: {
          title: { type: 'string', title: 'Title' },
          due: { type: ['string', 'null'], format: 'date-time' },
          who: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
        },
        required: ['title'],
      },
    });
    await expect(find({ ...question, arguments: {}, argument: 'item' })).rejects.toMatchObject({
      pointer: '/table',
    });
  });

  it('keeps its schema: the same answer is the same object', async () => {
    const helpers = createHelperCalls({ rooms: async () => service(), retry: QUICK });
    const schemas = createDynamicSchemas(helpers);
    const question = {
      operation: CREATE,
      arguments: { table: 't' },
      connection: connectionOf(),
      signal: new AbortController().signal,
    };
    const [shape] = shapes('/item');
    const [first, second] = [
      await schemas.schemaOf(shape!, question),
      await schemas.schemaOf(shape!, question),
    ];
    expect(first).toBe(second);
  });
});

describe("Swagger's dialect as JSON Schema", () => {
  it.each([
    [
      'limits that exclude',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'required at the property',
      { properties: { a: { type: 'string', required: true } } },
      { properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    [
      'null among values',
      { type: 'string', enum: ['a'], 'x-nullable': true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['a file', { type: 'file' }, { type: 'string' }],
    ['a wrapped schema', { schema: { type: 'object' } }, { type: 'object' }],
    [
      'a reference that leads nowhere',
      { type: 'object', properties: { a: { $ref: '#/x' } } },
      { type: 'object', properties: { a: {} } },
    ],
    ['combinations', { allOf: [{ type: 'object', 'x-ms-y': 1 }] }, { allOf: [{ type: 'object' }] }],
    [
      'lists',
      { type: 'array', items: { type: 'integer', format: 'int32' } },
      { type: 'array', items: { type: 'integer', format: 'int32' } },
    ],
    ['no schema', 'text', undefined],
    ['an empty one', {}, undefined],
  ])('%s', (_, raw, schema) => {
    expect(portableSchema(raw as Json)).toEqual(schema);
  });

  it('ends in schemas that contain themselves', () => {
    const raw: JsonObject = { type: 'object', properties: { next: { $ref: '#' } } };
    expect(JSON.stringify(portableSchema(raw)).length).toBeLessThan(3000);
    expect(withInternalDefaults(raw, { next: { next: {} } })).toEqual({ next: { next: {} } });
  });

  it('fills in what is hidden at every depth, and nothing that is given', () => {
    const raw = {
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: { kind: { default: 'k', 'x-ms-visibility': 'internal' }, n: { default: 1 } },
          },
        },
      },
    };
    expect(withInternalDefaults(raw, { rows: [{}, { kind: 'own' }] })).toEqual({
      rows: [{ kind: 'k' }, { kind: 'own' }],
    });
  });
});
