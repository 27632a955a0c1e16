import { describe, expect, it } from 'vitest';
import type { Description } from '../../../src/operations/index.ts';
import type { ProviderManifest, ProviderOperation } from '../../../src/sources/manifest/index.ts';
import { compareWithOpenApi } from '../../../src/sources/manifest/lint/compare-openapi.ts';
import { lintManifest } from '../../../src/sources/manifest/lint/lint-manifest.ts';
import { readManifest } from '../../../src/sources/manifest/read-manifest.ts';
import { describeOpenApi } from '../../../src/sources/openapi/describe.ts';
import { manifestWith } from './item-manifest.ts';

const read = (operation: Partial<ProviderOperation>, head: Partial<ProviderManifest> = {}) =>
  readManifest(JSON.stringify(manifestWith(operation, head), null, 1), 'items.yaml');

async function findings(operation: Partial<ProviderOperation>, head: Partial<ProviderManifest> = {}) {
  return lintManifest(await read(operation, head)).map(({ severity, code, message }) => [
    severity,
    code,
    message,
  ]);
}

const clear = { description: 'Tries something out.' };

describe('lint', () => {
  it('has nothing against a good operation', async () => {
    expect(await findings(clear)).toEqual([]);
  });

  it.each<[Partial<ProviderOperation>, Partial<ProviderManifest>, string, string, RegExp]>([
    [{ description: 'Tries.' }, {}, 'warning', 'description-short', /tells a model too little/],
    [{ params: { x: { type: 'string' } } }, {}, 'warning', 'description-missing', /argument x/],
    [{ access: 'write' }, {}, 'warning', 'access-unexpected', /is GET but write/],
    [{ method: 'POST', access: 'read' }, {}, 'warning', 'access-unexpected', /is POST but read/],
    [{ method: 'PUT', access: 'dangerous' }, {}, 'warning', 'access-unexpected', /is PUT but dangerous/],
    [{ method: 'DELETE', access: 'write' }, {}, 'warning', 'access-unexpected', /is DELETE but write/],
    [{ path: '/admin/x' }, {}, 'info', 'operation-blocked', /closed by \/admin/],
    [{ id: 'x'.repeat(60) }, {}, 'warning', 'name-long', /more than 64/],
    [{ verified: false }, {}, 'info', 'not-verified', /try_it/],
    [{}, { parameters: { page: { description: 'Page.' } } }, 'warning', 'parameter-unused', /page/],
    [
      { parameters: ['page'] },
      { parameters: { page: { type: 'integer' } } },
      'warning',
      'description-missing',
      /shared parameter page/,
    ],
    [
      {},
      { regions: { eu: { baseUrl: 'https://eu.example.com', verified: false } } },
      'info',
      'not-verified',
      /region eu/,
    ],
    [{ path: '/{id}' }, {}, 'error', 'operation-invalid', /not declared/],
  ])('%j %j', async (operation, head, severity, code, message) => {
    expect(await findings({ ...clear, ...operation }, head)).toEqual([
      [severity, code, expect.stringMatching(message)],
    ]);
  });

  it('is content where a reason is given', async () => {
    const operation = { ...clear, method: 'POST', access: 'read', accessReason: 'It only asks.' } as const;
    expect(await findings(operation)).toEqual([]);
  });

  it('says where', async () => {
    const [finding] = lintManifest(await read({ ...clear, access: 'write' }));
    expect(finding!.pointer).toBe('#/operations/0');
    expect(finding!.location).toMatch(/^items\.yaml:\d+$/);
  });
});

const document = {
  openapi: '3.1.0',
  info: { title: 'Items', version: '2' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/v2/try/{key}': {
      get: {
        operationId: 'tryIt',
        parameters: [
          { name: 'key', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'owner', in: 'query', required: true, schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'ok' } },
      },
      put: {
        parameters: [{ name: 'key', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Wrapped' } } },
        },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
  components: {
    schemas: {
      Wrapped: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
      },
      Item: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, size: { type: 'integer' } },
      },
    },
  },
};

const described: Promise<Description> = describeOpenApi('/items.json', {
  name: 'items',
  baseDirectory: '/',
  reader: { read: async () => Buffer.from(JSON.stringify(document)) },
  signal: new AbortController().signal,
});

async function differences(operation: Partial<ProviderOperation>): Promise<unknown[]> {
  const found = compareWithOpenApi(await read({ ...clear, ...operation }), await described);
  return found.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}

const id = { id: { type: 'string', description: 'Which one.' } } as const;
const owner = { owner: { type: 'string', required: true, description: 'Whose.' } } as const;

describe('a manifest beside an OpenAPI document', () => {
  it('agrees, whatever placeholders are called and wherever the base path stands', async () => {
    expect(await differences({ path: '/try/{id}', params: { ...id, ...owner } })).toEqual([]);
  });

  it.each<[Partial<ProviderOperation>, string[]]>([
    [{ path: '/other' }, ['error openapi-path-missing: try_it: the document has no path /other.']],
    [
      { method: 'DELETE', access: 'delete', path: '/try/{id}', params: id },
      ['error openapi-method-missing: try_it: the document has /try/{id} with GET, PUT, not with DELETE.'],
    ],
    [
      { path: '/try/{id}', params: id },
      ['error openapi-required-unasked: try_it: the document requires owner in query.'],
    ],
    [
      { path: '/try/{id}', params: { ...id, owner: { type: 'string' } } },
      ['warning openapi-required-optional: try_it: the document requires owner.'],
    ],
    [
      { path: '/try/{id}', params: { ...id, ...owner, limit: { type: 'string' }, page: {} } },
      [
        'warning openapi-type-differs: try_it: limit is string here and integer in the document.',
        'warning openapi-parameter-missing: try_it: query parameter page: the document does not know it.',
      ],
    ],
    [
      {
        method: 'PUT',
        access: 'write',
        path: '/try/{id}',
        params: id,
        body: { size: { type: 'integer' }, colour: {} },
        meta: { wrapInData: true },
      },
      [
        'warning openapi-parameter-missing: try_it: body parameter colour: the document does not know it.',
        'error openapi-required-unasked: try_it: the document requires name in body.',
      ],
    ],
  ])('%j', async (operation, expected) => {
    expect(await differences(operation)).toEqual(expected);
  });
});
