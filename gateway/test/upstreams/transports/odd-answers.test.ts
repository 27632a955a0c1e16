import { expect, it, onTestFinished } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { createUpstreams } from '../../../src/upstreams/index.ts';
import { createUpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../../src/upstreams/transports/open-transport.ts';
import { type Answer, startLoopbackService } from '../../doubles/loopback-service.ts';
import { remote } from '../remote.ts';
import { request } from '../scripted.ts';

const KEY = 'ghp_8fK2mQz0PpL91xYvTtR4';
const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'odd', version: '1' },
};

const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {}, resources: {}, completions: {} },
  ttlMs: 0,
  cacheScope: 'private',
};

/** A server of the handshake era that answers calls so. */
const answering = (odd: (id: number) => Answer) =>
  served(({ id, method }) => {
    if (method === 'tools/call') return odd(id);
    const known = method === 'initialize' || method === 'ping';
    const answer = known ? { result: INITIALIZED } : { error: { code: -32601, message: 'no' } };
    return { status: 200, body: { jsonrpc: '2.0', id, ...answer } };
  });

/** A server of 2026-07-28: what it does not know is 404, as it has to be; calls are answered so. */
const stateless = (odd: (id: number) => Answer) =>
  served(({ id, method }) => {
    if (method === 'tools/call') return odd(id);
    const results: Record<string, object> = {
      'server/discover': DISCOVERED,
      'tools/list': { resultType: 'complete', tools: [{ name: 'show', inputSchema: { type: 'object' } }] },
      'resources/list': { resultType: 'complete', resources: [] },
    };
    const result = results[method];
    if (result !== undefined) return { status: 200, body: { jsonrpc: '2.0', id, result } };
    return {
      status: 404,
      body: { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
    };
  });

async function served(answer: (asked: { id: number; method: string }) => Answer) {
  const service = await startLoopbackService('/mcp', ({ method, body }) => {
    if (method !== 'POST') return { status: 405 };
    const { id, method: asked } = JSON.parse(String(body)) as { id?: number; method: string };
    return id === undefined ? { status: 202 } : answer({ id, method: asked });
  });
  const egress = createEgress({ allow: [new URL(service.url).origin] });
  const secrets = createSecretReader({}, () => {});
  const signIns = createUpstreamSignIns({ egress, secrets, announce: () => {} });
  const upstreams = createUpstreams({
    record: () => {},
    openTransport: createOpenTransport({ egress, secrets, signIns }),
  });
  upstreams.configure([remote(service.url, { headers: { Authorization: `Bearer ${KEY}` } })]);
  onTestFinished(async () => {
    await upstreams.close();
    await egress.close();
    await service.close();
  });
  return upstreams;
}

const RESULT = { content: [{ type: 'text', text: 'fine' }] };
const text = (status: number, type: string, body: string): Answer => ({
  status,
  headers: { 'content-type': type },
  body,
});

it.each<[string, (id: number) => Answer, string, string]>([
  ['nothing but 202', () => ({ status: 202 }), 'upstream_crashed', 'the answer broke off'],
  [
    'the id of another request',
    (id) => ({ status: 200, body: { jsonrpc: '2.0', id: id + 1, result: RESULT } }),
    'upstream_crashed',
    'the answer broke off',
  ],
  ['a page', () => text(200, 'text/html', '<h1>Sign in</h1>'), 'upstream_failed', 'answered with text/html'],
  ['nothing', () => text(200, 'application/json', ''), 'upstream_failed', 'no message of JSON-RPC'],
  [
    'a refusal in JSON-RPC',
    (id) => ({ status: 400, body: { jsonrpc: '2.0', id, error: { code: -32602, message: `no ${KEY}` } } }),
    'upstream_failed',
    'HTTP 400: "no [redacted]"',
  ],
  [
    'a refusal in words',
    () => text(422, 'text/plain', 'no such board'),
    'upstream_failed',
    '422: "no such board"',
  ],
])('a call that is answered with %s ends at once, and says so', async (_, odd, code, words) => {
  const upstreams = await answering(odd);
  await expect(upstreams.call('remote', 'show', {}, request())).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  });
});

it('the id as text is the id', async () => {
  const upstreams = await answering((id) => ({
    status: 200,
    body: { jsonrpc: '2.0', id: String(id), result: RESULT },
  }));
  expect(await upstreams.call('remote', 'show', {}, request())).toMatchObject({ content: RESULT.content });
});

it('a method that a server of 2026-07-28 does not know is 404, and no failure of the server', async () => {
  const upstreams = await stateless(() => ({ status: 500 }));
  expect(await upstreams.list('remote', AbortSignal.timeout(5_000))).toMatchObject({
    tools: [{ name: 'show' }],
    resourceTemplates: [],
  });
  expect(await upstreams.list('remote', AbortSignal.timeout(5_000))).not.toHaveProperty('missing');
  const question = { reference: { template: 'a:{b}' }, argument: 'b', value: '' };
  expect(await upstreams.complete('remote', question, request())).toEqual({ values: [] });
});

it.each([
  ['an error under the id of the request', 500, (id: number) => id, 'upstream_failed', '"boom"'],
  ['an error of another request', 500, (id: number) => id + 1, 'upstream_crashed', 'HTTP 500'],
  ['a way in between that is down', 502, (id: number) => id, 'upstream_crashed', 'HTTP 502'],
])('a call to a server of 2026-07-28 that is answered with %s', async (_, status, of, code, words) => {
  const error = { code: -32603, message: 'boom' };
  const upstreams = await stateless((id) => ({ status, body: { jsonrpc: '2.0', id: of(id), error } }));
  await expect(upstreams.call('remote', 'show', {}, request())).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  });
});

it.each([
  ['older', null, answering],
  ['newer', null, stateless],
  // the member may be left out as well (MCP, JSONRPCErrorResponse)
  ['older', undefined, answering],
])(
  'an error without an id is that of the only request there is (%s revision, %s)',
  async (_era, id, start) => {
    const error = { code: -32600, message: 'no such board' };
    const upstreams = await start(() => ({ status: 200, body: { jsonrpc: '2.0', id, error } }));
    await expect(upstreams.call('remote', 'show', {}, request())).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('answered the tool show with error -32600: "no such board"'),
    });
  },
);

it('a server that refuses the probe of the newer revision without an id is one of the older', async () => {
  const upstreams = await served(({ id, method }) => {
    const results: Record<string, object> = { initialize: INITIALIZED, ping: {}, 'tools/call': RESULT };
    const result = results[method];
    const error = { code: -32601, message: 'Method not found' };
    return {
      status: 200,
      body: { jsonrpc: '2.0', ...(result === undefined ? { id: null, error } : { id, result }) },
    };
  });
  expect(await upstreams.call('remote', 'show', {}, request())).toMatchObject({ content: RESULT.content });
});

const refusedInStream = (id: null | undefined): Answer => {
  const refusal = { jsonrpc: '2.0', id, error: { code: -32600, message: 'no such böard' } };
  return text(200, 'text/event-stream', `event: message\ndata: ${JSON.stringify(refusal)}\n\n`);
};

it.each([
  ['older', null, answering],
  ['newer', null, stateless],
  ['newer', undefined, stateless],
])('so it is in the stream of that request (%s revision, %s)', async (_era, id, start) => {
  const upstreams = await start(() => refusedInStream(id));
  await expect(upstreams.call('remote', 'show', {}, request())).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('answered the tool show with error -32600: "no such böard"'),
  });
});

it.each<[string, Answer]>([
  ['a failure', text(500, 'text/plain', 'no such method')],
  ['JSON that is no message', { status: 200, body: { error: 'no such method' } }],
  ['what is no JSON', text(200, 'application/json', '')],
  ['a page', text(200, 'text/html', '<h1>Hello</h1>')],
  ['nothing', { status: 204 }],
  ['202', { status: 202 }],
  ['a stream of nothing', text(200, 'text/event-stream', '')],
  ['a stream of what is no answer', text(200, 'text/event-stream', ': hello\n\ndata: {"error":1}\n\n')],
  ['a refusal without an id in a stream', refusedInStream(null)],
])('a server that answers the probe with %s is asked in the older way', async (_what, odd) => {
  const upstreams = await served(({ id, method }) => {
    const results: Record<string, object> = { initialize: INITIALIZED, ping: {}, 'tools/call': RESULT };
    const result = results[method];
    return result === undefined ? odd : { status: 200, body: { jsonrpc: '2.0', id, result } };
  });
  expect(await upstreams.call('remote', 'show', {}, request())).toMatchObject({ content: RESULT.content });
});

it('how long a server asks to wait is told', async () => {
  for (const eras of [answering, stateless]) {
    const upstreams = await eras(() => ({
      status: 429,
      headers: { 'retry-after': '30' },
      body: 'slow down',
    }));
    await expect(upstreams.call('remote', 'show', {}, request())).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'The server "remote" asks to wait 30 s: "slow down".',
      details: { retryAfterSeconds: 30 },
    });
  }
});
