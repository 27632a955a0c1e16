import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { CallChannel } from '../../../src/operations/index.ts';
import { serveStdio } from '../../../src/server/mcp/stdio/serve-stdio.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { functionGateway } from '../function-gateway.ts';
import { ENVELOPE, mcpEndpoint } from './mcp-endpoint.ts';

/** A tool that goes on telling when it has answered. */
function tells(): { readonly source: FunctionSource; told(): Promise<void> } {
  let own: CallChannel | undefined;
  const tool = defineTool({
    name: 'tell',
    description: 'd',
    handler: async (_args, { channel }) => {
      own = channel;
      await channel.progress?.(1, 3);
      await channel.log?.('info', 'first');
      return 'done';
    },
  });
  return {
    source: { tools: [tool] },
    async told() {
      await own?.progress?.(2, 3);
      await own?.log?.('info', 'late');
    },
  };
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const call = (id: number, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'tell', _meta: { progressToken: 0, ...more } },
});
const ERAS: readonly [string, readonly object[], object][] = [
  ['2025-11-25', [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }], {}],
  ['2026-07-28', [], { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'debug' }],
];

test.each(ERAS)(
  'over stdio nothing is told of a request that was answered (%s)',
  async (_era, begin, meta) => {
    const { source, told } = tells();
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const lines: { id?: number; method?: string }[] = [];
    const answered = Promise.withResolvers<void>();
    streams.output.on('data', (chunk: Buffer) => {
      for (const line of String(chunk).split('\n').filter(Boolean)) {
        const message = JSON.parse(line);
        lines.push(message);
        if (message.id === 1) answered.resolve();
      }
    });
    const served = serveStdio(functionGateway(source), { streams });
    for (const message of [...begin, call(1, meta)]) streams.input.write(`${JSON.stringify(message)}\n`);
    await answered.promise;
    await told();
    streams.input.end();
    await served;
    expect(lines.filter(({ id }) => id !== 0).map(({ method = 'answer' }) => method)).toEqual([
      'notifications/progress',
      'notifications/message',
      'answer',
    ]);
  },
);

test('over HTTP telling of a request that was answered is no error', async () => {
  const { source, told } = tells();
  await using endpoint = await mcpEndpoint(source);
  const session = { 'mcp-session-id': await endpoint.initialize(), 'mcp-protocol-version': '2025-11-25' };
  expect((await endpoint.post(call(1), session)).body.result.content).toEqual([
    { type: 'text', text: 'done' },
  ]);
  await told();
  const logging = { ...ENVELOPE, progressToken: 0, 'io.modelcontextprotocol/logLevel': 'debug' };
  expect((await endpoint.ask('tools/call', { name: 'tell' }, {}, logging)).status).toBe(200);
  await told();
});
