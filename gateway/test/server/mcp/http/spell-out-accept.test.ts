import { expect, test } from 'vitest';
import { spellOutAccept } from '../../../../src/server/mcp/http/spell-out-accept.ts';
import { mcpEndpoint } from '../mcp-endpoint.ts';

const BOTH = 'application/json, text/event-stream';

function spelled(accept: string | undefined, method = 'POST'): string | null {
  const request = new Request('http://127.0.0.1/mcp', {
    method,
    headers: accept === undefined ? {} : { accept },
  });
  spellOutAccept(request);
  return request.headers.get('accept');
}

test.each([
  undefined,
  '*/*',
  'application/*, text/*;q=0.5',
  'Application/JSON, Text/Event-Stream',
  'application/json, */*;q=0.1',
])('%s takes both kinds of answers', (accept) => {
  expect(spelled(accept)).toBe(BOTH);
});

test.each([
  'application/json',
  'text/event-stream',
  'application/json, text/html',
  'application/json;q=0, */*',
  '',
])('"%s" does not', (accept) => {
  expect(spelled(accept)).toBe(accept);
});

test('what names both stays as it is; a stream alone is asked for without JSON', () => {
  expect(spelled('text/event-stream;x=1, application/json')).toBe('text/event-stream;x=1, application/json');
  expect(spelled('text/event-stream', 'GET')).toBe('text/event-stream');
  expect(spelled('*/*', 'GET')).toBe(BOTH);
  expect(spelled('application/json', 'GET')).toBe('application/json');
});

test('a client that takes anything is served a session', async () => {
  await using endpoint = await mcpEndpoint({});
  const id = await endpoint.initialize({ accept: '*/*' });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25', accept: '*/*' };
  expect((await endpoint.post(ping, headers)).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});
