import { expect, it } from 'vitest';
import { compileSource } from '../../../src/compiler/compile-source.ts';
import { ToolcribError } from '../../../src/errors.ts';
import { describeText } from './describing.ts';

const OPTIONS = {
  source: 'odd',
  kind: 'openapi',
  profile: 'portable',
  outputSchemas: 'relaxed',
  maxOutputSchemaSize: 20_000,
} as const;

type Node = Record<string, unknown>;

/** What no document should hold, and a careless program falls over. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1.5,
  '',
  '#/nowhere',
  [],
  [null],
  {},
  { toString: {}, valueOf: 1 },
  [{ toString: 'x' }],
  JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "$ref": {"toString": {}}}'),
];

const MODERN = {
  openapi: '3.1.0',
  info: { title: 'Odd', version: '1', description: 'd', 'x-llm-hints': { purpose: 'p' } },
  servers: [
    { url: 'https://{h}.example/{v}', variables: { h: { default: 'a', enum: ['a'] }, v: { default: 1 } } },
  ],
  security: [{ key: [] }, { oauth: ['read'] }],
  tags: [{ name: 't', description: 'd' }],
  paths: {
    '/a/{id}': {
      summary: 's',
      parameters: [{ $ref: '#/components/parameters/Id' }],
      post: {
        operationId: 'a',
        summary: 's',
        description: 'd',
        tags: ['t'],
        deprecated: true,
        'x-llm-hints': { purpose: 'p', examples: [{ arguments: { id: 1 } }], requires_confirmation: true },
        parameters: [
          {
            name: 'q',
            in: 'query',
            style: 'form',
            explode: false,
            schema: { type: 'array', items: { type: 'string' } },
          },
          {
            name: 'd',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { a: { type: 'integer' } } },
          },
          { name: 'X-H', in: 'header', example: 'x', schema: { type: 'string', enum: ['x', 'y'] } },
          { name: 'c', in: 'cookie', content: { 'application/json': { schema: { const: { a: 1 } } } } },
        ],
        requestBody: {
          required: true,
          description: 'd',
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['f'],
                properties: { f: { type: 'string', format: 'binary' }, n: { type: 'number', default: 1 } },
              },
              encoding: { n: { contentType: 'text/plain', headers: { 'X-P': { schema: { const: 'p' } } } } },
            },
          },
        },
        responses: {
          200: {
            description: 'd',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/It' } } },
          },
          default: { $ref: '#/components/responses/E' },
        },
        callbacks: { c: { '{$request.body#/u}': { post: { responses: {} } } } },
        servers: [{ url: '/b' }],
        security: [{ basic: [] }],
      },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: ['integer', 'null'] } } },
    responses: { E: { description: 'd', content: { 'text/plain': { schema: { type: 'string' } } } } },
    schemas: {
      It: {
        title: 't',
        allOf: [{ type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] }],
        oneOf: [{ properties: { kind: { const: 'x' } } }, { $ref: '#/components/schemas/Other' }],
        discriminator: { propertyName: 'kind', mapping: { x: '#/components/schemas/Other' } },
        additionalProperties: { type: 'string', pattern: '^a$' },
        examples: [{ id: 1 }],
        'x-ms-enum': { name: 'n', values: [{ value: 'v', description: 'd' }] },
      },
      Other: {
        type: 'array',
        prefixItems: [{ type: 'string' }],
        items: false,
        minItems: 1,
        $defs: { D: {} },
      },
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      basic: { type: 'http', scheme: 'basic' },
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: { read: 'r' } } },
      },
    },
  },
};

const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Odd', version: '1' },
  host: 'a.example',
  basePath: '/v1',
  schemes: ['https'],
  consumes: ['application/json'],
  produces: ['application/json'],
  securityDefinitions: {
    oauth: { type: 'oauth2', flow: 'application', tokenUrl: 'https://a.example/t', scopes: { read: 'r' } },
    key: { type: 'apiKey', in: 'query', name: 'k' },
  },
  paths: {
    '/a/{id}': {
      get: {
        operationId: 'a',
        parameters: [
          { name: 'id', in: 'path', required: true, type: 'string', 'x-ms-url-encoding': 'double' },
          {
            name: 'l',
            in: 'query',
            type: 'array',
            collectionFormat: 'tsv',
            items: { type: 'array', items: { type: 'string' } },
          },
        ],
        responses: { 200: { description: 'd', schema: { $ref: '#/definitions/It' } } },
        security: [{ oauth: ['read'] }],
        'x-ms-pageable': { nextLinkName: 'next' },
        'x-ms-visibility': 'important',
      },
      post: {
        consumes: ['application/x-www-form-urlencoded'],
        parameters: [
          { name: 'f', in: 'formData', type: 'array', collectionFormat: 'ssv', items: { type: 'integer' } },
        ],
        responses: { 204: { description: 'd' } },
      },
      put: {
        parameters: [{ name: 'b', in: 'body', required: true, schema: { $ref: '#/definitions/It' } }],
        responses: { 200: { description: 'd' } },
      },
    },
  },
  definitions: { It: { type: 'object', discriminator: 'kind', properties: { kind: { type: 'string' } } } },
};

/** Every place of a value, in order. */
function* placesOf(value: unknown, place: readonly string[] = []): Iterable<readonly string[]> {
  yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* placesOf(member, [...place, key]);
}

function replaced(document: object, place: readonly string[], value: unknown): object {
  const copy = structuredClone(document) as Node;
  let at = copy;
  for (const key of place.slice(0, -1)) at = at[key] as Node;
  at[place.at(-1)!] = value;
  return copy;
}

async function faultOf(document: object): Promise<string | undefined> {
  try {
    compileSource(await describeText(document), OPTIONS);
    return undefined;
  } catch (error) {
    return error instanceof ToolcribError && error.code !== 'internal'
      ? undefined
      : String((error as Error).stack);
  }
}

it.each([
  ['3.1', MODERN],
  ['2.0', SWAGGER],
])('no value in a document of %s makes more than a diagnostic or a refusal', async (_version, document) => {
  const faults: string[] = [];
  for (const place of placesOf(document)) {
    if (place.length === 0) continue;
    for (const value of ODD) {
      const fault = await faultOf(replaced(document, place, value));
      if (fault !== undefined) faults.push(`#/${place.join('/')} as ${JSON.stringify(value)}: ${fault}`);
    }
  }
  expect(faults).toEqual([]);
});
