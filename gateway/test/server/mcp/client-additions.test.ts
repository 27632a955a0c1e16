import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { withoutAdditions } from '../../../src/server/mcp/client-additions.ts';
import { defineTool } from '../../../src/sources/function/define.ts';
import { ENVELOPE, mcpEndpoint } from './mcp-endpoint.ts';

const GEMINI = 'gemini-cli-mcp-client';

describe('arguments that a client adds to every tool', () => {
  const schema = () => ({ type: 'object', properties: { kind: {} } });

  it('are taken out, of that client alone', () => {
    const args = { kind: 'dog', wait_for_previous: true };
    expect(withoutAdditions(args, GEMINI, schema)).toEqual({ kind: 'dog' });
    expect(withoutAdditions(args, 'claude-code', schema)).toBe(args);
    expect(withoutAdditions(args, undefined, schema)).toBe(args);
    expect(withoutAdditions({ wait_for_previous: false }, GEMINI, () => undefined)).toEqual({});
    expect(withoutAdditions({ kind: { wait_for_previous: 1 } }, GEMINI, schema)).toEqual({
      kind: { wait_for_previous: 1 },
    });
  });

  it('are the tool’s where it knows them', () => {
    const own = () => ({ type: 'object', properties: { wait_for_previous: { type: 'boolean' } } });
    const args = { wait_for_previous: true };
    expect(withoutAdditions(args, GEMINI, own)).toEqual(args);
  });

  it('keep everything else as it came', () => {
    const args = JSON.parse('{"__proto__":{"a":1},"wait_for_previous":true}') as JsonObject;
    expect(JSON.stringify(withoutAdditions(args, GEMINI, schema))).toBe('{"__proto__":{"a":1}}');
  });
});

test('a call of Gemini CLI reaches its tool with what the model meant', async () => {
  const given: unknown[] = [];
  const tool = defineTool({
    name: 'list_pets',
    description: 'd',
    input: { type: 'object', properties: { kind: { type: 'string' } }, additionalProperties: false },
    handler: (args: JsonObject) => {
      given.push(args);
      return 'done';
    },
  });
  await using endpoint = await mcpEndpoint({ tools: [tool] });
  const params = { name: 'list_pets', arguments: { kind: 'dog', wait_for_previous: true } };
  const as = (name: string) => ({
    ...ENVELOPE,
    'io.modelcontextprotocol/clientInfo': { name, version: '1' },
  });
  const answered = await endpoint.ask('tools/call', params, {}, as(GEMINI));
  expect(answered.body.result).toMatchObject({ content: [{ text: 'done' }] });
  await endpoint.ask('tools/call', params, {}, as('another'));
  expect(given).toEqual([{ kind: 'dog' }, { kind: 'dog', wait_for_previous: true }]);
});
