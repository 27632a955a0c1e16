import { ProtocolError } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { invalidParams } from '../../../src/server/mcp/invalid-params.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { mcpEndpoint } from './mcp-endpoint.ts';

const source: FunctionSource = { tools: [defineTool({ name: 't', description: 'd', handler: () => 'ok' })] };

test.each([
  ['tools/list', { cursor: 5 }, 'params.cursor: Expected string, received number.'],
  ['tools/call', { name: 't', arguments: '{}' }, 'params.arguments: Expected object, received string.'],
  ['tools/call', { name: 't', arguments: null }, 'params.arguments: Expected object, received null.'],
  ['tools/call', {}, 'params.name: "name" is missing.'],
  ['resources/read', { uri: 1 }, 'params.uri: Expected string, received number.'],
  [
    'completion/complete',
    { ref: { type: 'other' }, argument: { name: 'a', value: 'b' } },
    'params.ref.type: Expected "ref/prompt" or "ref/resource".',
  ],
])('%s with %j is refused in words, in both eras', async (method, params, words) => {
  await using endpoint = await mcpEndpoint(source);
  const error = { code: -32602, message: `Invalid ${method}: ${words}` };
  const name = String((params as { name?: string }).name ?? (params as { uri?: number }).uri ?? '');
  const stateless = await endpoint.ask(method, params, name === '' ? {} : { 'mcp-name': name });
  expect(stateless.body.error).toEqual(error);
  const id = await endpoint.initialize();
  const inSession = await endpoint.post(
    { jsonrpc: '2.0', id: 2, method, params },
    { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' },
  );
  expect(inSession.body.error).toEqual(error);
});

test.each([
  'plain words',
  '[]',
  '[1]',
  '[{"code":"x"}]',
  '[not json]',
  'of a tool: [{"code":"a","path":[]}]',
])('another error stays what it is: %s', (message) => {
  expect(invalidParams({ method: 'tools/list' }, new Error(message))).toBeUndefined();
  expect(invalidParams({ method: 'tools/list' }, message)).toBeUndefined();
});

test('a request that as a whole is none has no place', () => {
  const issue = { code: 'custom', path: [], message: 'Too much' };
  const error = invalidParams({ method: 'tools/list' }, new Error(JSON.stringify([issue])));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error?.message).toBe('Invalid tools/list: request: Too much.');
});
