import { expect, test } from 'vitest';
import { defineTool, type FunctionSource } from '../../../../src/sources/function/define.ts';
import { type McpEndpoint, mcpEndpoint } from '../mcp-endpoint.ts';

const source: FunctionSource = { tools: [defineTool({ name: 't', description: 'd', handler: () => 'ok' })] };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const inSession = (endpoint: McpEndpoint, id: string, headers = {}) =>
  endpoint.post(LIST, { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25', ...headers });

test('a session has an id of visible ASCII and serves until it is deleted', async () => {
  await using endpoint = await mcpEndpoint(source);
  const id = await endpoint.initialize();
  expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
  expect((await inSession(endpoint, id)).body.result.tools).toHaveLength(1);
  const deleted = await fetch(endpoint.url, { method: 'DELETE', headers: { 'mcp-session-id': id } });
  expect(deleted.status).toBe(200);
  expect((await inSession(endpoint, id)).status).toBe(404);
  expect(endpoint.mcp.sessions).toBe(0);
});

test.each([
  ['no session', undefined, 400],
  ['an unknown session', 'made-up', 404],
])('%s is refused', async (_name, id, status) => {
  await using endpoint = await mcpEndpoint(source);
  expect((await endpoint.post(LIST, id === undefined ? {} : { 'mcp-session-id': id })).status).toBe(status);
});

test("another principal's session looks as if it were not there", async () => {
  await using endpoint = await mcpEndpoint(source);
  const id = await endpoint.initialize({ 'x-principal': 'alice' });
  expect((await inSession(endpoint, id, { 'x-principal': 'alice' })).status).toBe(200);
  expect((await inSession(endpoint, id, { 'x-principal': 'eve' })).status).toBe(404);
});

test('at the limit the session that was idle longest makes room', async () => {
  await using endpoint = await mcpEndpoint(source, { sessions: { maxSessions: 2 } });
  const first = await endpoint.initialize();
  const second = await endpoint.initialize();
  await inSession(endpoint, first);
  const third = await endpoint.initialize();
  expect(endpoint.mcp.sessions).toBe(2);
  expect((await inSession(endpoint, second)).status).toBe(404);
  expect((await inSession(endpoint, first)).status).toBe(200);
  expect((await inSession(endpoint, third)).status).toBe(200);
});

test('a user who opens one session after the other ends the own ones, nobody else’s', async () => {
  await using endpoint = await mcpEndpoint(source, { sessions: { maxSessions: 4, maxSessionsEach: 2 } });
  const alice = await endpoint.initialize({ 'x-principal': 'alice' });
  const eve = [];
  for (let count = 0; count < 5; count++) eve.push(await endpoint.initialize({ 'x-principal': 'eve' }));
  expect(endpoint.mcp.sessions).toBe(3);
  expect((await inSession(endpoint, alice, { 'x-principal': 'alice' })).status).toBe(200);
  expect((await inSession(endpoint, eve[0]!, { 'x-principal': 'eve' })).status).toBe(404);
  expect((await inSession(endpoint, eve[4]!, { 'x-principal': 'eve' })).status).toBe(200);
});

test('a session follows a bounded number of resources', async () => {
  await using endpoint = await mcpEndpoint(source);
  const id = await endpoint.initialize();
  const follow = (uri: string) =>
    endpoint.post(
      { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } },
      { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' },
    );
  expect((await follow('a://b')).body.result).toEqual({});
  expect((await follow(`a://${'b'.repeat(9000)}`)).body.error.data.code).toBe('overloaded');
});

test('a session that listens is not idle: with all in use a new one waits', async () => {
  await using endpoint = await mcpEndpoint(source, { sessions: { maxSessions: 1 } });
  const id = await endpoint.initialize();
  const stream = await fetch(endpoint.url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': id },
  });
  expect(stream.status).toBe(200);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const refused = await endpoint.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('10');
  await stream.body?.cancel();
});

test('an idle session ends', async () => {
  await using endpoint = await mcpEndpoint(source, { sessions: { idleMs: 20 } });
  const id = await endpoint.initialize();
  await expect.poll(() => endpoint.mcp.sessions).toBe(0);
  expect((await inSession(endpoint, id)).status).toBe(404);
});

test('a stream that is refused, or that ends by itself, keeps no session', async () => {
  await using endpoint = await mcpEndpoint(source, { sessions: { idleMs: 1000 } });
  const id = await endpoint.initialize();
  const session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  const listen = (headers: object) => fetch(endpoint.url, { headers: { ...session, ...headers } });
  expect((await listen({ accept: 'application/json' })).status).toBe(406);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } };
  const both = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const headers = { ...session, ...both };
  const called = await fetch(endpoint.url, { method: 'POST', headers, body: JSON.stringify(call) });
  const [, first] = /^id: (\S+)/m.exec(await called.text()) ?? [];
  const again = await listen({ accept: 'text/event-stream', 'last-event-id': first });
  expect(await again.text()).toContain('"result"');
  await expect.poll(() => endpoint.mcp.sessions).toBe(0);
});

test('who listens anew takes the place of its older stream, of which nobody knows whether it still has a reader', async () => {
  await using endpoint = await mcpEndpoint(source);
  const id = await endpoint.initialize();
  const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
  const older = await fetch(endpoint.url, { headers });
  const newer = await fetch(endpoint.url, { headers });
  expect([older.status, newer.status]).toEqual([200, 200]);
  expect(await older.text()).toBe('');
  await newer.body?.cancel();
});

test('the stream of a call goes on where it is continued, also while its older connection looks open', async () => {
  const end = Promise.withResolvers<string>();
  const slow = defineTool({ name: 'slow', description: 'd', handler: () => end.promise });
  await using endpoint = await mcpEndpoint({ tools: [slow] });
  const session = {
    'mcp-session-id': await endpoint.initialize(),
    'mcp-protocol-version': '2025-11-25',
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } };
  const both = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const headers = { ...session, ...both };
  const begun = await fetch(endpoint.url, { method: 'POST', headers, body: JSON.stringify(call) });
  const reader = begun.body!.getReader();
  const [, first = ''] = /^id: (\S+)/m.exec(Buffer.from((await reader.read()).value!).toString()) ?? [];
  const continued = await fetch(endpoint.url, {
    headers: { ...session, accept: 'text/event-stream', 'last-event-id': first },
  });
  expect(continued.status).toBe(200);
  end.resolve('the answer');
  expect(await continued.text()).toContain('the answer');
  expect((await reader.read()).done).toBe(true);
});

test('an initialize that is refused leaves no session behind', async () => {
  await using endpoint = await mcpEndpoint(source);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const refused = await endpoint.post(
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    { accept: 'application/json' },
  );
  expect(refused.status).toBe(406);
  expect(endpoint.mcp.sessions).toBe(0);
});

test('an initialize that lacks something says what, and opens nothing', async () => {
  await using endpoint = await mcpEndpoint(source);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test' } };
  const refused = await endpoint.post({ jsonrpc: '2.0', id: 'a', method: 'initialize', params });
  expect(refused.status).toBe(400);
  expect(refused.body).toEqual({
    jsonrpc: '2.0',
    id: 'a',
    error: {
      code: -32602,
      message: expect.stringMatching(/^Invalid initialize: params\.clientInfo\.version: /),
    },
  });
  expect(endpoint.mcp.sessions).toBe(0);
});

test('a client of HTTP with SSE is told that it is not served', async () => {
  await using endpoint = await mcpEndpoint(source);
  const refused = await fetch(endpoint.url, { headers: { accept: 'text/event-stream' } });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await refused.json()).toMatchObject({
    error: { message: expect.stringContaining('HTTP with SSE') },
  });
});
