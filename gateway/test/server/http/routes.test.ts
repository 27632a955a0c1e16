import { describe, expect, test } from 'vitest';
import { describeApi } from '../../../src/server/http/description.ts';
import { ROUTES } from '../../../src/server/http/routes/index.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { httpEndpoint } from './http-endpoint.ts';

const source: FunctionSource = {
  tools: [
    defineTool({
      name: 'hello',
      description: 'Says hello',
      access: 'read',
      input: { type: 'object', properties: { who: { type: 'string' } } },
      handler: ({ who }) => ({ hello: who ?? 'world' }),
    }),
    defineTool({
      name: 'fail',
      description: 'Fails',
      handler: () => {
        throw new Error('out of paper');
      },
    }),
    defineTool({
      name: 'ask',
      description: 'Asks',
      handler: (_args, { inputRequired }) => inputRequired({ roots: { method: 'roots/list' } }, 'secret'),
    }),
  ],
};

describe('tools', () => {
  const inputSchema = { type: 'object', properties: { who: { type: 'string' } } };

  test.each([
    ['', { name: 'hello', description: 'Says hello', inputSchema, annotations: { readOnlyHint: true } }],
    [
      '?format=openai',
      { type: 'function', function: { name: 'hello', description: 'Says hello', parameters: inputSchema } },
    ],
    ['?format=anthropic', { name: 'hello', description: 'Says hello', input_schema: inputSchema }],
  ])('GET /tools%s', async (query, expected) => {
    await using endpoint = await httpEndpoint(source);
    const [status, body] = await endpoint.json(`/api/v1/tools${query}`);
    expect(status).toBe(200);
    expect((body as { tools: unknown[] }).tools[2]).toMatchObject(expected);
  });

  test('GET /tools/{name} shows the operation behind it', async () => {
    await using endpoint = await httpEndpoint(source);
    expect(await endpoint.json('/api/v1/tools/hello')).toMatchObject([
      200,
      {
        tool: { name: 'hello' },
        operation: { id: 'hello', source: 'functions', access: 'read' },
        hash: expect.stringMatching(/^sha256:/),
      },
    ]);
    expect(await endpoint.json('/api/v1/tools/nope')).toMatchObject([
      404,
      { error: { code: 'tool_unknown' } },
    ]);
  });

  test('POST /tools/{name}/call', async () => {
    await using endpoint = await httpEndpoint(source);
    const call = (tool: string, body: unknown) => endpoint.post(`/api/v1/tools/${tool}/call`, body);
    expect(await call('hello', { arguments: { who: 'you' } })).toMatchObject([
      200,
      { structured: { hello: 'you' } },
    ]);
    expect(await call('hello', { dryRun: true })).toMatchObject([
      200,
      { content: [{ text: expect.stringContaining('"function":"hello"') }] },
    ]);
    expect(await call('fail', {})).toMatchObject([
      502,
      { error: { code: 'upstream_failed', message: 'out of paper' } },
    ]);
    expect(await call('nope', {})).toMatchObject([404, { error: { code: 'tool_unknown' } }]);
    expect(await call('hello', { argument: {} })).toMatchObject([
      400,
      { error: { code: 'request_invalid' } },
    ]);
    expect(await call('hello', { arguments: [] })).toMatchObject([
      400,
      { error: { code: 'request_invalid', pointer: '/arguments' } },
    ]);
  });

  test('events of a type that there is not are refused, naming one that there is', async () => {
    await using endpoint = await httpEndpoint(source);
    expect(await endpoint.json('/api/v1/events?type=call-started,%20call_failed')).toMatchObject([
      400,
      {
        error: {
          code: 'request_invalid',
          pointer: '/type',
          message: expect.stringContaining('"call-failed"?'),
        },
      },
    ]);
    expect(await endpoint.json('/api/v1/events?type=call-started,%20call-failed')).toMatchObject([200, {}]);
  });

  test('a call without a body has no arguments', async () => {
    await using endpoint = await httpEndpoint(source);
    expect(await endpoint.json('/api/v1/tools/hello/call', { method: 'POST' })).toMatchObject([
      200,
      { structured: { hello: 'world' } },
    ]);
  });

  test('a tool that asks back cannot be called here, and its state stays inside', async () => {
    await using endpoint = await httpEndpoint(source);
    const answer = await endpoint.post('/api/v1/tools/ask/call', {});
    expect(answer).toMatchObject([400, { error: { code: 'capability_missing' } }]);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

describe('bad requests', () => {
  test.each([
    ['an unknown query parameter', '/api/v1/tools?formt=mcp', {}, 400, 'request_invalid'],
    ['a value that is not offered', '/api/v1/tools?format=yaml', {}, 400, 'request_invalid'],
    ['a cursor that is no number', '/api/v1/events?after=x', {}, 400, 'request_invalid'],
    ['an unknown route', '/api/v2/tools', {}, 404, 'not_found'],
    [
      'broken JSON',
      '/api/v1/tools/hello/call',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      400,
      'request_invalid',
    ],
    [
      'a whole number that would become another',
      '/api/v1/tools/hello/call',
      {
        method: 'POST',
        body: '{"arguments":{"id":9007199254740993}}',
        headers: { 'content-type': 'application/json' },
      },
      400,
      'request_invalid',
    ],
    [
      'another media type',
      '/api/v1/tools/hello/call',
      { method: 'POST', body: '{}' },
      400,
      'request_invalid',
    ],
    [
      'too large a body',
      '/api/v1/tools/hello/call',
      { method: 'POST', body: 'x'.repeat(20_000) },
      413,
      'body_too_large',
    ],
    ['an artifact that is not there', '/api/v1/artifacts/abc', {}, 404, 'not_found'],
  ])('%s', async (_name, path, init, status, code) => {
    await using endpoint = await httpEndpoint(source);
    expect(await endpoint.json(path, init)).toMatchObject([
      status,
      { error: { code, message: expect.any(String), next: expect.any(String) } },
    ]);
  });
});

describe('events', () => {
  test('are listed after a sequence', async () => {
    await using endpoint = await httpEndpoint(source);
    await endpoint.post('/api/v1/tools/hello/call', {});
    expect(await endpoint.json('/api/v1/events')).toMatchObject([
      200,
      { events: [{ sequence: 1 }, { sequence: 2 }], last: 2 },
    ]);
    expect(await endpoint.json('/api/v1/events?after=1')).toMatchObject([
      200,
      { events: [{ type: 'call-completed' }], last: 2 },
    ]);
    expect(await endpoint.json('/api/v1/events?after=2')).toEqual([200, { events: [], last: 2 }]);
  });

  test('stream: first what was missed, then what comes', async () => {
    await using endpoint = await httpEndpoint(source);
    await endpoint.post('/api/v1/tools/hello/call', {});
    const headers = { accept: 'text/event-stream', 'last-event-id': '1' };
    const stream = await endpoint.request('/api/v1/events', { headers });
    const ids: string[] = [];
    let text = '';
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      ids.splice(0, ids.length, ...[...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id!));
      if (ids.length === 1) await endpoint.post('/api/v1/tools/hello/call', {});
      if (ids.length >= 3) break;
    }
    expect(ids).toEqual(['2', '3', '4']);
    expect(text).toMatch(/event: call-completed\ndata: \{.*"sequence":2/);
  });
});

describe('catalog and configuration', () => {
  test('the capability profile holds no secret', async () => {
    await using endpoint = await httpEndpoint(source, { token: 's3cret' });
    const [status, body] = await endpoint.json('/api/v1/config', {
      headers: { authorization: 'Bearer s3cret' },
    });
    expect([status, body]).toMatchObject([200, { name: 'functions', topology: 'flat', tokenRequired: true }]);
    expect(JSON.stringify(body)).not.toContain('s3cret');
  });

  test.each([
    ['/api/v1/sources', { sources: [{ name: 'functions', kind: 'function', operations: 3 }] }],
    [
      '/api/v1/catalog',
      { operations: 3, tools: 3, quarantined: 0, diagnostics: { error: 0, warning: 0, info: 0 } },
    ],
    ['/api/v1/catalog/report', { skipped: [], diagnostics: [], sources: [{ name: 'functions' }] }],
    ['/api/v1/catalog/diff', { quarantined: [], findings: [] }],
  ])('GET %s', async (path, expected) => {
    await using endpoint = await httpEndpoint(source);
    expect(await endpoint.json(path)).toMatchObject([200, expected]);
  });

  test('POST /catalog/accept is for the owner alone', async () => {
    await using endpoint = await httpEndpoint(source);
    expect(await endpoint.post('/api/v1/catalog/accept', { tool: 'hello' })).toMatchObject([
      403,
      { error: { code: 'owner_needed' } },
    ]);
  });
});

describe('the description', () => {
  test('is served, and names every route once', async () => {
    await using endpoint = await httpEndpoint(source);
    const [status, body] = await endpoint.json('/api/v1/openapi.json');
    expect(status).toBe(200);
    expect(body).toEqual(describeApi());
    const operations = Object.values(describeApi()['paths'] as object).flatMap((item) =>
      Object.values(item as object),
    );
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      ROUTES.map((route) => route.operationId).sort(),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ROUTES.length);
  });

  test('classes every operation: reads are reads; calling, accepting and access are never tools', () => {
    const classed = Map.groupBy(ROUTES, (route) => route.access);
    const names = (access: 'read' | 'write' | 'delete') =>
      (classed.get(access) ?? []).map(({ operationId }) => operationId);
    expect(names('read').filter((name) => !/^(get|list|query|explain|preview)[A-Z]/.test(name))).toEqual([]);
    expect(names('delete')).toEqual([]);
    expect(names('write')).toEqual([]);
    const dangerous = (classed.get('dangerous') ?? []).map(({ operationId }) => operationId);
    expect(dangerous).toEqual(
      expect.arrayContaining([
        ...['callTool', 'acceptCatalog', 'sendProxyRequest', 'sendAtsProxyRequest', 'createKey', 'revokeKey'],
        ...['setAccess', 'setOwnAccess', 'setRole', 'updateUser', 'createConnection', 'createConnectSession'],
      ]),
    );
  });

  test('says parameters and bodies as the routes check them', () => {
    const { paths } = describeApi() as { paths: Record<string, Record<string, Record<string, unknown>>> };
    expect(paths['/api/v1/tools']!['get']).toMatchObject({
      'x-toolcrib-access': 'read',
      parameters: [
        {
          name: 'format',
          in: 'query',
          required: false,
          schema: { enum: ['mcp', 'openai', 'anthropic'], default: 'mcp' },
        },
        { name: 'topology', in: 'query', required: false, schema: { type: 'string', maxLength: 32 } },
        { name: 'source', in: 'query', required: false, schema: { type: 'string', maxLength: 2048 } },
        { name: 'maxAccess', in: 'query', required: false, schema: { enum: ['read', 'write', 'delete'] } },
        { name: 'skill', in: 'query', required: false, schema: { type: 'string', maxLength: 64 } },
      ],
    });
    expect(paths['/api/v1/events']!['get']).toMatchObject({
      parameters: expect.arrayContaining([
        expect.objectContaining({
          name: 'after',
          in: 'query',
          required: false,
          schema: expect.objectContaining({ type: 'integer', minimum: 0 }),
        }),
      ]),
    });
    expect(paths['/api/v1/tools/{name}/call']!['post']).toMatchObject({
      parameters: [{ name: 'name', in: 'path', required: true }],
      requestBody: { required: false, content: { 'application/json': { schema: { type: 'object' } } } },
    });
  });
});
