import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  canonicalHash,
  type HttpInvocation,
  type JsonObject,
  parsePointer,
  valueAt,
} from '../../../src/operations/index.ts';
import {
  describeOne,
  describeText,
  get,
  jsonBody,
  jsonResponse,
  openapi,
  post,
  swagger,
} from './describing.ts';

describe('ids and names', () => {
  it.each([
    ['查询用户', 'get_users_id'],
    ['получитьПользователя', 'get_users_id'],
    ['用户1', 'get_users_id'],
    ['用户list', undefined],
    ['données', undefined],
    ['ｇｅｔ', undefined],
    ['1.2', undefined],
  ])(
    'an operationId of which no letter would be left leaves the name to method and path: %s',
    async (operationId, name) => {
      const { operations } = await describeText(
        JSON.stringify(openapi({ '/users/{id}': { get: { operationId, responses: {} } } })),
      );
      expect(operations).toMatchObject([{ id: operationId }]);
      expect(operations[0]?.name).toBe(name);
    },
  );

  it('the operationId is the id; without one method and path are, with a readable name', async () => {
    const document = openapi({
      '/pets/{id}': { get: { operationId: 'Pets.get-One' }, delete: {} },
      '/': { get: {} },
    });
    const { operations } = await describeText(document);
    expect(operations.map(({ id, name }) => [id, name])).toEqual([
      ['Pets.get-One', undefined],
      ['DELETE /pets/{id}', 'delete_pets_id'],
      ['GET /', 'get_root'],
    ]);
  });

  it('an operationId that stands twice gets its place added the second time', async () => {
    const { operations, diagnostics } = await describeText(
      openapi({ ...get({ operationId: 'x' }), ...post({ operationId: 'x' }, '/b') }),
    );
    expect(operations.map((operation) => operation.id)).toEqual(['x', 'x POST /b']);
    expect(diagnostics).toMatchObject([{ code: 'operation-id-duplicate', pointer: '#/paths/~1b/post' }]);
  });

  it('operations that share an operationId and their texts end with their places', async () => {
    const document = openapi({
      '/cities/{id}': { delete: { operationId: 'drop', summary: 'Delete it' } },
      '/roads/{id}': { delete: { operationId: 'drop', summary: 'Delete it' } },
      '/lakes/{id}': { delete: { operationId: 'drop', summary: 'Delete a lake' } },
      '/seas/{id}': { delete: { operationId: 'drain', summary: 'Delete it' } },
    });
    const { operations } = await describeText(document);
    expect(operations.map(({ description }) => description)).toEqual([
      'Delete it\n\nDELETE /cities/{id}',
      'Delete it\n\nDELETE /roads/{id}',
      'Delete a lake',
      'Delete it',
    ]);
  });

  it('a PATCH that says nowhere what to change is told of, an action is not', async () => {
    const { diagnostics } = await describeText(
      openapi({
        '/a/{id}': { patch: { summary: 'Change it' }, put: { summary: 'Star it' } },
        '/b/{id}': { patch: jsonBody({ type: 'object' }) },
        '/c/{id}': { patch: { parameters: [{ name: 'name', in: 'query', schema: { type: 'string' } }] } },
      }),
    );
    const told = diagnostics.filter(({ code }) => code === 'body-undeclared');
    expect(told).toMatchObject([{ severity: 'info', pointer: '#/paths/~1a~1{id}/patch' }]);
  });

  it('a PATCH in the schema of what is created is told of, where that requires something', async () => {
    const article = { $ref: '#/components/schemas/Article' };
    const rows = { oneOf: [{ type: 'array', items: article }, article] };
    const change = { properties: { title: { type: 'string' } } };
    const { diagnostics } = await describeText(
      openapi(
        {
          '/articles': { post: jsonBody(rows), patch: jsonBody(rows) },
          '/articles/{id}': { patch: jsonBody(rows) },
          '/notes/{id}': { put: jsonBody(article), patch: jsonBody(article) },
          '/tags': { post: jsonBody(article) },
          '/tags/{id}': { patch: jsonBody(change) },
          '/words/{id}': { patch: jsonBody(article) },
          '/open': { post: jsonBody({ $ref: '#/components/schemas/Open' }) },
          '/open/{id}': { patch: jsonBody({ $ref: '#/components/schemas/Open' }) },
        },
        { components: { schemas: { Article: { ...change, required: ['title'] }, Open: change } } },
      ),
    );
    const told = diagnostics.filter(({ code }) => code === 'patch-whole');
    expect(told.map(({ pointer }) => pointer)).toEqual([
      '#/paths/~1articles/patch',
      '#/paths/~1articles~1{id}/patch',
      '#/paths/~1notes~1{id}/patch',
    ]);
    expect(told[0]).toMatchObject({ severity: 'info', message: expect.stringContaining('(title)') });
  });

  it('nothing about an operation depends on what else is in the document', async () => {
    const schemas = {
      A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
      B: { type: 'string' },
    };
    const one = get({ operationId: 'one', ...jsonResponse({ $ref: '#/components/schemas/A' }) }, '/one');
    const other = post({ operationId: 'two', ...jsonBody({ $ref: '#/components/schemas/B' }) }, '/two');
    const alone = await describeText(openapi(one, { components: { schemas } }));
    const together = await describeText(openapi({ ...other, ...one }, { components: { schemas } }));
    expect(canonicalHash(together.operations[1]!)).toBe(canonicalHash(alone.operations[0]!));
  });

  it('the same document gives the same bytes', async () => {
    const document = openapi({
      ...get(jsonResponse({ type: 'array' })),
      ...post(jsonBody({ properties: { a: {} } }), '/b'),
    });
    expect(JSON.stringify(await describeText(document))).toBe(JSON.stringify(await describeText(document)));
  });
});

describe('which operations there are', () => {
  it('every method of 3.0', async () => {
    const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
    const item = Object.fromEntries(methods.map((method) => [method, {}]));
    const { operations } = await describeText(
      openapi({ '/a': { ...item, query: {}, summary: 'no method' } }),
    );
    expect(operations.map((operation) => (operation.invocation as HttpInvocation).method)).toEqual(
      methods.map((method) => method.toUpperCase()),
    );
    expect(operations.at(-1)?.access).toBe('dangerous');
  });

  it("API Gateway's method for all others is no operation, and told", async () => {
    const item = { options: {}, 'x-amazon-apigateway-any-method': { responses: {} } };
    const { operations, skipped, diagnostics } = await describeText(openapi({ '/a/{proxy+}': item }));
    expect(operations.map(({ invocation }) => invocation.kind === 'http' && invocation.method)).toEqual([
      'OPTIONS',
    ]);
    expect(skipped).toMatchObject([{ method: '*', path: '/a/{proxy+}' }]);
    expect(diagnostics).toContainEqual({
      code: 'any-method-unused',
      severity: 'warning',
      message: expect.stringContaining('an overlay'),
      pointer: '#/paths/~1a~1{proxy+}/x-amazon-apigateway-any-method',
    });
  });

  it('query and additionalOperations since 3.2', async () => {
    const item = {
      query: jsonBody({ type: 'object', properties: { q: {} } }),
      additionalOperations: { COPY: {}, 'BAD METHOD': {} },
    };
    const { operations, diagnostics } = await describeText({ ...openapi({ '/a': item }), openapi: '3.2.0' });
    expect(
      operations.map(({ access, invocation }) => [(invocation as HttpInvocation).method, access]),
    ).toEqual([
      ['QUERY', 'read'],
      ['COPY', 'write'],
    ]);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(['method-invalid']);
  });

  it.each(['/v1/{+name}', '/#Action=X', '/a?b=c'])('the path key %s stays as it is', async (path) => {
    expect((await describeOne(openapi(get({}, path)))).invocation.path).toBe(path);
  });

  it('a path item may be a reference with methods beside it', async () => {
    const document = {
      ...openapi({ '/a': { $ref: '#/components/pathItems/A', post: {}, put: { operationId: 'own' } } }),
      components: { pathItems: { A: { get: { operationId: 'x' }, put: { operationId: 'theirs' } } } },
    };
    const { operations } = await describeText(document);
    expect(operations.map((operation) => operation.id)).toEqual(['x', 'own', 'POST /a']);
  });

  it('x-ms-paths are paths too', async () => {
    const { operations } = await describeText(
      swagger(get({}), {
        'x-ms-paths': { '/a?comp=list': { get: { operationId: 'list' } }, '/a': { get: {} } },
      }),
    );
    expect(operations.map((operation) => operation.id)).toEqual(['GET /a', 'list']);
  });

  it('webhooks are skipped with a reason, callbacks and links are mentioned', async () => {
    const operation = {
      callbacks: { onEvent: {} },
      responses: {
        200: { description: 'ok', links: { next: {} } },
        201: { $ref: '#/components/responses/Made' },
      },
    };
    const components = {
      pathItems: { pet: { put: {}, additionalOperations: { NOTIFY: {} } } },
      responses: { Made: { description: 'made', links: { self: {} } } },
    };
    const webhooks = {
      newPet: { post: {} },
      pet: { $ref: '#/components/pathItems/pet' },
      lost: { $ref: '#/components/pathItems/none' },
    };
    const { skipped, diagnostics } = await describeText(openapi(get(operation), { webhooks, components }));
    expect(skipped).toEqual([
      { method: 'POST', path: 'newPet', reason: 'a webhook, which the service calls' },
      { method: 'PUT', path: 'pet', reason: 'a webhook, which the service calls' },
      { method: 'NOTIFY', path: 'pet', reason: 'a webhook, which the service calls' },
      {
        method: '*',
        path: 'lost',
        reason: 'the path item cannot be found: #/components/pathItems/none',
      },
    ]);
    expect(diagnostics.map(({ code, severity, pointer }) => [code, severity, pointer])).toEqual([
      ['reference-broken', 'warning', '#/webhooks/lost'],
      ['callbacks-unused', 'info', '#/paths/~1a/get/callbacks'],
      ['links-unused', 'info', '#/paths/~1a/get/responses/200/links'],
      ['links-unused', 'info', '#/components/responses/Made/links'],
    ]);
  });

  it.each<[string, object, object]>([
    ['x-internal', { 'x-internal': true }, { includeInternal: true }],
    ['x-ms-visibility', { 'x-ms-visibility': 'internal' }, { includeInternal: true }],
    ['x-ms-trigger', { 'x-ms-trigger': 'single' }, { includeTriggers: true }],
  ])('%s is skipped unless asked for', async (_what, marks, options) => {
    const document = openapi(get(marks));
    const without = await describeText(document);
    expect(without.operations).toEqual([]);
    expect(without.skipped[0]).toMatchObject({ method: 'GET', path: '/a' });
    expect((await describeText(document, options)).operations).toHaveLength(1);
  });

  it('deprecated ones are flagged, or skipped where that is wanted', async () => {
    const document = openapi(get({ deprecated: true, summary: 'Old' }));
    expect((await describeOne(document)).operation).toMatchObject({
      deprecated: true,
      description: 'Deprecated.\n\nOld',
    });
    expect((await describeText(document, { includeDeprecated: false })).operations).toEqual([]);
  });
});

describe('broken nodes cost themselves only', () => {
  it('paths that are not where they should be are missed', async () => {
    const info = { title: 'Test', version: '1', paths: { '/users': { get: {} } } };
    const { diagnostics } = await describeText({ openapi: '3.1.0', info });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'The document has no `paths` at its top level: nothing in it can be compiled.',
    ]);
    const webhooks = { bought: { post: { responses: {} } } };
    const told = await describeText({ openapi: '3.1.0', info, webhooks });
    expect(told.diagnostics.map(({ code }) => code)).not.toContain('paths-invalid');
  });

  it('a method that is indented as its path is told as one', async () => {
    const { diagnostics } = await describeText(openapi({ '/users': null, get: { operationId: 'getUsers' } }));
    expect(diagnostics.map(({ message }) => message)).toContain(
      'get stands among the paths: it has to be indented below its own; it is left out.',
    );
  });

  it.each<[string, object, string]>([
    ['a path item that is null', { '/bad': null }, 'path-invalid'],
    ['a path without slash', { bad: { get: {} } }, 'path-invalid'],
    ['an address without a path', { 'https://a.example': { get: {} } }, 'path-invalid'],
    ['an operation that is text', { '/bad': { get: 'x' } }, 'operation-invalid'],
    ['a circular path item', { '/bad': { $ref: '#/paths/~1bad' } }, 'reference-broken'],
    ['responses as a list', { '/bad': { get: { responses: [] } } }, 'responses-invalid'],
    ['security as text', { '/bad': { get: { security: 'none' } } }, 'security-invalid'],
    [
      'a media type of a body',
      { '/bad': { post: { requestBody: { content: { 'application/json': { $ref: '#/none' } } } } } },
      'media-type-invalid',
    ],
    [
      'a media type of an answer',
      { '/bad': { get: { responses: { 200: { description: 'ok', content: { 'text/csv': [] } } } } } },
      'media-type-invalid',
    ],
    [
      'a media type of a parameter',
      { '/bad': { get: { parameters: [{ name: 'q', in: 'query', content: { 'application/json': 7 } }] } } },
      'media-type-invalid',
    ],
    ['the content of a body', { '/bad': { post: { requestBody: { content: [null] } } } }, 'body-invalid'],
    ['a requirement that is a name', { '/bad': { get: { security: ['key'] } } }, 'security-invalid'],
    [
      'what the content of a parameter refers to',
      {
        '/bad': {
          get: {
            parameters: [
              {
                name: 'q',
                in: 'query',
                content: { 'application/json': { schema: { properties: { a: { $ref: '#/none' } } } } },
              },
            ],
          },
        },
      },
      'reference-broken',
    ],
  ])('%s', async (_what, paths, code) => {
    const document = openapi({ ...paths, ...get({ operationId: 'good' }) }) as JsonObject;
    const { operations, diagnostics } = await describeText(document);
    expect(operations.map((operation) => operation.id)).toContain('good');
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    for (const { pointer } of diagnostics)
      expect(valueAt(document, parsePointer(pointer!.slice(1))!), pointer).not.toBe(undefined);
  });

  it.each([
    {},
    { paths: null },
    { paths: [] },
    { paths: {}, components: 5, tags: 'x', servers: {}, security: 1 },
  ])('a document with nothing to compile: %j', async (document) => {
    const { operations } = await describeText({ openapi: '3.1.0', ...document });
    expect(operations).toEqual([]);
  });

  it('the same fault a thousand times is listed a hundred times and counted', async () => {
    const parameters = Array.from({ length: 1000 }, () => null);
    const { diagnostics } = await describeText(openapi(get({ parameters })));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)?.message).toContain('900 more');
  });

  it('dangerous keys stay data and reach no prototype', async () => {
    const text = `{"openapi":"3.0.0","paths":{"/a":{"post":{"operationId":"a","security":[{"__proto__":[]}],
      "parameters":[{"name":"__proto__","in":"query","schema":{"type":"string"}}],
      "requestBody":{"content":{"multipart/form-data":{"encoding":{"__proto__":{"style":"form"}},"schema":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}}}}}},
      "components":{"securitySchemes":{"__proto__":{"type":"http","scheme":"basic"}}}}`;
    const { operation, description } = await describeOne(text);
    expect(Object.getPrototypeOf(description.securitySchemes)).toBe(Object.prototype);
    expect(Object.keys(operation.input.properties as object)).toEqual(['__proto___', 'body']);
    expect(({} as Record<string, unknown>).type).toBeUndefined();
  });
});

describe('what an operation carries', () => {
  it('texts, tags, safety, hints, source', async () => {
    const { operation } = await describeOne(
      openapi(
        get({ summary: 'S', description: 'D', tags: ['a', 5, 'a', 'b'], 'x-llm-hints': { cost: 'low' } }),
      ),
    );
    expect(operation).toMatchObject({
      source: 'test',
      title: 'S',
      description: 'S\n\nD',
      tags: ['a', 'b'],
      access: 'read',
      safety: { idempotent: true, destructive: false },
      hints: { cost: 'low' },
    });
    expect(Object.isFrozen(operation)).toBe(true);
  });

  it('components that operations reach, converted', async () => {
    const schemas = { A: { type: 'string', nullable: true }, Unused: { type: 'string' } };
    const { components } = await describeText(
      openapi(get(jsonResponse({ $ref: '#/components/schemas/A' })), { components: { schemas } }),
    );
    expect(components).toEqual({ A: { type: ['string', 'null'] } });
  });
});

describe('size', () => {
  it('thousands of operations share their definitions', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [
        `/r${index}`,
        { post: jsonBody({ properties: { a: { $ref: '#/components/schemas/A' } } }) },
      ]),
    );
    const schemas = { A: { type: 'object', properties: { next: { $ref: '#/components/schemas/A' } } } };
    const { operations } = await describeText(openapi(paths, { components: { schemas } }));
    expect(operations).toHaveLength(5000);
    expect(operations[4999]!.input.$defs).toBe(operations[0]!.input.$defs);
  });
});

const corpus = join(import.meta.dirname, '../../../../../shared/data/openapi');

describe.skipIf(!existsSync(corpus))('real documents (skipped without ../shared/data/openapi)', () => {
  it.each([
    'azure-batch-2.0.yaml',
    'aws-route53.yaml',
    'google-container.json',
    'hubspot-automation.json',
    'oai-tags-3.2.json',
    'discord-3.1.json',
    'slicebox.json',
    'telegram.json',
  ])('%s: every operation is compiled, deterministically', async (name) => {
    const index = JSON.parse(readFileSync(join(corpus, 'index.json'), 'utf8')) as {
      documents: { file: string; operations: number }[];
    };
    const entry = index.documents.find((document) => document.file.startsWith(name.replace(/\.\w+$/, '')));
    const text = gunzipSync(readFileSync(join(corpus, entry!.file))).toString('utf8');
    const description = await describeText(text);
    expect(description.operations.length + description.skipped.length).toBe(entry!.operations);
    expect(new Set(description.operations.map((operation) => operation.id)).size).toBe(
      description.operations.length,
    );
    expect(canonicalHash([...(await describeText(text)).operations])).toBe(
      canonicalHash([...description.operations]),
    );
  });
});
