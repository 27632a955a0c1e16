import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadConfiguration } from '../../src/config/index.ts';
import { createGateway } from '../../src/gateway.ts';
import { exitOf, spawnCommand } from '../cli/spawned-command.ts';
import { startStock, stockDocument } from './support/stock-service.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';

/** Several processes of one store before one service, and a client that follows tasks and can ask nobody. */
async function team(processes: number, settings: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-approval-tasks-'));
  const stock = await startStock();
  await writeFile(join(folder, 'stock.json'), stockDocument());
  await writeFile(
    join(folder, 'toolcrib.yaml'),
    [
      'store: sqlite:./toolcrib.db',
      'watch: false',
      'lock: { mode: accept }',
      'server: { drain: 500ms }',
      `sources: { stock: { openapi: ./stock.json, baseUrl: '${stock.url}' } }`,
      ...settings,
    ].join('\n'),
  );
  const configuration = await loadConfiguration({
    file: join(folder, 'toolcrib.yaml'),
    env: { XDG_STATE_HOME: join(folder, 'state') },
    cwd: folder,
  });
  const gateways = await Promise.all(Array.from({ length: processes }, () => createGateway(configuration)));
  const urls = await Promise.all(
    gateways.map(async (gateway) => new URL('/mcp', (await gateway.listen({ port: 0 })).url)),
  );
  onTestFinished(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await stock.close();
    await rm(folder, { recursive: true, force: true });
  });
  const ask = async (
    process: number | URL,
    method: string,
    params: Record<string, unknown>,
    tasks = true,
  ) => {
    const response = await fetch(typeof process === 'number' ? urls[process]! : process, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(params['name'] ?? params['taskId']),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': tasks ? { extensions: { [EXTENSION]: {} } } : {},
          },
        },
      }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    return (await response.json()) as any;
  };
  return {
    folder,
    stock,
    ask,
    remove: async (process: number, id: number, tasks = true) =>
      (await ask(process, 'tools/call', { name: 'stock_deleteItem', arguments: { id } }, tasks)).result,
    approvals: async (process: number) => await gateways[process]!.approvals!(),
    close: (process: number) => gateways[process]!.close(),
    /** The approval that a task waits for, as a process tells; on a slow machine there is a task before there is one. */
    approvalOf: (process: number, taskId: string) =>
      vi.waitFor(
        async () => {
          const { result } = await ask(process, 'tasks/get', { taskId });
          const [, approval] = /approval ([0-9a-f]{32}): \S/.exec(result.statusMessage) ?? [];
          expect(approval).toBeDefined();
          return approval!;
        },
        { timeout: 20_000, interval: 50 },
      ),
    /** Until the task says so in a process. */
    async until(process: number, taskId: string, status: string) {
      return vi.waitFor(
        async () => {
          const { result } = await ask(process, 'tasks/get', { taskId });
          expect(result.status).toBe(status);
          return result;
        },
        { timeout: 20_000, interval: 50 },
      );
    },
  };
}

const operator = { kind: 'operator', channel: 'cli', id: 'root' } as const;

test('a call that needs a person waits as a task, and is carried out when one agreed in another process', async () => {
  const { stock, remove, approvals, approvalOf, until } = await team(2);
  const created = await remove(0, 7);
  expect(created).toMatchObject({ resultType: 'task', status: 'working' });
  const { taskId } = created;
  const waiting = await approvalOf(1, taskId);
  expect(stock.deleted).toEqual([]);
  await (await approvals(1)).decide(waiting, { decision: 'approve' }, operator);
  const ended = await until(1, taskId, 'completed');
  expect(ended.result).toMatchObject({ resultType: 'complete', structuredContent: { done: true } });
  expect(stock.deleted).toEqual(['7']);
});

test('a rejection is the result of the task, and a cancelled task takes its question back', async () => {
  const { stock, remove, ask, approvals, approvalOf, until } = await team(2);
  const first = (await remove(0, 1)).taskId;
  const rejected = await approvalOf(0, first);
  await (await approvals(0)).decide(rejected, { decision: 'reject', reason: 'Not this one.' }, operator);
  expect((await until(0, first, 'completed')).result).toMatchObject({
    isError: true,
    _meta: {
      'toolcrib/error': { code: 'approval_rejected', message: expect.stringContaining('Not this one.') },
    },
  });
  const second = (await remove(0, 2)).taskId;
  const open = await approvalOf(0, second);
  await ask(1, 'tasks/cancel', { taskId: second });
  await until(0, second, 'cancelled');
  const stateOf = async () => (await (await approvals(1)).gate.get(open))?.state;
  await expect.poll(stateOf).toBe('denied');
  const again = (await remove(1, 2, false))._meta['toolcrib/error'];
  expect(again.code).toBe('approval_required');
  expect(again.details.approval).not.toBe(open);
  expect(stock.deleted).toEqual([]);
});

test('a question that two equal calls wait for goes with the last of them', async () => {
  const { stock, remove, ask, approvals, approvalOf, until } = await team(1);
  const [first, second] = [(await remove(0, 8)).taskId, (await remove(0, 8)).taskId];
  const open = await approvalOf(0, first);
  expect(await approvalOf(0, second)).toBe(open);
  const stateOf = async () => (await (await approvals(0)).gate.get(open))?.state;
  await ask(0, 'tasks/cancel', { taskId: first });
  await until(0, first, 'cancelled');
  expect(await stateOf()).toBe('pending');
  await ask(0, 'tasks/cancel', { taskId: second });
  await until(0, second, 'cancelled');
  await expect.poll(stateOf).toBe('denied');
  expect(stock.deleted).toEqual([]);
});

test('a question that nobody answers ends the task when it expires', async () => {
  const { remove, until, stock } = await team(1, ['policy: { approvals: { expires: 1500ms } }']);
  const { taskId } = await remove(0, 3);
  expect((await until(0, taskId, 'completed')).result._meta['toolcrib/error'].code).toBe('approval_expired');
  expect(stock.deleted).toEqual([]);
});

test('with tasks switched off, and for clients that follow none, the call ends as ever', async () => {
  const { remove, ask } = await team(1, ['tasks: off']);
  for (const tasks of [true, false])
    expect((await remove(0, 4, tasks))._meta['toolcrib/error'].code).toBe('approval_required');
  expect(await ask(0, 'tasks/get', { taskId: 'x' })).toMatchObject({ error: { code: -32601 } });
  expect((await ask(0, 'server/discover', {})).result.capabilities).not.toHaveProperty('extensions');
});

test('a process that stops ends its tasks: the others say so at once, and the question stays', async () => {
  const { approvals, approvalOf, remove, close, until, stock } = await team(2);
  const { taskId } = await remove(0, 5);
  const open = await approvalOf(1, taskId);
  await close(0);
  const ended = await until(1, taskId, 'completed');
  expect(ended.result).toMatchObject({ isError: true });
  expect(JSON.stringify(ended.result.content)).toContain(`approval_required: `);
  expect((await (await approvals(1)).gate.get(open))?.state).toBe('pending');
  expect(stock.deleted).toEqual([]);
});

test('a task whose process is killed has failed in the others, and nothing was sent', async () => {
  const { folder, until, stock, ask } = await team(1);
  const child = spawnCommand(['serve', '--port', '0', '--json'], {
    cwd: folder,
    env: { XDG_STATE_HOME: join(folder, 'state') },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += String(chunk);
        const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said);
        if (found !== null) resolve(found[0]);
      });
  });
  const call = { name: 'stock_deleteItem', arguments: { id: 6 } };
  const { taskId } = (await ask(new URL(url), 'tools/call', call)).result;
  expect((await ask(0, 'tasks/get', { taskId })).result.status).toBe('working');
  child.kill('SIGKILL');
  await exitOf(child);
  const lost = await until(0, taskId, 'failed');
  expect(lost.error).toMatchObject({ code: -32603, data: { code: 'outcome_unknown' } });
  expect(stock.deleted).toEqual([]);
});
