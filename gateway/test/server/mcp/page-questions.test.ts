import { expect, it } from 'vitest';
import type { InputRequest } from '../../../src/operations/index.ts';
import { questionsOf } from '../../../src/server/mcp/page-questions.ts';
import { defineTool } from '../../../src/sources/function/define.ts';
import { ENVELOPE, mcpEndpoint } from './mcp-endpoint.ts';

const page = (more: object = {}): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in.', url: 'https://sign-in.example/', ...more },
});
const form: InputRequest = { method: 'elicitation/create', params: { mode: 'form', elicitationId: 'e1' } };

it('of a page have no id since 2026-07-28, and nothing else changes', () => {
  const roots: InputRequest = { method: 'roots/list' };
  expect(questionsOf({ page: page({ elicitationId: 'e1' }), form, roots }, 'modern')).toEqual({
    page: page(),
    form,
    roots,
  });
});

it('of a page have an id before: their own, or one of ours', () => {
  const given = { own: page({ elicitationId: 'e1' }), ours: page(), form };
  expect(questionsOf(given, 'legacy')).toEqual({
    own: page({ elicitationId: 'e1' }),
    ours: page({ elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    form,
  });
});

it('reach a client of 2026-07-28 so', async () => {
  const tool = defineTool({
    name: 'asks',
    description: 'd',
    handler: async (_args, { channel, signal }) => channel.ask!(page({ elicitationId: 'e1' }), signal),
  });
  await using endpoint = await mcpEndpoint({ tools: [tool] });
  const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } };
  const { body } = await endpoint.ask('tools/call', { name: 'asks' }, {}, { ...ENVELOPE, ...capabilities });
  expect(Object.values(body.result.inputRequests)).toEqual([page()]);
});
