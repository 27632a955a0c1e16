import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpInvocation } from '../../../../src/operations/index.ts';
import { describeOpenApi } from '../../../../src/sources/openapi/describe.ts';
import { contextFor, describeText, get, jsonResponse, openapi, plainReader } from '../describing.ts';

let folder: string;
let server: Server | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
});

afterEach(async () => {
  server?.close();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, object | string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** Serves files over HTTP from loopback; counts the requests. */
async function serve(files: Readonly<Record<string, object>>): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const found = files[request.url ?? ''];
    response.statusCode = found === undefined ? 404 : 200;
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

describe('a document that says nothing', () => {
  it.each([
    ['empty', '', 'is empty.'],
    ['a byte order mark', '\uFEFF', 'is empty.'],
    ['a comment', '# later\n', 'is empty.'],
    ['null', 'null', 'is empty.'],
    ['a list', '[]', 'is no object.'],
  ])('%s', async (_case, text, expected) => {
    await write({ 'api.yaml': text });
    await expect(describeOpenApi('api.yaml', contextFor(folder))).rejects.toMatchObject({
      code: 'source_invalid',
      message: expect.stringContaining(expected),
    });
  });
});

describe('documents in several files', () => {
  it('mean the same in whatever order they arrive', async () => {
    const named = (type: string) => ({ $id: 'https://example.com/named', type });
    const schema = (file: string) => ({ schema: { $ref: `${file}#/a` }, in: 'query' });
    const body = { content: { 'application/json': { schema: { $ref: 'user.json#/a' } } } };
    const parameters = ['text.json', 'number.json', 'none.json', 'nowhere.json'].map((file, index) => ({
      name: `p${index}`,
      ...schema(file),
    }));
    const files: Record<string, object> = {
      'api.json': openapi(
        { '/a': { post: { parameters, requestBody: body, responses: {} } } },
        { openapi: '3.1.0' },
      ),
      'text.json': { a: named('string') },
      'number.json': { a: named('number') },
      'user.json': { a: { $id: 'https://example.com/user', properties: { n: { $ref: 'named' } } } },
    };
    const described = (late: RegExp) =>
      describeOpenApi(
        'api.json',
        contextFor('/base', {
          async read(location) {
            for (let turn = 0; turn < (late.test(location) ? 20 : 0); turn++) await setImmediate();
            const file = files[location.replace('/base/', '')];
            if (file === undefined) throw new Error('There is no such file.');
            return Buffer.from(JSON.stringify(file));
          },
        }),
      );
    const [first, ...others] = await Promise.all([/^$/, /text|none/, /number|nowhere/].map(described));
    expect(first!.diagnostics.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('none.json cannot be read'),
        expect.stringContaining('nowhere.json cannot be read'),
      ]),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  it.each<[string, (schema: object, schemas: object) => object]>([
    ['a schema', (schema, schemas) => ({ ...openapi(get(jsonResponse(schema))), components: { schemas } })],
    [
      'a definition of Swagger 2.0',
      (schema, definitions) => ({
        swagger: '2.0',
        paths: { '/a': { get: { responses: { 200: { description: '', schema } } } } },
        definitions,
      }),
    ],
  ])('are not looked for where %s is called so', async (_what, documentOf) => {
    const schemas = {
      Pet: { type: 'object', properties: { owner: { $ref: 'Person' } } },
      Person: { type: 'string' },
    };
    const { operations, diagnostics } = await describeText(documentOf({ $ref: 'Pet' }, schemas));
    expect(diagnostics.filter(({ code }) => /unreadable|broken/.test(code))).toEqual([]);
    expect(operations[0]?.output).toMatchObject({ $defs: { Person: { type: 'string' } } });
  });

  it('may call a shared path item whatever they like', async () => {
    const parameters = [{ $ref: '#/components/parameters/x' }];
    await write({
      'api.json': openapi({ '/a': { $ref: 'items.json#/components/pathItems/default' } }),
      'items.json': {
        components: {
          parameters: { x: { name: 'x', in: 'query', schema: { type: 'string' } } },
          pathItems: { default: { get: { parameters, responses: {} } } },
        },
      },
    });
    const { operations } = await describeOpenApi('api.json', contextFor(folder));
    expect(operations[0]?.input.properties).toEqual({ x: { type: 'string' } });
  });

  it('may be UTF-16, as Windows PowerShell writes them', async () => {
    const document = openapi({ '/a': { get: { parameters: [{ $ref: 'parts.yaml#/é' }], responses: {} } } });
    const part = 'é: { name: x, in: query, schema: { type: string } }\n';
    await writeFile(join(folder, 'api.json'), `\uFEFF${JSON.stringify(document)}`, 'utf16le');
    await writeFile(join(folder, 'parts.yaml'), Buffer.from(`\uFEFF${part}`, 'utf16le').swap16());
    const { operations } = await describeOpenApi('api.json', contextFor(folder));
    expect(operations[0]?.input.properties).toEqual({ x: { type: 'string' } });
  });

  it.each([
    'C:/My Files/parts.yaml#/a',
    'C:\\My Files\\parts.yaml#/a',
    'file:///C:/My%20Files/parts.yaml#/a',
  ])('may stand on a drive of Windows (%s)', async ($ref) => {
    const document = openapi({ '/a': { get: { parameters: [{ $ref }], responses: {} } } });
    await write({ 'api.json': document });
    const { diagnostics } = await describeOpenApi('api.json', contextFor(folder));
    const unread = diagnostics.filter(({ code }) => code === 'document-unreadable');
    expect(unread.map(({ message }) => message)).toEqual([
      expect.stringContaining('file:///C:/My%20Files/parts.yaml cannot be read'),
    ]);
  });

  it('are read once each, whatever refers to whatever', async () => {
    const reads: string[] = [];
    const reader = {
      read(location: string, signal: AbortSignal): Promise<Uint8Array> {
        reads.push(location);
        return plainReader.read(location, signal);
      },
    };
    await write({
      'api.yaml':
        'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  /a: {$ref: "paths/a.yaml"}\ncomponents: {schemas: {Main: {type: integer}}}',
      'paths/a.yaml':
        'get:\n  operationId: a\n  parameters: [{$ref: "../shared.json#/limit"}]\n  responses:\n    200:\n      description: ok\n      content: {application/json: {schema: {$ref: "../shared.json#/Node"}}}',
      'shared.json': {
        limit: { name: 'limit', in: 'query', schema: { $ref: '#/Limit' } },
        Limit: { type: 'integer' },
        Node: {
          type: 'object',
          properties: {
            next: { $ref: '#/Node' },
            main: { $ref: 'api.yaml#/components/schemas/Main' },
            again: { $ref: './paths/../shared.json#/Limit' },
          },
        },
      },
    });
    const { operations, diagnostics } = await describeOpenApi('api.yaml', contextFor(folder, reader));
    expect(diagnostics).toEqual([]);
    expect(operations[0]).toMatchObject({
      id: 'a',
      input: { properties: { limit: { $ref: expect.stringMatching(/^#\/\$defs\/Limit/) } } },
      output: {
        type: 'object',
        properties: { next: { $ref: '#/$defs/Node' } },
        $defs: { Main: { type: 'integer' } },
      },
    });
    expect(reads.sort()).toEqual([
      join(folder, 'api.yaml'),
      join(folder, 'paths/a.yaml'),
      join(folder, 'shared.json'),
    ]);
  });

  it('one that cannot be read costs the operations that need it', async () => {
    const paths = {
      '/a': { $ref: 'gone.yaml#/a' },
      '/b': { get: { $ref: 'gone.yaml#/b' } },
      ...get(jsonResponse({ $ref: 'gone.yaml#/c' }), '/c'),
    };
    await write({ 'api.json': openapi(paths) });
    const { operations, skipped, diagnostics } = await describeOpenApi('api.json', contextFor(folder));
    expect(operations.map((operation) => operation.id)).toEqual(['GET /c']);
    expect(skipped.map(({ method, path }) => `${method} ${path}`)).toEqual(['* /a', 'GET /b']);
    expect(diagnostics.filter((diagnostic) => diagnostic.code === 'document-unreadable')).toHaveLength(1);
  });

  it('a `$ref` inside an example refers to nothing, one in a property called example does', async () => {
    const schema = {
      type: 'object',
      example: { $ref: 'no.json' },
      'x-ms-examples': { a: { $ref: 'no.json' } },
      properties: { example: { $ref: 'yes.json' } },
    };
    await write({ 'api.json': openapi(get(jsonResponse(schema))), 'yes.json': { type: 'boolean' } });
    const { operations, diagnostics } = await describeOpenApi('api.json', contextFor(folder));
    expect(diagnostics).toEqual([]);
    expect(operations[0]?.output).toMatchObject({ $defs: { yes: { type: 'boolean' } } });
  });

  it('the fingerprint covers every file and the options, not the folder', async () => {
    const files = {
      'api.json': openapi(get(jsonResponse({ $ref: 'a.json' }))),
      'a.json': { type: 'string' },
    };
    await write(files);
    const first = await describeOpenApi('api.json', contextFor(folder));
    expect((await describeOpenApi('api.json', contextFor(folder))).fingerprint).toBe(first.fingerprint);
    const other = await describeOpenApi({ document: 'api.json', includeInternal: true }, contextFor(folder));
    expect(other.fingerprint).not.toBe(first.fingerprint);
    await write({ 'a.json': { type: 'integer' } });
    expect((await describeOpenApi('api.json', contextFor(folder))).fingerprint).not.toBe(first.fingerprint);
    expect(first.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('a server that refers to ever new documents', () => {
  it('is followed within limits', async () => {
    const page = 'x'.repeat(1024 * 1024);
    const reader = {
      read: async (location: string): Promise<Uint8Array> =>
        Buffer.from(
          JSON.stringify({
            ...openapi(get(jsonResponse({ $ref: `${location.split('/').at(-1)}x#/a` }))),
            page,
          }),
        ),
    };
    const { diagnostics, operations } = await describeOpenApi('/main.json', contextFor(folder, reader));
    expect(operations).toHaveLength(1);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
      'document-unreadable',
      'reference-broken',
    ]);
    expect(diagnostics[0]?.message).toContain('larger than');
  });
});

describe('documents from the network', () => {
  it('resolve references and relative servers against their own address', async () => {
    const document = {
      ...openapi(get(jsonResponse({ $ref: 'schemas/a.json#/A' }))),
      servers: [{ url: '/v1' }, { url: 'https://{region}.example/x' }, { url: '../{version}/' }],
    };
    const { url, requests } = await serve({
      '/docs/api.json': document,
      '/docs/schemas/a.json': { A: { type: 'string' } },
    });
    const { operations } = await describeOpenApi(`${url}/docs/api.json`, contextFor(folder));
    expect((operations[0]!.invocation as HttpInvocation).servers).toEqual([
      { url: `${url}/v1` },
      { url: 'https://{region}.example/x' },
      { url: `${url}/{version}/` },
    ]);
    expect(operations[0]?.output).toMatchObject({ properties: { result: { $ref: '#/$defs/A' } } });
    expect(requests).toEqual(['/docs/api.json', '/docs/schemas/a.json']);
  });

  it('may not refer to local files', async () => {
    await write({ 'secret.json': { A: { type: 'string' } } });
    const { url } = await serve({
      '/api.json': openapi(get(jsonResponse({ $ref: `file://${folder}/secret.json#/A` }))),
    });
    const { diagnostics } = await describeOpenApi(`${url}/api.json`, contextFor(folder));
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
      'document-unreadable',
      'reference-broken',
    ]);
    expect(diagnostics[0]?.message).toContain('may not refer to local files');
  });

  it('may not either where a local document led to it', async () => {
    const { url } = await serve({
      '/common.json': {
        A: { $ref: `file://${folder}/secret.json#/A` },
        B: { $ref: `file://${folder}/own.json#/A` },
      },
    });
    await write({
      'secret.json': { A: { type: 'string', description: 'secret' } },
      'own.json': { A: { type: 'string', description: 'own' } },
      'later.json': { A: { $ref: 'own.json#/A' } },
      'api.json': openapi(
        get(
          jsonResponse({
            type: 'object',
            properties: {
              a: { $ref: `${url}/common.json#/A` },
              b: { $ref: `${url}/common.json#/B` },
              c: { $ref: 'later.json#/A' },
            },
          }),
        ),
      ),
    });
    const { diagnostics, operations } = await describeOpenApi('api.json', contextFor(folder));
    expect(JSON.stringify(operations)).toContain('"own"');
    expect(JSON.stringify(operations)).not.toContain('"secret"');
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain('document-unreadable');
  });
});

describe('a document with a URI of its own (3.2 `$self`)', () => {
  it('is found by it among those that are read, and its references are relative to it', async () => {
    const main = openapi(
      get({
        parameters: [{ $ref: 'parts.yaml#/components/parameters/A' }],
        responses: { 200: { $ref: 'https://apis.example/shared/parts#/components/responses/R' } },
      }),
      { openapi: '3.2.0' },
    );
    const parts = {
      openapi: '3.2.0',
      $self: 'https://apis.example/shared/parts',
      info: { title: 'Parts', version: '1' },
      components: {
        parameters: { A: { name: 'a', in: 'query', schema: { $ref: '../schemas/a' } } },
        responses: { R: { description: 'Done.' } },
        schemas: { A: { $id: 'https://apis.example/schemas/a', type: 'integer' } },
      },
    };
    const { operations, diagnostics } = await describeText(main, {}, { 'parts.yaml': parts });
    expect(diagnostics).toEqual([]);
    expect(operations[0]!.input).toMatchObject({ $defs: { a: { type: 'integer' } } });
  });

  it('refers to itself by it', async () => {
    await write({
      'api.json': {
        ...openapi(get(jsonResponse({ $ref: 'https://apis.example/shop#/components/schemas/A' }))),
        openapi: '3.2.0',
        $self: 'https://apis.example/shop',
        components: { schemas: { A: { type: 'object', properties: { a: { type: 'integer' } } } } },
      },
    });
    const { operations, diagnostics } = await describeOpenApi('api.json', contextFor(folder));
    expect(diagnostics).toEqual([]);
    expect(operations[0]?.output?.properties).toEqual({ a: { type: 'integer' } });
  });
});

describe('what is no document', () => {
  it.each([
    ['a list', '[]'],
    ['an object without version', '{"a":1}'],
    ['Swagger 1.2', '{"swagger":"1.2"}'],
    ['OpenAPI 4', '{"openapi":"4.0.0"}'],
  ])('%s is source_invalid', async (_what, text) => {
    await write({ 'api.json': text });
    await expect(describeOpenApi('api.json', contextFor(folder))).rejects.toMatchObject({
      code: 'source_invalid',
    });
  });
});

describe('an address with a secret in its query', () => {
  const address = 'https://docs.example/api.json?token=in-the-query';
  const described = (texts: Readonly<Record<string, string>>, options: { overlay?: string } = {}) =>
    describeOpenApi(
      { document: address, ...options },
      contextFor('/base', { read: async (location) => Buffer.from(texts[location] ?? 'nothing') }),
    );

  it.each(['[]', '{', '{}', 'a: [', 'a: b'])('is told without it when the document is %s', async (text) => {
    const error = await described({ [address]: text }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'source_invalid',
      message: expect.stringContaining('https://docs.example/api.json'),
    });
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('in-the-query');
  });

  it('is told without it by diagnostics of an overlay', async () => {
    const overlay = 'https://docs.example/overlay.json?token=in-the-query';
    const { diagnostics } = await described(
      { [address]: JSON.stringify(openapi({})), [overlay]: '{}' },
      { overlay },
    );
    expect(diagnostics).toMatchObject([{ message: expect.stringContaining('docs.example/overlay.json') }]);
    expect(JSON.stringify(diagnostics)).not.toContain('in-the-query');
  });
});

describe('a document behind a credential', () => {
  const document = 'https://api.example/v1/openapi.json';
  const files: Readonly<Record<string, object>> = {
    [document]: openapi(
      get(
        jsonResponse({
          type: 'object',
          properties: {
            own: { $ref: 'schemas.json#/A' },
            other: { $ref: 'https://other.example/s.json#/A' },
          },
        }),
      ),
    ),
    'https://api.example/v1/schemas.json': { A: { type: 'string' } },
    'https://other.example/s.json': { A: { type: 'string' } },
    'https://api.example/overlay.json': { overlay: '1.0.0', info: { title: 'T', version: '1' }, actions: [] },
    'http://api.example/overlay.json': { overlay: '1.0.0', info: { title: 'T', version: '1' }, actions: [] },
  };
  const headers = { 'X-Key': { env: 'DOCUMENT_KEY' } };
  const described = async (more: object) => {
    const shown = new Map<string, unknown>();
    const { fingerprint } = await describeOpenApi(
      { document, ...more },
      contextFor(folder, {
        async read(location, _signal, access) {
          shown.set(location, access);
          return Buffer.from(JSON.stringify(files[location]));
        },
      }),
    );
    return { shown: Object.fromEntries(shown), fingerprint };
  };

  it('shows it to its own origin alone, references and overlays included', async () => {
    const overlay = ['https://api.example/overlay.json', 'http://api.example/overlay.json'];
    const access = { headers, place: 'sources.test.openapi.headers' };
    expect((await described({ headers, overlay })).shown).toEqual({
      [document]: access,
      'https://api.example/v1/schemas.json': access,
      'https://other.example/s.json': undefined,
      'https://api.example/overlay.json': access,
      'http://api.example/overlay.json': undefined,
    });
  });

  it('leaves nothing of it in the fingerprint', async () => {
    const { fingerprint } = await described({});
    expect((await described({ headers })).fingerprint).toBe(fingerprint);
    expect((await described({ includeInternal: true })).fingerprint).not.toBe(fingerprint);
  });
});
