import { gzipSync } from 'node:zlib';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, ToolcribError } from '../../../../src/errors.ts';
import { content, defineTool, type FunctionSource } from '../../../../src/sources/function/define.ts';
import { ENVELOPE, mcpEndpoint } from '../mcp-endpoint.ts';

const text = (value: string) => content({ type: 'text', text: value });

const name = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
} as const;

const source: FunctionSource = {
  tools: [
    defineTool({ name: 'zulu', description: 'Last by name', handler: () => null }),
    defineTool({
      name: 'add',
      description: 'Adds',
      output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      handler: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
    }),
    defineTool({
      name: 'fail',
      description: 'Fails',
      handler: () => {
        throw new Error('out of paper');
      },
    }),
    defineTool({
      name: 'steps',
      description: 'Reports progress, once backwards',
      handler: async (_args, { channel }) => {
        for (const step of [1, 3, 2, 4]) await channel.progress?.(step, 4);
        return text('done');
      },
    }),
    defineTool({
      name: 'greet',
      description: 'Asks for a name',
      handler: (_args, { channel, inputRequired }) => {
        const answer = channel.inputResponses?.['name'] as { content?: { name?: string } } | undefined;
        if (answer === undefined) return inputRequired({ name }, { asked: 1 });
        return text(`Hello ${answer.content?.name}, state ${JSON.stringify(channel.requestState)}`);
      },
    }),
    defineTool({
      name: 'other',
      description: 'Asks too',
      handler: (_args, { inputRequired }) => inputRequired({ name }, { asked: 2 }),
    }),
    defineTool({
      name: 'sample',
      description: 'Needs sampling',
      handler: (_args, context) => {
        context.requireCapability('sampling');
        return null;
      },
    }),
  ],
  resources: [{ uri: 'test://a', name: 'a', read: () => ({ mimeType: 'text/plain', text: 'content' }) }],
  prompts: [
    {
      name: 'p',
      arguments: [{ name: 'x', required: true }],
      get: ({ x }) => [{ role: 'user', content: { type: 'text', text: `p ${x}` } }],
      complete: (_argument, _value, { letter }) =>
        letter === undefined ? Array.from({ length: 120 }, (_, index) => `v${index}`) : [letter],
    },
  ],
};

const REVISIONS = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
] as const;

describe.each(REVISIONS)('the official client on revision %s', (revision, options) => {
  async function connected(url: URL, capabilities: object = {}) {
    const client = new Client({ name: 'test', version: '1' }, { ...options, capabilities });
    await client.connect(new StreamableHTTPClientTransport(url));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    return client;
  }

  test('lists tools by name and calls one with structured content', async () => {
    await using endpoint = await mcpEndpoint(source);
    const client = await connected(endpoint.url);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'add',
      'fail',
      'greet',
      'other',
      'sample',
      'steps',
      'zulu',
    ]);
    const { structuredContent, content } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    expect(structuredContent).toEqual({ sum: 3 });
    expect(content).toEqual([{ type: 'text', text: '{"sum":3}' }]);
    await client.close();
  });

  test('a failing tool is a result, an unknown tool a protocol error', async () => {
    await using endpoint = await mcpEndpoint(source);
    const client = await connected(endpoint.url);
    expect(await client.callTool({ name: 'fail', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('out of paper') }],
    });
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('progress only rises', async () => {
    await using endpoint = await mcpEndpoint(source);
    const client = await connected(endpoint.url);
    const seen: number[] = [];
    await client.callTool(
      { name: 'steps', arguments: {} },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([1, 3, 4]);
    await client.close();
  });

  test('a question reaches the user and its answer the tool, with the state', async () => {
    await using endpoint = await mcpEndpoint(source);
    const client = await connected(endpoint.url, { elicitation: { form: {} } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    const { content } = await client.callTool({ name: 'greet', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: 'Hello Ada, state {"asked":1}' }]);
    await client.close();
  });

  test('resources, prompts and completions', async () => {
    await using endpoint = await mcpEndpoint(source);
    const client = await connected(endpoint.url);
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'test://a' }]);
    expect((await client.readResource({ uri: 'test://a' })).contents).toMatchObject([{ text: 'content' }]);
    await expect(client.readResource({ uri: 'test://nope' })).rejects.toMatchObject({ code: -32602 });
    expect((await client.getPrompt({ name: 'p', arguments: { x: '1' } })).messages).toHaveLength(1);
    await expect(client.getPrompt({ name: 'p', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'x', value: '' },
    });
    expect(completion.values).toHaveLength(100);
    expect(completion).toMatchObject({ hasMore: true, total: 120 });
    const dependent = await client.complete({
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'x', value: '' },
      context: { arguments: { letter: 'w' } },
    });
    expect(dependent.completion).toMatchObject({ values: ['w'], total: 1, hasMore: false });
    await client.close();
  });

  test('a missing capability is a protocol error', async () => {
    await using endpoint = await mcpEndpoint(source);
    const client = await connected(endpoint.url);
    await expect(client.callTool({ name: 'sample', arguments: {} })).rejects.toMatchObject({ code: -32021 });
    await client.close();
  });

  test('cancelling the call ends it on the server', async () => {
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    await using endpoint = await mcpEndpoint({
      tools: [
        defineTool({
          name: 'wait',
          description: 'Waits for its signal',
          handler: (_args, { signal }) => {
            started.resolve();
            return new Promise((_, reject) => {
              signal.addEventListener('abort', () => {
                ended.resolve('aborted');
                reject(signal.reason as Error);
              });
            });
          },
        }),
      ],
    });
    const client = await connected(endpoint.url);
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: {} }, { signal: controller.signal });
    const rejected = expect(call).rejects.toThrow();
    await started.promise;
    controller.abort();
    await rejected;
    expect(await ended.promise).toBe('aborted');
    await client.close();
  });

  test('a swapped catalog is announced and the new list is served', async () => {
    await using endpoint = await mcpEndpoint(source);
    const changed = Promise.withResolvers<void>();
    const client = await connected(endpoint.url);
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
    const subscription =
      revision === '2026-07-28' ? await client.listen({ toolsListChanged: true }) : undefined;
    if (subscription === undefined) await endpoint.listening;
    endpoint.gateway.swap({ tools: [defineTool({ name: 'new', description: 'New', handler: () => null })] });
    await changed.promise;
    const { tools } = await client.listTools(undefined, { cacheMode: 'bypass' } as never);
    expect(tools.map((tool) => tool.name)).toEqual(['new']);
    await client.close();
  });

  test('updates of a followed resource arrive, others do not', async () => {
    await using endpoint = await mcpEndpoint(source);
    const seen: string[] = [];
    const arrived = Promise.withResolvers<void>();
    const client = await connected(endpoint.url);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      seen.push(params.uri);
      arrived.resolve();
    });
    if (revision === '2026-07-28') await client.listen({ resourceSubscriptions: ['test://a'] });
    else {
      await client.subscribeResource({ uri: 'test://a' });
      await endpoint.listening;
    }
    endpoint.gateway.announce({ resource: 'test://other', source: 'functions' });
    endpoint.gateway.announce({ resource: 'test://a', source: 'functions' });
    await arrived.promise;
    expect(seen).toEqual(['test://a']);
    await client.close();
  });
});

describe('2026-07-28 on the wire', () => {
  test('lists say how long they hold, and for whom', async () => {
    await using endpoint = await mcpEndpoint(source);
    const { body } = await endpoint.ask('tools/list');
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
  });

  test('tools hold for one request where a call can choose the skill that brings them', async () => {
    await using endpoint = await mcpEndpoint(source);
    Object.assign(endpoint.gateway, { skillEntries: { list: () => [], get: () => undefined } });
    const { body } = await endpoint.ask('tools/list');
    expect(body.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  test('a list is whole, whatever the request calls itself', async () => {
    await using endpoint = await mcpEndpoint(source);
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const id = '"tools":[]';
    const { body } = await endpoint.post(
      { jsonrpc: '2.0', id, method: 'tools/list', params: { _meta: ENVELOPE } },
      headers,
    );
    expect(body).toMatchObject({
      id,
      result: { tools: endpoint.gateway.view().tools.map(({ tool }) => tool) },
    });
  });

  test('an empty list stays empty', async () => {
    await using endpoint = await mcpEndpoint({});
    expect((await endpoint.ask('tools/list')).body.result.tools).toEqual([]);
  });

  test('a question comes back as a result with a signed state', async () => {
    await using endpoint = await mcpEndpoint(source);
    const first = await endpoint.ask('tools/call', { name: 'greet' });
    expect(first.body.result).toMatchObject({ resultType: 'input_required', inputRequests: { name } });
    const { requestState } = first.body.result;
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const second = await endpoint.ask('tools/call', { name: 'greet', inputResponses, requestState });
    expect(second.body.result.content).toEqual([{ type: 'text', text: 'Hello Ada, state {"asked":1}' }]);
  });

  test.each([
    ['was changed', 'greet', 'local', (state: string) => `${state}x`],
    ['was made up', 'greet', 'local', () => 'v1.e30.AAAA'],
    ['belongs to another tool', 'other', 'local', (state: string) => state],
    ['belongs to another principal', 'greet', 'eve', (state: string) => state],
  ])('a state that %s is refused', async (_what, tool, principal, change) => {
    await using endpoint = await mcpEndpoint(source);
    const first = await endpoint.ask('tools/call', { name: 'greet' });
    const requestState = change(first.body.result.requestState);
    const { body } = await endpoint.ask(
      'tools/call',
      { name: tool, inputResponses: {}, requestState },
      { 'x-principal': principal },
    );
    expect(body.error.code).toBe(-32602);
  });

  test('a state is good for the arguments that were asked with: others would be answered as if they had been meant', async () => {
    await using endpoint = await mcpEndpoint(source);
    const first = await endpoint.ask('tools/call', { name: 'greet', arguments: { loudly: false } });
    const { requestState } = first.body.result;
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const again = (args: object) =>
      endpoint.ask('tools/call', { name: 'greet', arguments: args, inputResponses, requestState });
    const refused = await again({ loudly: true });
    expect(refused.body.error).toMatchObject({ code: -32602, data: { code: 'request_state_invalid' } });
    expect((await again({ loudly: false })).body.result).not.toHaveProperty('isError');
  });

  test('a wrong cursor is -32602', async () => {
    await using endpoint = await mcpEndpoint(source);
    const { body } = await endpoint.ask('tools/list', { cursor: 'nope' });
    expect(body.error).toMatchObject({ code: -32602, data: { code: 'cursor_invalid' } });
  });

  test('a resource that is not there is named', async () => {
    await using endpoint = await mcpEndpoint(source);
    const { body } = await endpoint.ask('resources/read', { uri: 'test://nope' });
    expect(body.error).toMatchObject({
      code: -32602,
      data: { uri: 'test://nope', code: 'resource_unknown' },
    });
  });

  test('what is read belongs to the run and the trace that the request names', async () => {
    await using endpoint = await mcpEndpoint(source);
    const asked: unknown[] = [];
    const seen = ({ run, traceparent, tracestate }: ReadOptions) =>
      asked.push([run, traceparent, tracestate]);
    type ReadOptions = { run?: string; traceparent?: string; tracestate?: string };
    Object.assign(endpoint.gateway, {
      readResource: async (uri: string, options: ReadOptions) => {
        seen(options);
        return { kind: 'resource', uri, contents: { text: 'x' }, meta: { a: 1 } };
      },
      getPrompt: async (_name: string, _args: object, options: ReadOptions) => {
        seen(options);
        return { kind: 'prompt', messages: [], meta: { a: 1 } };
      },
    });
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'rojo=1' };
    const envelope = { ...ENVELOPE, 'toolcrib/run': 'r1', ...trace };
    const read = await endpoint.ask('resources/read', { uri: 'test://a' }, {}, envelope);
    const got = await endpoint.ask('prompts/get', { name: 'p' }, {}, envelope);
    for (const { body } of [read, got]) expect(body.result._meta).toMatchObject({ a: 1 });
    await endpoint.ask('resources/read', { uri: 'test://a' });
    const named = ['r1', trace.traceparent, trace.tracestate];
    expect(asked).toEqual([named, named, [undefined, undefined, undefined]]);
  });

  test.each([
    ['nothing', {}, [false, undefined]],
    ['nothing, and follows progress', { progressToken: 1 }, [false, undefined]],
    ['a level', { 'io.modelcontextprotocol/logLevel': 'warning' }, [true, 'warning']],
  ])('what a call says of log messages is what its tool is told: %s', async (_name, more, expected) => {
    await using endpoint = await mcpEndpoint(source);
    const told: unknown[] = [];
    endpoint.gateway.call = async ({ channel }) => {
      told.push(channel?.log !== undefined, channel?.logLevel);
      return { kind: 'completed', content: [] };
    };
    await endpoint.ask('tools/call', { name: 'add', arguments: {} }, {}, { ...ENVELOPE, ...more });
    expect(told).toEqual(expected);
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s is 405', async (method) => {
    await using endpoint = await mcpEndpoint(source);
    const response = await fetch(endpoint.url, { method, headers: { 'mcp-protocol-version': '2026-07-28' } });
    expect(response.status).toBe(405);
  });

  test('a fault of the gateway does not show its text', async () => {
    await using endpoint = await mcpEndpoint(source);
    endpoint.gateway.call = () => Promise.reject(new Error('secret path'));
    const { body } = await endpoint.ask('tools/call', { name: 'add', arguments: {} });
    expect(body.error.code).toBe(-32603);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('a call that could not be begun is told as its outcome, unless the request itself is wrong', async () => {
    await using endpoint = await mcpEndpoint(source);
    const refuse = (code: ErrorCode) => {
      endpoint.gateway.call = () => Promise.reject(new ToolcribError(code, 'It was refused.'));
      return endpoint.ask('tools/call', { name: 'add', arguments: {} });
    };
    const { body } = await refuse('store_unavailable');
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('toolcrib store status') }],
    });
    expect((await refuse('tool_unknown')).body.error.code).toBe(-32602);
  });
});

describe('bodies', () => {
  test.each([
    ['broken JSON', '{', 'application/json', 400, -32700],
    ['another media type', '{}', 'text/plain', 415, -32000],
    ['more than the limit', JSON.stringify({ pad: 'x'.repeat(2000) }), 'application/json', 413, -32000],
  ])('%s', async (_name, body, type, status, code) => {
    await using endpoint = await mcpEndpoint(source, { maxBodyBytes: 1000 });
    const response = await fetch(endpoint.url, { method: 'POST', body, headers: { 'content-type': type } });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  test('more than the limit without a declared length', async () => {
    await using endpoint = await mcpEndpoint(source, { maxBodyBytes: 1000 });
    const body = new Blob(['x'.repeat(5000)]).stream();
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(endpoint.url, { method: 'POST', body, headers, duplex: 'half' });
    expect(response.status).toBe(413);
  });

  test('a compressed one is refused as such', async () => {
    await using endpoint = await mcpEndpoint(source);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const response = await fetch(endpoint.url, { method: 'POST', body: gzipSync('{}'), headers });
    expect(response.status).toBe(415);
    expect(response.headers.get('accept-encoding')).toBe('identity');
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('gzip') } });
  });
});

describe('requests that are refused', () => {
  test.each([
    ['the header names another tool', { 'mcp-name': 'fail' }],
    ['the header names no tool', { 'mcp-name': '' }],
    ['the header names another revision', { 'mcp-protocol-version': '2099-01-01' }],
  ])('are told to their client and are no faults of the gateway: %s', async (_case, headers) => {
    const faults: Error[] = [];
    await using endpoint = await mcpEndpoint(source, { onError: (error) => faults.push(error) });
    const { status, body } = await endpoint.ask(
      'tools/call',
      { name: 'add', arguments: { a: 1, b: 2 } },
      headers,
    );
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/\S/);
    expect(faults).toEqual([]);
  });
});

test.each([
  ['?topology=base', 200],
  ['?topology=', 200],
  ['?topology=serach', 400],
  [`?topology=${'x'.repeat(40)}`, 400],
])('an address that asks for a topology that is not there is refused: %s', async (query, status) => {
  await using endpoint = await mcpEndpoint(source, { topologies: ['flat', 'base'] });
  const response = await fetch(`${endpoint.url}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }),
  });
  expect(response.status).toBe(status);
  expect(await response.text()).toMatch(
    status === 200 ? /protocolVersion/ : /"request_invalid: .*it has: flat, base, base_only\."/,
  );
});
