import { describe, expect, test } from 'vitest';
import { content, defineTool, type FunctionTool } from '../../../../src/sources/function/define.ts';
import { ANSWERS, ENVELOPE, type Message, question, toolsOf } from '../direct-tools.ts';
import { type McpEndpoint, mcpEndpoint } from '../mcp-endpoint.ts';

const logger = async (_args: object, { channel }: { channel: { log?: (...args: unknown[]) => unknown } }) => {
  void channel.log?.('info', { a: 1 }, 'tool');
  await channel.log?.('warning', 'b');
  return 'logged';
};

const tools: readonly FunctionTool[] = [
  ...ANSWERS,
  ...toolsOf(
    { name: 'image', handler: () => content({ type: 'image', data: 'AAAA', mimeType: 'image/png' }) },
    { name: 'logs', handler: logger },
    // more than 14,000 bytes, of fewer characters
    { name: 'long', handler: () => 'é'.repeat(8_000) },
  ),
];

/** Those with sessions first. */
const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];

interface Client {
  readonly endpoint: McpEndpoint;
  post(method: string, params: Message, headers?: Message, id?: number): Promise<Response>;
  notify(method: string, params: Message): Promise<Response>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A client that sees heads and bodies themselves. */
async function connect(revision: Revision, offered: readonly FunctionTool[] = tools): Promise<Client> {
  const endpoint = await mcpEndpoint({ tools: offered });
  const session =
    revision === '2026-07-28'
      ? {}
      : {
          'mcp-session-id': await endpoint.initialize({}, revision),
          'mcp-protocol-version': revision,
        };
  let last = 0;
  const send = (message: Message, headers: Message) =>
    fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
        ...(Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')) as object),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  return {
    endpoint,
    post(method, params, headers = {}, id = ++last) {
      const { _meta, ...rest } = params;
      const envelope = { ...(revision === '2026-07-28' ? ENVELOPE : {}), ...(_meta as Message | undefined) };
      const standard = {
        'mcp-protocol-version': revision,
        'mcp-method': method,
        'mcp-name': rest['name'] ?? '',
      };
      const meta = Object.keys(envelope).length > 0 ? { _meta: envelope } : {};
      return send(
        { id, method, params: { ...rest, ...meta } },
        revision === '2026-07-28' ? { ...standard, ...headers } : headers,
      );
    },
    notify: (method, params) => send({ method, params }, {}),
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  };
}

interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Everything of an answer but what differs each time. */
async function shown(response: Response): Promise<Shown> {
  const { date: _date, 'content-length': _length, ...headers } = Object.fromEntries(response.headers);
  delete headers['transfer-encoding'];
  delete headers['keep-alive'];
  delete headers['mcp-session-id'];
  const body = (await response.text())
    .replace(/^id: [0-9a-f-]{36}\.\d+$/gm, 'id: of an event')
    .replace(/"id":\d+/, '"id":0');
  return { status: response.status, headers, body };
}

/** A stream of the SDK that holds one message, as the answer that is this message. */
function asJson({ status, body }: Shown): Shown {
  const headers = { connection: 'keep-alive', 'content-type': 'application/json' };
  return { status, headers, body: /\ndata: (\{[^\n]*\})\n/.exec(body)![1]! };
}

/** What a session answers past the SDK, which always opens a stream, with JSON. */
const SHORT = new Set([
  ...ANSWERS.map(({ name }) => name).filter((name) => name !== 'needs sampling'),
  'without arguments',
  'a header of another tool',
  'a header of another method',
  'no header of a name',
  'an encoded name',
]);

const CALLS: ReadonlyArray<readonly [string, Message, Message?]> = [
  ...tools.map(({ name }): [string, Message] => [name, { name, arguments: { a: [1, { b: null }] } }]),
  ['without arguments', { name: 'object' }],
  ['unknown tool', { name: 'nobody', arguments: {} }],
  ['arguments that are no object', { name: 'object', arguments: [1] }],
  ['a member that calls do not have', { name: 'object', more: 1 }],
  ['a prototype as argument', JSON.parse('{"name":"object","arguments":{"__proto__":{"a":1},"b":1}}')],
  ['another version', { name: 'object', _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }],
  ['a broken envelope', { name: 'object', _meta: { 'io.modelcontextprotocol/clientCapabilities': 1 } }],
  ['a forged state', { name: 'object', requestState: 'forged' }],
  ['a header of another tool', { name: 'object' }, { 'mcp-name': 'text' }],
  ['a header of another method', { name: 'object' }, { 'mcp-method': 'tools/list' }],
  ['a header of another version', { name: 'object' }, { 'mcp-protocol-version': '2025-03-26' }],
  ['no header of a name', { name: 'object' }, { 'mcp-name': '' }],
  ['an encoded name', { name: 'object' }, { 'mcp-name': `=?base64?${btoa('object')}?=` }],
  ['a name that looks encoded', { name: '=?base64?eA==?=' }],
  ['one type of answer', { name: 'object' }, { accept: 'application/json' }],
];

describe.each(REVISIONS)('a call of revision %s over HTTP past the SDK', (revision) => {
  const cases = CALLS.map(([name, params, headers = {}]) => [name, params, headers] as const);
  test.each(cases)('is answered byte for byte as by the SDK: %s', async (name, params, headers) => {
    // the first call is the SDK's
    await using first = await connect(revision);
    const bySdk = await shown(await first.post('tools/call', params, headers));
    await using connection = await connect(revision);
    await connection.post('tools/call', { name: 'text' });
    const answer = await shown(await connection.post('tools/call', params, headers));
    expect(answer).toEqual(revision !== '2026-07-28' && SHORT.has(name) ? asJson(bySdk) : bySdk);
  });
});

/** A tool that runs until it is told to end, and says how it was aborted. */
function waiting() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const release = Promise.withResolvers<string>();
  const tool = defineTool({
    name: 'waits',
    description: 'd',
    handler: (_args, { signal }) => {
      begun.resolve();
      signal.addEventListener('abort', () => ended.resolve(signal.reason));
      return release.promise;
    },
  });
  return { tool, begun: begun.promise, ended: ended.promise, release: release.resolve };
}

test.each(REVISIONS)('%s: the session or the endpoint ends what is open', async (revision) => {
  const { tool, begun, ended } = waiting();
  await using connection = await connect(revision, [...tools, tool]);
  await connection.post('tools/call', { name: 'text' });
  const answer = connection.post('tools/call', { name: 'waits' }).catch(() => undefined);
  await begun;
  await connection.endpoint.mcp.close();
  expect(await ended).toMatchObject({ message: 'Connection closed' });
  await answer;
});

test('2026-07-28: a call ends when its client goes away', async () => {
  const { tool, begun, ended } = waiting();
  await using connection = await connect('2026-07-28', [...tools, tool]);
  await connection.post('tools/call', { name: 'text' });
  const client = new AbortController();
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'waits',
  };
  const params = { name: 'waits', _meta: ENVELOPE };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
  const request = fetch(connection.endpoint.url, { method: 'POST', headers, body, signal: client.signal });
  await begun;
  client.abort();
  await expect(request).rejects.toThrow();
  expect(await ended).toMatchObject({ message: 'Connection closed' });
});

test('2025-11-25: a call is cancelled by its id', async () => {
  const { tool, begun, ended } = waiting();
  await using connection = await connect('2025-11-25', [...tools, tool]);
  await connection.post('tools/call', { name: 'text' });
  const answer = connection.post('tools/call', { name: 'waits' }, {}, 7);
  await begun;
  const cancel = await connection.notify('notifications/cancelled', { requestId: 7, reason: 'enough' });
  expect(cancel.status).toBe(202);
  expect(await ended).toBe('enough');
  expect((await answer).status).toBe(200);
});

test('2025-11-25: the stream of a call that takes longer opens before its answer', async () => {
  const { tool, release } = waiting();
  await using connection = await connect('2025-11-25', [...tools, tool]);
  await connection.post('tools/call', { name: 'text' });
  const response = await connection.post('tools/call', { name: 'waits' });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  release('done');
  expect(await response.text()).toContain('done');
});

test('2025-11-25: what a broken stream has begun is had by its last event', async () => {
  await using connection = await connect('2025-11-25');
  await connection.post('tools/call', { name: 'text' });
  const whole = await connection.post('tools/call', { name: 'long' });
  const [first, second] = (await whole.text()).split('\n\n') as [string, string];
  const resumed = await fetch(connection.endpoint.url, {
    headers: {
      accept: 'text/event-stream',
      'mcp-session-id': whole.headers.get('mcp-session-id')!,
      'mcp-protocol-version': '2025-11-25',
      'last-event-id': /^id: (.+)$/m.exec(first)![1]!,
    },
  });
  expect(await resumed.text()).toBe(`${second}\n\n`);
});

test.each([
  { sure: true },
  // a field that was left empty, as clients on the SDK of Python write it
  { sure: true, why: null },
])('2025-11-25: the client is asked on the stream of the call, and answers %j', async (answered) => {
  const asks = defineTool({
    name: 'asks',
    description: 'd',
    handler: async (_args, { channel, signal }) => ({
      answer: await channel.ask!(question as never, signal),
    }),
  });
  await using endpoint = await mcpEndpoint({ tools: [...tools, asks] });
  const opened = await endpoint.post({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    },
  });
  const headers = {
    'mcp-session-id': opened.headers.get('mcp-session-id')!,
    'mcp-protocol-version': '2025-11-25',
  };
  const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  await endpoint.post(call(1, 'text'), headers);
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(call(2, 'asks')),
  });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const asked = /^data: (\{.*"elicitation\/create".*\})$/m.exec(text)?.[1];
    if (asked === undefined || text.includes('"answer"')) continue;
    const { id } = JSON.parse(asked);
    const result = { action: 'accept', content: answered };
    await endpoint.post({ jsonrpc: '2.0', id, result }, headers);
  }
  expect(text).toContain('"structuredContent":{"answer":{"action":"accept","content":{"sure":true}}}');
});
