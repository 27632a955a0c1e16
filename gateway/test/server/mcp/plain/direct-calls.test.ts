import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { DirectCalls } from '../../../../src/server/mcp/plain/direct-calls.ts';
import { LineReader } from '../../../../src/server/mcp/stdio/line-reader.ts';
import { serveStdio } from '../../../../src/server/mcp/stdio/serve-stdio.ts';
import {
  content,
  defineTool,
  type FunctionTool,
  inputRequired,
} from '../../../../src/sources/function/define.ts';
import { functionGateway } from '../../function-gateway.ts';
import { ANSWERS, ENVELOPE, ERAS, type Era, type Message, question, toolsOf } from '../direct-tools.ts';

const tools: readonly FunctionTool[] = [
  ...ANSWERS,
  ...toolsOf(
    { name: 'list', handler: () => [1, 2] },
    {
      name: 'blocks',
      handler: () =>
        content(
          { type: 'text', text: 'a' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'resource_link', uri: 'x://y', name: 'y', mimeType: 'text/plain', size: 1 },
        ),
    },
    { name: 'bad image', handler: () => content({ type: 'image', data: '!', mimeType: 'image/png' }) },
    {
      name: 'annotated',
      handler: () => content({ type: 'text', text: 'a', annotations: { priority: 1 } } as never),
    },
    { name: 'prototype', handler: () => JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":1}}') },
    {
      name: 'logs',
      handler: (_args: object, { channel }: { channel: { log?: (...args: unknown[]) => unknown } }) => {
        void channel.log?.('info', { a: 1 }, 'tool');
        void channel.log?.('debug', 'b');
        return 'logged';
      },
    },
  ),
];

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const end of open.splice(0)) await end();
});

async function* linesOf(output: PassThrough): AsyncGenerator<string, void> {
  const reader = new LineReader(100_000);
  for await (const chunk of output) yield* reader.append(chunk);
}

/** A client that sees the lines themselves. */
async function connect(era: Era, offered: readonly FunctionTool[] = tools) {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const served = serveStdio(functionGateway({ tools: offered }), { streams, drainMs: 20 });
  const lines = linesOf(streams.output);
  open.push(async () => {
    streams.input.end();
    await served;
  });
  let id = 0;
  const send = (message: Message) =>
    streams.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const next = async (): Promise<Message> => JSON.parse((await lines.next()).value as string);
  const request = (method: string, params: Message): number => {
    const { _meta, ...rest } = params;
    const envelope = { ...(era === '2026-07-28' ? ENVELOPE : {}), ...(_meta as Message | undefined) };
    send({
      id: ++id,
      method,
      params: { ...rest, ...(Object.keys(envelope).length > 0 ? { _meta: envelope } : {}) },
    });
    return id;
  };
  const call = async (params: Message): Promise<Message[]> => {
    const own = request('tools/call', params);
    const received: Message[] = [];
    do received.push(await next());
    while (received.at(-1)!['id'] !== own);
    return received.map(({ id: _id, ...message }) => message);
  };
  if (era === '2025-11-25') {
    request('initialize', {
      protocolVersion: era,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    });
    await next();
    send({ method: 'notifications/initialized' });
  }
  return { send, next, request, call, input: streams.input };
}

const CALLS: ReadonlyArray<readonly [string, Message]> = [
  ...tools.map(({ name }): [string, Message] => [name, { name, arguments: { a: [1, { b: null }] } }]),
  ['without arguments', { name: 'object' }],
  ['unknown tool', { name: 'nobody', arguments: {} }],
  ['arguments that are no object', { name: 'object', arguments: [1] }],
  ['no arguments but null', { name: 'object', arguments: null }],
  ['no name', { arguments: {} }],
  ['a member that calls do not have', { name: 'object', more: 1 }],
  ['a progress token', { name: 'object', _meta: { progressToken: 'p' } }],
  ['trace context', { name: 'object', _meta: { traceparent: '00-0-0-00' } }],
  ['a prototype as argument', JSON.parse('{"name":"object","arguments":{"__proto__":{"a":1},"b":1}}')],
  ['a log level', { name: 'logs', _meta: { 'io.modelcontextprotocol/logLevel': 'info' } }],
  ['another version', { name: 'object', _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }],
  ['a broken envelope', { name: 'object', _meta: { 'io.modelcontextprotocol/clientCapabilities': 1 } }],
  ['a forged state', { name: 'object', requestState: 'forged' }],
];

describe.each(ERAS)('a call of revision %s past the SDK', (era) => {
  test.each(CALLS)('is answered as by the SDK: %s', async (_case, params) => {
    // a connection's first call is the SDK's
    const first = await connect(era);
    first.request('tools/list', {});
    await first.next();
    const bySdk = await first.call(params);
    const connection = await connect(era);
    await connection.call({ name: 'text' });
    expect(await connection.call(params)).toEqual(bySdk);
  });

  test('is cancelled without an answer', async () => {
    const begun = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<unknown>();
    const { call, request, send } = await connect(era, [
      ...tools,
      defineTool({
        name: 'waits',
        description: 'd',
        handler: (_args, { signal }) => {
          begun.resolve();
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              cancelled.resolve(signal.reason);
              resolve('late');
            }),
          );
        },
      }),
    ]);
    await call({ name: 'text' });
    const requestId = request('tools/call', { name: 'waits' });
    await begun.promise;
    send({ method: 'notifications/cancelled', params: { requestId, reason: 'enough' } });
    expect(await cancelled.promise).toBe('enough');
    expect(await call({ name: 'text' })).toHaveLength(1);
  });

  test('ends with the connection', async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const { call, request, input } = await connect(era, [
      ...tools,
      defineTool({
        name: 'waits',
        description: 'd',
        handler: (_args, { signal }) => {
          begun.resolve();
          signal.addEventListener('abort', () => ended.resolve(signal.reason));
          return new Promise<null>(() => {});
        },
      }),
    ]);
    await call({ name: 'text' });
    request('tools/call', { name: 'waits' });
    await begun.promise;
    input.end();
    expect(await ended.promise).toMatchObject({ message: 'Connection closed' });
  });

  test('overtakes none and is overtaken by none that ends earlier', async () => {
    const release = Promise.withResolvers<string>();
    const { call, request, next } = await connect(era, [
      ...tools,
      defineTool({ name: 'slow', description: 'd', handler: () => release.promise }),
    ]);
    await call({ name: 'text' });
    const slow = request('tools/call', { name: 'slow' });
    const quick = request('tools/call', { name: 'text' });
    expect(await next()).toMatchObject({ id: quick });
    release.resolve('done');
    expect(await next()).toMatchObject({ id: slow });
  });
});

describe('a call past the SDK that asks back', () => {
  let rounds = 0;
  const asking = defineTool({
    name: 'asks',
    description: 'd',
    handler: (_args, context) => {
      rounds++;
      const answer = context.channel.inputResponses?.['sure'];
      return answer === undefined
        ? inputRequired({ sure: question }, { step: 1 })
        : { answer, state: context.channel.requestState ?? null };
    },
  });

  test('2025-11-25: the client is asked, and the handler runs once more', async () => {
    rounds = 0;
    const { call, request, next, send } = await connect('2025-11-25', [...tools, asking]);
    await call({ name: 'text' });
    const id = request('tools/call', { name: 'asks' });
    const asked = await next();
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { message: 'Sure?' } });
    send({ id: asked['id'], result: { action: 'accept', content: { sure: true } } });
    expect(await next()).toMatchObject({
      id,
      result: { structuredContent: { answer: { action: 'accept' }, state: { step: 1 } } },
    });
    expect(rounds).toBe(2);
  });

  test('2026-07-28: the client gets the question and a state, and goes on with them', async () => {
    rounds = 0;
    const { call } = await connect('2026-07-28', [...tools, asking]);
    await call({ name: 'text' });
    const [asked] = (await call({ name: 'asks' })) as [{ result: Message }];
    expect(asked.result).toMatchObject({ resultType: 'input_required', inputRequests: { sure: question } });
    const [done] = (await call({
      name: 'asks',
      inputResponses: { sure: { action: 'accept', content: { sure: true } } },
      requestState: asked.result['requestState'],
    })) as [{ result: Message }];
    expect(done.result).toMatchObject({ structuredContent: { state: { step: 1 } } });
    expect(rounds).toBe(2);
  });
});

describe('which messages are taken', () => {
  const request = (params?: Message) => ({
    jsonrpc: '2.0' as const,
    id: 1,
    method: 'tools/call',
    ...(params ? { params } : {}),
  });
  const calls = () => new DirectCalls({ send: () => {}, passToSdk: () => {} });
  const route = (envelope?: Message) => ({
    envelope,
    run: async () => ({ kind: 'completed' as const, content: [] }),
    answer: () => '{}',
  });

  test('none before the SDK has let a call through', () => {
    expect(calls().take(request({ name: 'a' }))).toBe(false);
  });

  test.each([
    ['name alone', { name: 'a' }, true],
    ['name and arguments', { name: 'a', arguments: {} }, true],
    ['metadata that nobody reads', { name: 'a', _meta: { traceparent: 'x' } }, true],
    ['nothing', undefined, false],
    ['a task', { name: 'a', task: {} }, false],
    ['a progress token', { name: 'a', _meta: { progressToken: 0 } }, false],
    ['an envelope', { name: 'a', _meta: ENVELOPE }, false],
  ])('2025-11-25: %s', (_case, params, taken) => {
    const direct = calls();
    direct.open(route());
    expect(direct.take(request(params))).toBe(taken);
  });

  test.each([
    ['the envelope that was accepted', ENVELOPE, true],
    ['the same, in another order', Object.fromEntries(Object.entries(ENVELOPE).reverse()), true],
    ['none', undefined, false],
    ['other capabilities', { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': {} }, false],
    ['a log level', { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'info' }, false],
  ])('2026-07-28: %s', (_case, _meta, taken) => {
    const direct = calls();
    direct.open(route(ENVELOPE));
    expect(direct.take(request({ name: 'a', ...(_meta === undefined ? {} : { _meta }) }))).toBe(taken);
  });

  test('a second request with the id of an open one is left to the SDK', () => {
    const direct = calls();
    direct.open(route());
    expect(direct.take(request({ name: 'a' }))).toBe(true);
    expect(direct.take(request({ name: 'a' }))).toBe(false);
    direct.close();
  });
});
