import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createTasks } from '../../../../src/call-tasks/index.ts';
import { serveStdio } from '../../../../src/server/mcp/stdio/serve-stdio.ts';
import { defineTool } from '../../../../src/sources/function/define.ts';
import { functionGateway } from '../../function-gateway.ts';
import { ENVELOPE } from '../mcp-endpoint.ts';

const FOLLOWS = {
  ...ENVELOPE,
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  readonly result?: any;
  readonly error?: object;
}

test('on standard input and output a call becomes a task as over HTTP, at first and past the SDK', async () => {
  const tasks = createTasks({
    store: undefined,
    keepMs: () => 60_000,
    redact: (said) => said,
    onError: () => undefined,
  });
  const gateway = {
    ...functionGateway({
      tools: [
        defineTool({
          name: 'works',
          description: 'd',
          handler: async ({ name = '' }, { channel }) => ({
            name,
            became: (await channel.becomeTask?.('Working.')) ?? false,
          }),
        }),
      ],
    }),
    tasks: { policy: () => ({ afterMs: 10_000 }), open: async () => tasks },
  };
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const served = serveStdio(gateway, { streams });
  const answers = new Map<number, (answer: Answer) => void>();
  createInterface({ input: streams.output }).on('line', (line) => {
    const message = JSON.parse(line);
    answers.get(message.id)?.(message);
  });
  let last = 0;
  const ask = (method: string, params: object, meta: object = FOLLOWS) =>
    new Promise<Answer>((resolve) => {
      last++;
      answers.set(last, resolve);
      const message = { jsonrpc: '2.0', id: last, method, params: { ...params, _meta: meta } };
      streams.input.write(`${JSON.stringify(message)}\n`);
    });
  for (const name of ['first', 'second']) {
    const { result: created } = await ask('tools/call', { name: 'works', arguments: { name } });
    expect(created).toMatchObject({ resultType: 'task', status: 'working', statusMessage: 'Working.' });
    const { taskId } = created;
    const ended = await vi.waitFor(async () => {
      const { result } = await ask('tasks/get', { taskId });
      expect(result.status).toBe('completed');
      return result;
    });
    expect(ended.result.structuredContent).toEqual({ name, became: true });
  }
  expect(await ask('tasks/get', { taskId: 'none' })).toMatchObject({ error: { code: -32602 } });
  expect(await ask('tasks/get', { taskId: 'none' }, ENVELOPE)).toMatchObject({ error: { code: -32021 } });
  const listen = { notifications: { taskIds: ['none'] } };
  expect(await ask('subscriptions/listen', listen, ENVELOPE)).toMatchObject({ error: { code: -32021 } });
  streams.input.end();
  await served;
  await tasks.close();
});
