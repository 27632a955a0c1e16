import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { refusedCall } from '../../../src/server/mcp/refused-call.ts';
import { LineReader } from '../../../src/server/mcp/stdio/line-reader.ts';
import { serveStdio } from '../../../src/server/mcp/stdio/serve-stdio.ts';
import { defineTool } from '../../../src/sources/function/define.ts';
import { functionGateway } from '../function-gateway.ts';
import { mcpEndpoint } from './mcp-endpoint.ts';

const ID = '9007199254740993';
const ENVELOPE = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
  "io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},
  "io.modelcontextprotocol/clientCapabilities":{}}`.replaceAll(/\n\s*/g, '');
const PROTOTYPE = '{"a":1,"__proto__":{"b":2}}';
const callWith = (args: string, meta?: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"record","arguments":${args}${meta === undefined ? '' : `,"_meta":${meta}`}}}`;
const callOf = (value: string, meta?: string) => callWith(`{"deep":[{"id":${value}}]}`, meta);

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

describe('an argument called __proto__', () => {
  const refusal = { id: 7, error: { code: -32602, message: expect.stringContaining('"__proto__"') } };

  test.each([
    ['as it is', PROTOTYPE, true],
    ['with an escape', '{"\\u005f_proto__":1}', true],
    ['below another', `{"a":${PROTOTYPE}}`, false],
    ['as a value', '{"a":"__proto__"}', false],
  ])('is refused: %s', (_case, args, refused) => {
    const text = callWith(args);
    const answer = refusedCall(text, JSON.parse(text));
    if (refused) expect(answer).toMatchObject(refusal);
    else expect(answer).toBeUndefined();
  });

  test('is refused in a batch, without an id', () => {
    const text = `[${callWith('{}')},${callWith(PROTOTYPE)}]`;
    expect(refusedCall(text, JSON.parse(text))).toMatchObject({ id: null, error: { code: -32602 } });
  });

  test.each(['2025-11-25', '2026-07-28'])('never gets lost on the way, revision %s', async (era) => {
    const { given, tool } = recorder();
    await using endpoint = await mcpEndpoint({ tools: [tool] });
    const meta = era === '2026-07-28' ? ENVELOPE : undefined;
    const session = meta === undefined ? { 'mcp-session-id': await endpoint.initialize() } : {};
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era,
      'mcp-method': 'tools/call',
      'mcp-name': 'record',
      ...session,
    };
    const body = callWith(PROTOTYPE, meta);
    const answer = await fetch(endpoint.url, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject(refusal);
    expect(given).toEqual([]);
  });

  test('is refused over stdio', async () => {
    const { given, tool } = recorder();
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const served = serveStdio(functionGateway({ tools: [tool] }), { streams, drainMs: 20 });
    const reader = new LineReader(100_000);
    streams.input.end(`${callWith(PROTOTYPE, ENVELOPE)}\n`);
    const answers: unknown[] = [];
    for await (const chunk of streams.output) {
      answers.push(...reader.append(chunk).map((line) => JSON.parse(line)));
      if (answers.length === 1) break;
    }
    await served;
    expect(answers).toMatchObject([refusal]);
    expect(given).toEqual([]);
  });
});

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
    const answer = refusedCall(text, JSON.parse(text));
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
    expect(refusedCall(text, body)).toMatchObject({
      id: 7,
      error: { code: -32602, message: expect.stringContaining('nested too deeply') },
    });
  });

  test('of other messages are not judged', () => {
    const text = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":${ID}}}`;
    expect(refusedCall(text, JSON.parse(text))).toBeUndefined();
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
