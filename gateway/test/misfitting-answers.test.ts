import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfiguration } from '../src/config/index.ts';
import { createGateway, type Gateway } from '../src/gateway.ts';

const SCRIPTED = fileURLToPath(new URL('upstreams/fixtures/scripted-server.mjs', import.meta.url));

let folder = '';
let gateway: Gateway;
let client: Client;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-misfits-'));
});
afterEach(async () => {
  await client.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const requestedSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, count: { type: 'integer', maximum: 3 } },
  required: ['name'],
};
const question = { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema } };

/** A client of the older revisions whose person answers so; its SDK would refuse to send some of it. */
async function calling(era: 'legacy' | 'modern', answer: object) {
  const mcp = {
    command: process.execPath,
    args: [SCRIPTED],
    era,
    env: { SCRIPT: JSON.stringify({ era }) },
    patience: '20s',
  };
  const access = ['ask', 'input'].map((operation) => ({ operation, access: 'read' }));
  gateway = await createGateway(
    await parseConfiguration(
      {
        sources: { up: { mcp, access } },
        stateDirectory: join(folder, 'state'),
        watch: false,
        topology: 'flat',
      },
      { env: process.env, baseDirectory: folder },
    ),
  );
  const { url } = await gateway.listen({ port: 0 });
  client = new Client({ name: 'older', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url));
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send('result' in message ? { ...message, result: { ...answer } } : message, options);
  await client.connect(transport);
  expect(client.getProtocolEra()).toBe('legacy');
  return era === 'legacy'
    ? client.callTool({ name: 'up_ask', arguments: { ...question, fail: true } })
    : client.callTool({ name: 'up_input', arguments: { request: question } });
}

const MISFITS: [string, object][] = [
  ['a value of another type', { name: ['Ann'] }],
  ['without what is required', {}],
  ['an object for a value', { name: { first: 'Ann' } }],
  ['beyond its bounds', { name: 'Ann', count: 4 }],
];

describe('a client of the older revisions that answers what does not fit the form', () => {
  test.each(MISFITS)('is told so, and a server of its era gets an error: %s', async (_, content) => {
    const result = await calling('legacy', { action: 'accept', content });
    expect(result).toMatchObject({
      isError: true,
      _meta: {
        'toolcrib/error': { code: 'answer_invalid', message: expect.stringContaining('was not answered') },
      },
    });
    expect(JSON.stringify(result)).toContain('does not fit');
    expect(JSON.stringify(result)).not.toContain('"action":"accept"');
  });

  test.each(MISFITS)('is told so, and a server of 2026-07-28 gets nothing: %s', async (_, content) => {
    await expect(calling('modern', { action: 'accept', content })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('The answer to name does not fit its form'),
      data: { code: 'answer_invalid', next: expect.stringContaining('Call again') },
    });
  });
});

describe.each(['legacy', 'modern'] as const)('a server of the %s era hears', (era) => {
  test('an answer that fits', async () => {
    const result = await calling(era, { action: 'accept', content: { name: 'Ann', count: 3 } });
    expect(JSON.stringify(result.content)).toContain('Ann');
  });

  test.each(['decline', 'cancel'])('that the person chose %s, whatever came along', async (action) => {
    const result = await calling(era, { action, content: { name: 1 } });
    expect(JSON.stringify(result.content)).toContain(action);
  });
});
