import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import type { ProviderManifest, ProviderOperation } from '../../../src/sources/manifest/index.ts';
import { compareWithOpenApi } from '../../../src/sources/manifest/lint/compare-openapi.ts';
import { readManifest } from '../../../src/sources/manifest/read-manifest.ts';
import { describeOpenApi } from '../../../src/sources/openapi/describe.ts';
import { manifestWith } from './item-manifest.ts';

interface Compared {
  /** What the document says of `POST /try`. */
  readonly documented?: JsonObject;
  readonly path?: string;
  readonly server?: string;
  readonly schemas?: JsonObject;
  readonly operation?: Partial<ProviderOperation>;
  readonly head?: Partial<ProviderManifest>;
}

async function differences({
  documented = {},
  path = '/try',
  server = 'https://api.example.com/v2',
  schemas = {},
  operation = {},
  head = {},
}: Compared): Promise<string[]> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Items', version: '2' },
    servers: [{ url: server }],
    paths: { [path]: { post: { responses: { 200: { description: 'ok' } }, ...documented } } },
    components: { schemas },
  };
  const described = await describeOpenApi('/items.json', {
    name: 'items',
    baseDirectory: '/',
    reader: { read: async () => Buffer.from(JSON.stringify(document)) },
    signal: new AbortController().signal,
  });
  const manifest = manifestWith({ method: 'POST', access: 'write', ...operation }, head);
  const found = compareWithOpenApi(await readManifest(JSON.stringify(manifest), 'items.yaml'), described);
  return found.map(({ severity, message }) => `${severity} ${message}`);
}

const body = (schema: JsonObject, required = true): JsonObject => ({
  requestBody: { required, content: { 'application/json': { schema } } },
});
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const parameter = (more: JsonObject): JsonObject => ({
  parameters: [{ name: 'v', in: 'query', schema: { type: 'string' }, ...more }],
});
const text = { type: 'string' };
const named = { name: { type: 'string', required: true } } as const;
const sized = { size: { type: 'integer' } } as const;
const forms = [object({ name: text }, 'name'), object({ size: text })];

it.each<[string, Compared]>([
  ['paths below the server', { path: '/try/' }],
  ['paths with a query', { path: '/try?kind=all', operation: { path: '/try' } }],
  ['a server that is the base URL', { head: { baseUrl: 'https://api.example.com/v2/' } }],
  ['paths that hold the base URL', { path: '/v2/try', server: 'https://api.example.com/' }],
  [
    'headers in any case',
    {
      documented: parameter({ name: 'X-V', in: 'header', required: true }),
      operation: { params: { 'x-v': { in: 'header', type: 'string', required: true } } },
    },
  ],
  [
    'who is acted for',
    {
      documented: parameter({ name: 'X-Acts', in: 'header', required: true }),
      head: { onBehalfOf: { in: 'header', name: 'x-acts' } },
    },
  ],
  [
    'a key in the query',
    {
      documented: parameter({ name: 'key', required: true }),
      head: { auth: { type: 'api-key', in: 'query', parameter: 'key' } },
    },
  ],
  [
    'a key in a header',
    {
      documented: parameter({ name: 'x-api-key', in: 'header', required: true }),
      head: { auth: [{ type: 'bearer' }, { type: 'api-key' }] },
    },
  ],
  ['what is always sent', { documented: parameter({ schema: { const: 'x' }, required: true }) }],
  [
    'one name in two places',
    {
      documented: {
        ...body(object({ v: { type: 'integer' } })),
        ...parameter({ in: 'header' }),
      },
      operation: { params: { v: { in: 'header', type: 'string' } }, body: { v: { type: 'integer' } } },
    },
  ],
  [
    'a type among others',
    { documented: body(object({ name: { type: ['null', 'string'] } })), operation: { body: named } },
  ],
  [
    'numbers that are whole here',
    { documented: body(object({ size: { type: 'number' } })), operation: { body: sized } },
  ],
  [
    'a file that is a text in the document',
    {
      documented: {
        requestBody: {
          content: { 'multipart/form-data': { schema: object({ f: { ...text, format: 'binary' } }) } },
        },
      },
      operation: { contentType: 'multipart', body: { f: { type: 'file' } } },
    },
  ],
  [
    'a body that may be left out',
    { documented: body(object({ name: text }, 'name'), false), operation: { body: named } },
  ],
  [
    'records within data',
    {
      documented: body(object({ data: object({ name: text }, 'name') }, 'data'), false),
      operation: { body: named, meta: { wrapInData: true } },
    },
  ],
  [
    'a list of records',
    { documented: body({ type: 'array', items: object({ name: text }) }), operation: { body: named } },
  ],
  [
    'a body of several forms, each with what it takes and requires',
    { documented: body({ oneOf: forms }), operation: { body: sized } },
  ],
  [
    'records of several forms',
    {
      documented: body({ anyOf: forms.map((form) => object({ data: form })) }),
      operation: { body: { ...named, ...sized }, meta: { wrapInData: true } },
    },
  ],
  [
    'forms that hold themselves',
    {
      documented: body({ $ref: '#/components/schemas/Any' }),
      schemas: {
        Any: {
          anyOf: [{ type: 'array', items: { $ref: '#/components/schemas/Any' } }, object({ name: text })],
        },
      },
      operation: { body: named },
    },
  ],
])('a manifest and an OpenAPI document agree on %s', async (_what, compared) => {
  expect(await differences(compared)).toEqual([]);
});

it.each<[string[], Compared]>([
  [
    ['warning try_it: header parameter v: the document has it in query.'],
    { documented: parameter({}), operation: { params: { v: { in: 'header', type: 'string' } } } },
  ],
  [
    ['warning try_it: query parameter V: the document does not know it.'],
    { documented: parameter({}), operation: { params: { V: { type: 'string' } } } },
  ],
  [
    ['error try_it: the document requires key in header.'],
    {
      documented: parameter({ name: 'key', in: 'header', required: true }),
      head: { auth: { type: 'api-key', in: 'query', parameter: 'key' } },
    },
  ],
  [
    ['error try_it: the document requires x-acts in query.'],
    {
      documented: parameter({ name: 'x-acts', required: true }),
      head: { onBehalfOf: { in: 'header', name: 'x-acts' } },
    },
  ],
  [
    ['warning try_it: the document requires data.'],
    {
      documented: body(object({ data: object({ name: text }, 'name') }, 'data')),
      operation: { body: { data: { type: 'object' } } },
    },
  ],
  [
    ['error try_it: the document requires name in body.'],
    { documented: body(object({ name: text }, 'name'), false) },
  ],
  [
    ['error try_it: the document requires name in body.'],
    {
      documented: body({ allOf: [object({ name: text }, 'name')], oneOf: forms }),
      operation: { body: sized },
    },
  ],
  [
    ['warning try_it: name is integer here and string in the document.'],
    {
      documented: body(object({ name: { type: ['null', 'string'] } })),
      operation: { body: { name: { type: 'integer' } } },
    },
  ],
  [
    ['warning try_it: a/b is integer here and string in the document.'],
    {
      documented: body(object({ 'a/b': { $ref: '#/components/schemas/a~1b' } }), false),
      schemas: { 'a/b': text },
      operation: { body: { 'a/b': { type: 'integer' } } },
    },
  ],
])('%s', async (expected, compared) => {
  expect(await differences(compared)).toEqual(expected);
});
