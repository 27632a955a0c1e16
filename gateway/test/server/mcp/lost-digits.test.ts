import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { lostDigits } from '../../../src/server/mcp/lost-digits.ts';
import { LineReader } from '../../../src/server/mcp/stdio/line-reader.ts';
import { serveStdio } from '../../../src/server/mcp/stdio/serve-stdio.ts';
import { defineTool } from '../../../src/sources/function/define.ts';
import { functionGateway } from '../function-gateway.ts';
import { mcpEndpoint } from './mcp-endpoint.ts';

const ID = '9007199254740993';
const ENVELOPE = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
  "io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},
  "io.modelcontextprotocol/clientCapabilities":{}}`.replaceAll(/\n\s*/g, '');
const callOf = (value: string, meta?: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"record","arguments":{"deep":[{"id":${value}}]}${meta === undefined ? '' : `,"_meta":${meta}`}}}`;

/** A tool that keeps what it was given. */
function recorder() {
  const given: unknown[] = [];
  const tool = defineTool({
    name: 'record',
    description: 'd',
    input: { type: 'object' },
    handler: (args: object) => {
      given.push(args);
      return 'ok';
    },
  } as never);
  return { given, tool };
}

describe('the whole numbers of a call', () => {
  test.each([
    ['beyond what a double holds', ID, true],
    ['negative', `-${ID}`, true],
    ['long and held exactly', '9007199254740994', false],
    ['a round one', '1000000000000000000', false],
    ['no whole number', '0.12345678901234567890', false],
    ['as text', `"${ID}"`, false],
  ])('%s', (_case, value, lost) => {
    const text = callOf(value);
    const answer = lostDigits(text, JSON.parse(text));
    if (!lost) expect(answer).toBeUndefined();
    else
      expect(answer).toMatchObject({
        id: 7,
        error: { code: -32602, message: expect.stringContaining(value) },
      });
  });

  test('cannot be read in a call that is nested too deeply: it is refused', () => {
    const text = callOf(`${'['.repeat(100_000)}${ID}${']'.repeat(100_000)}`);
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/call' };
    expect(lostDigits(text, body)).toMatchObject({
      id: 7,
      error: { code: -32602, message: expect.stringContaining('nested too deeply') },
    });
  });

  test('of other messages are not judged', () => {
    const text = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":${ID}}}`;
    expect(lostDigits(text, JSON.parse(text))).toBeUndefined();
  });

  test.each([
    ['2025-11-25', undefined],
    ['2026-07-28', ENVELOPE],
  ])('are refused over HTTP in revision %s before the tool is called', async (era, meta) => {
    const { given, tool } = recorder();
    await using endpoint = await mcpEndpoint({ tools: [tool] });
    const session = meta === undefined ? { 'mcp-session-id': await endpoint.initialize() } : {};
    const post = (value: string) =>
      fetch(endpoint.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': era,
          'mcp-method': 'tools/call',
          'mcp-name': 'record',
          ...session,
        },
        body: callOf(value, meta),
      });
    const refused = await post(ID);
    expect(refused.status).toBe(200);
    expect(await refused.json()).toMatchObject({
      id: 7,
      error: { code: -32602, message: expect.stringMatching(/arguments_invalid.*9007199254740993/) },
    });
    expect(given).toEqual([]);
    expect(await (await post('9007199254740992')).text()).toContain('ok');
    expect(given).toEqual([{ deep: [{ id: 9007199254740992 }] }]);
  });

  test('are refused over stdio, and the connection goes on', async () => {
    const { given, tool } = recorder();
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const served = serveStdio(functionGateway({ tools: [tool] }), { streams, drainMs: 20 });
    const reader = new LineReader(100_000);
    streams.input.write(`${callOf(ID, ENVELOPE)}\n${callOf('1', ENVELOPE)}\n`);
    streams.input.end();
    const answers: unknown[] = [];
    for await (const chunk of streams.output) {
      answers.push(...reader.append(chunk).map((line) => JSON.parse(line)));
      if (answers.length === 2) break;
    }
    await served;
    expect(answers).toMatchObject([
      { id: 7, error: { code: -32602 } },
      { id: 7, result: {} },
    ]);
    expect(given).toEqual([{ deep: [{ id: 1 }] }]);
  });
});
