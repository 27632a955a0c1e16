import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { serveStdio } from '../../../../src/server/mcp/stdio/serve-stdio.ts';
import { defineTool } from '../../../../src/sources/function/define.ts';
import { functionGateway } from '../../function-gateway.ts';

const CHILD = fileURLToPath(new URL('stdio-child.ts', import.meta.url));

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

/** Messages written until the stream ends. */
async function messages(output: PassThrough): Promise<{ id: number; result?: unknown }[]> {
  let text = '';
  for await (const chunk of output) text += chunk;
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('a client that does not read is not read either, until it does', async () => {
  const text = 'x'.repeat(1_000_000);
  const gateway = functionGateway({
    tools: [defineTool({ name: 'large', description: 'd', handler: () => text })],
  });
  const { input, output } = { input: new PassThrough(), output: new PassThrough() };
  const served = serveStdio(gateway, { streams: { input, output }, drainMs: 20 });
  input.write(lines(initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }));
  for (let id = 1; id <= 1000 && !input.isPaused(); id++) {
    input.write(lines(call(id, 'large')));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(input.isPaused()).toBe(true);
  output.resume();
  await expect.poll(() => input.isPaused()).toBe(false);
  input.end();
  await served;
});

test('calls that are open when we stop are answered, nothing more is taken in, and the connection ends', async () => {
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tool = (name: string, at: number, access: 'read' | 'write') =>
    defineTool({
      name,
      description: 'd',
      access,
      handler: (_args, { signal }) => {
        begun[at]!.resolve();
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
  const gateway = functionGateway({ tools: [tool('look', 0, 'read'), tool('buy', 1, 'write')] });
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const controller = new AbortController();
  const served = serveStdio(gateway, { streams, signal: controller.signal }).then(() => streams.output.end());
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  streams.input.write(lines(initialize, initialized, call(1, 'look'), call(2, 'buy')));
  await Promise.all(begun.map(({ promise }) => promise));
  controller.abort();
  streams.input.write(lines(call(3, 'look')));
  await served;
  const answers = await messages(streams.output);
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([0, 1, 2]));
});

describe('a client that closes its end', () => {
  test('still gets the answers that were due', async () => {
    const release = Promise.withResolvers<string>();
    const gateway = functionGateway({
      tools: [defineTool({ name: 'slow', description: 'd', handler: () => release.promise })],
    });
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const served = serveStdio(gateway, { streams }).then(() => streams.output.end());
    streams.input.end(
      lines(initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, call(1, 'slow')),
    );
    await once(streams.input, 'end');
    release.resolve('late');
    await served;
    const answers = await messages(streams.output);
    expect(answers.map(({ id }) => id)).toEqual([0, 1]);
    expect(answers[1]).toMatchObject({ result: { content: [{ text: 'late' }] } });
  });

  test('is not waited for longer than the drain time, and its call is cancelled', async () => {
    const cancelled = Promise.withResolvers<void>();
    const gateway = functionGateway({
      tools: [
        defineTool({
          name: 'forever',
          description: 'd',
          handler: (_args, { signal }) => {
            signal.addEventListener('abort', () => cancelled.resolve());
            return new Promise<null>(() => {});
          },
        }),
      ],
    });
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const served = serveStdio(gateway, { streams, drainMs: 20 });
    streams.input.end(lines(initialize, call(1, 'forever')));
    await served;
    await cancelled.promise;
  });

  test('without open calls the server ends at once', async () => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const served = serveStdio(functionGateway({}), { streams, drainMs: 60_000 });
    streams.input.end(lines(initialize));
    await served;
  });
});

test('a signal ends the connection from this side', async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const controller = new AbortController();
  const served = serveStdio(functionGateway({}), { streams, signal: controller.signal });
  controller.abort();
  await served;
});

describe('before there is a catalog', () => {
  const served = (ready: Promise<void>, ...more: object[]) => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const cancelled = Promise.withResolvers<void>();
    const tool = defineTool({
      name: 'forever',
      description: 'd',
      handler: (_args, { signal }) => {
        signal.addEventListener('abort', () => cancelled.resolve());
        if (signal.aborted) cancelled.resolve();
        return new Promise<null>(() => {});
      },
    });
    const gateway = functionGateway({ tools: [tool] });
    const ended = serveStdio(gateway, { streams, ready, drainMs: 20 }).then(() => streams.output.end());
    streams.input.end(lines(initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, ...more));
    return { ...streams, ended, cancelled: cancelled.promise };
  };

  test('the handshake is answered, a request waits, however long after the client closed its end', async () => {
    const ready = Promise.withResolvers<void>();
    const { input, output, ended } = served(ready.promise, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    await Promise.all([once(output, 'readable'), once(input, 'end')]);
    expect(JSON.parse(String(output.read()))).toMatchObject({ id: 0 });
    ready.resolve();
    await ended;
    expect(await messages(output)).toMatchObject([{ id: 1, result: { tools: [{ name: 'forever' }] } }]);
  });

  test('what waits is taken in its order: a cancellation finds its call', async () => {
    const ready = Promise.withResolvers<void>();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const { output, cancelled } = served(ready.promise, call(1, 'forever'), cancel);
    await once(output, 'readable');
    ready.resolve();
    await cancelled;
  });
});

test('what can wait begins when the first answer beyond the handshake is out', async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const begun = Promise.withResolvers<string>();
  const order: string[] = [];
  const gateway = functionGateway({});
  const served = serveStdio(gateway, {
    streams: { ...streams, output: streams.output.on('data', (chunk) => order.push(String(chunk))) },
    later: () => begun.resolve(order.join('')),
  });
  streams.input.write(lines(initialize, { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  const answered = (await begun.promise).trim().split('\n');
  expect(answered.map((line) => JSON.parse(line).id)).toEqual([0, 1]);
  streams.input.end();
  await served;
});

test('a line that is no JSON does not end the connection', async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const errors: Error[] = [];
  const served = serveStdio(functionGateway({}), { streams, onError: (error) => errors.push(error) }).then(
    () => streams.output.end(),
  );
  streams.input.end(`not json\n${lines(initialize)}`);
  await served;
  expect(await messages(streams.output)).toMatchObject([{ id: 0 }]);
});

/** What a client gets that sends these lines and closes its end. */
async function exchanged(...sent: string[]): Promise<unknown[]> {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const served = serveStdio(functionGateway({}), { streams }).then(() => streams.output.end());
  streams.input.end(sent.join(''));
  await served;
  return messages(streams.output);
}

test('what was meant as a request and is none is answered as such: its client would wait for ever', async () => {
  const ping = '{"jsonrpc":"2.0","id":2,"method":"ping","params":null}\n';
  const answers = await exchanged(lines(initialize), ping, '{"jsonrpc":"2.0","method":7}\n');
  expect(answers).toMatchObject([
    { id: 2, error: { code: -32600 } },
    { id: 0, result: {} },
  ]);
});

test.each([
  ['a byte order mark before it, as Windows PowerShell pipes it', `\uFEFF${lines(initialize)}`],
  ['no end of line before that of the input', JSON.stringify(initialize)],
])('a request is answered with %s', async (_what, sent) => {
  expect(await exchanged(sent)).toMatchObject([{ id: 0, result: {} }]);
});

test('half a line at the end is no request', async () => {
  expect(await exchanged(lines(initialize), '{"jsonrpc":"2.0","id":1,"meth')).toMatchObject([{ id: 0 }]);
});

test('a message without end ends the connection, which is told', async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const served = serveStdio(functionGateway({}), { streams });
  streams.input.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(11 * 1024 * 1024)}`);
  await expect(served).rejects.toMatchObject({
    code: 'body_too_large',
    message: 'A message on standard input is longer than 10485760 bytes.',
  });
});

test('every message of a batch is answered, as 2025-03-26 asks for', async () => {
  const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  const answers = await exchanged(lines(initialize), lines([...batch, { jsonrpc: '1.0', id: 3 }]));
  expect(answers).toHaveLength(4);
  expect(answers).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
      expect.objectContaining({ id: 3, error: expect.objectContaining({ code: -32600 }) }),
    ]),
  );
});

test('an initialize that lacks something says what', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  expect(await exchanged(lines({ ...initialize, params }))).toEqual([
    {
      jsonrpc: '2.0',
      id: 0,
      error: { code: -32602, message: expect.stringMatching(/^Invalid initialize: params\.clientInfo: /) },
    },
  ]);
});

describe('a client of 2026-07-28', () => {
  const meta = (version: string) => ({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  });
  const asking = (id: number | string, method: string, version = '2026-07-28', more: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...more, _meta: meta(version) },
  });

  test('is told with each request that its revision is not served', async () => {
    const answers = await exchanged(
      lines(
        asking(1, 'tools/list'),
        asking(2, 'tools/list', '2030-01-01'),
        asking(3, 'tools/call', '2025-11-25', { name: 'noisy' }),
        asking(4, 'server/discover', ''),
        asking(5, 'tools/list'),
      ),
    );
    const refused = (requested: string) => ({
      error: expect.objectContaining({ code: -32022, data: { supported: ['2026-07-28'], requested } }),
    });
    expect(answers).toHaveLength(5);
    expect(answers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 1, result: expect.anything() }),
        expect.objectContaining({ id: 2, ...refused('2030-01-01') }),
        expect.objectContaining({ id: 3, ...refused('2025-11-25') }),
        expect.objectContaining({ id: 4, ...refused('') }),
        expect.objectContaining({ id: 5, result: expect.anything() }),
      ]),
    );
  });

  test('hears that what it listens to has ended when we stop', async () => {
    const gateway = functionGateway({ tools: [] });
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const controller = new AbortController();
    const served = serveStdio(gateway, { streams, signal: controller.signal }).then(() =>
      streams.output.end(),
    );
    const notifications = { toolsListChanged: true };
    streams.input.write(
      lines(
        asking('a', 'subscriptions/listen', '2026-07-28', { notifications }),
        asking('b', 'subscriptions/listen', '2026-07-28', { notifications }),
        {
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: 'b', _meta: meta('2026-07-28') },
        },
        asking('c', 'tools/list'),
      ),
    );
    await once(streams.output, 'readable');
    await expect.poll(() => streams.output.readableLength).toBeGreaterThan(500);
    controller.abort();
    await served;
    const answers = (await messages(streams.output)).filter(({ result }) => result !== undefined);
    expect(answers.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(answers[1]!.result).toEqual({
      resultType: 'complete',
      _meta: {
        'io.modelcontextprotocol/subscriptionId': 'a',
        'io.modelcontextprotocol/serverInfo': { name: gateway.name, version: gateway.version },
      },
    });
  });
});

describe('a server process', () => {
  test.each([
    ['2025-11-25', {}],
    ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ] as const)('serves revision %s; what handlers print goes to standard error', async (revision, options) => {
    const client = new Client({ name: 'test', version: '1' }, options);
    const transport = new StdioClientTransport({ command: process.execPath, args: [CHILD], stderr: 'pipe' });
    const printed = Promise.withResolvers<string>();
    transport.stderr?.on('data', (chunk) => printed.resolve(String(chunk)));
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(await client.callTool({ name: 'noisy', arguments: {} })).toMatchObject({
      content: [{ text: 'quiet' }],
    });
    expect(await printed.promise).toContain('printed by a handler');
    await client.close();
  });

  test('announces changes', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const changed = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [CHILD], stderr: 'ignore' }),
    );
    await client.callTool({ name: 'announce', arguments: {} });
    await changed.promise;
    await client.close();
  });

  test('ends with code 0 when standard input ends, having answered', async () => {
    const child = spawn(process.execPath, [CHILD], { stdio: ['pipe', 'pipe', 'ignore'] });
    const output = new PassThrough();
    child.stdout.pipe(output);
    child.stdin.end(lines(initialize, call(1, 'noisy')));
    const [answers, [code]] = await Promise.all([messages(output), once(child, 'exit')]);
    expect(answers.map(({ id }) => id)).toEqual([0, 1]);
    expect(code).toBe(0);
  });
});
