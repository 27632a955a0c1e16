import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/config/index.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import { exitOf, spawnCommand } from '../cli/spawned-command.ts';
import { commandFile } from '../command-file.ts';
import { type StockService, startStock, stockDocument } from './support/stock-service.ts';

let folder: string;
let stock: StockService;
let gateway: Gateway | undefined;
let clients: Client[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-approval-clients-'));
  stock = await startStock();
  await writeFile(join(folder, 'stock.json'), stockDocument());
  await writeFile(
    join(folder, 'toolcrib.yaml'),
    [
      'store: sqlite:./toolcrib.db',
      'watch: false',
      'lock: { mode: accept }',
      `sources: { stock: { openapi: ./stock.json, baseUrl: '${stock.url}' } }`,
    ].join('\n'),
  );
});

afterEach(async () => {
  for (const client of clients) await client.close().catch(() => undefined);
  clients = [];
  await gateway?.close();
  gateway = undefined;
  await stock.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (client: Client, id: number, meta?: Record<string, unknown>) =>
  client.callTool({
    name: 'stock_deleteItem',
    arguments: { id },
    ...(meta === undefined ? {} : { _meta: meta }),
  });

interface Told {
  readonly code: string;
  readonly message: string;
  readonly details: { readonly approval: string };
}

/** What a failed call says for programs. */
const errorOf = (result: Awaited<ReturnType<typeof call>>) =>
  (result._meta as Record<string, Told>)['toolcrib/error']!;

/** `toolcrib approvals …` as a process of its own. */
async function approvals(...words: string[]): Promise<void> {
  const child = spawnCommand(['approvals', ...words, '--json'], { cwd: folder });
  let problems = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk) => {
    problems += String(chunk);
  });
  expect([await exitOf(child), problems]).toEqual([0, '']);
}

async function serve(): Promise<URL> {
  const configuration = await loadConfiguration({
    file: join(folder, 'toolcrib.yaml'),
    env: { XDG_STATE_HOME: join(folder, 'state') },
    cwd: folder,
  });
  gateway = await createGateway(configuration);
  const { url } = await gateway.listen({ port: 0 });
  return new URL('/mcp', url);
}

async function connected(client: Client, address: URL): Promise<Client> {
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(address));
  return client;
}

describe('a client over stdio that cannot ask anybody', () => {
  const start = async () => {
    const client = new Client({ name: 'plain', version: '1' });
    clients.push(client);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [commandFile(), 'serve', '--stdio'],
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_STATE_HOME: join(folder, 'state') },
      }),
    );
    return client;
  };

  it('deletes once after a person agreed in another process', async () => {
    const client = await start();
    const { code, details } = errorOf(await call(client, 1));
    expect(code).toBe('approval_required');
    expect(errorOf(await call(client, 1)).details.approval).toBe(details.approval);
    expect(stock.deleted).toEqual([]);
    await approvals('approve', details.approval.slice(0, 12));
    expect((await call(client, 1)).isError).not.toBe(true);
    expect(stock.deleted).toEqual(['1']);
    expect(errorOf(await call(client, 1)).code).toBe('approval_required');
    expect(stock.deleted).toEqual(['1']);
  });

  it('deletes nothing after a rejection, and what the person wrote after an edit', async () => {
    const client = await start();
    const first = errorOf(await call(client, 1)).details.approval;
    await approvals('reject', first, '--reason', 'Not this one.');
    const rejected = errorOf(await call(client, 1));
    expect(rejected.code).toBe('approval_rejected');
    expect(rejected.message).toMatch(/^A person rejected the call \(approval \w+\): Not this one\.$/);
    const second = errorOf(await call(client, 2)).details.approval;
    await writeFile(join(folder, 'edited.json'), '{"id": 7}');
    await approvals('approve', second, '--edit', 'edited.json');
    const answer = await call(client, 2, { 'toolcrib/approval': second });
    expect(answer._meta).toMatchObject({ 'toolcrib/edited': { approval: second } });
    expect(stock.deleted).toEqual(['7']);
  });
});

describe.each<[string, ClientOptions]>([
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
])('a client of %s that asks its person', (_, options) => {
  const start = async (answer: () => object) => {
    const messages: string[] = [];
    const client = new Client(
      { name: 'asking', version: '1' },
      { ...options, capabilities: { elicitation: {} } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      messages.push((params as { message: string }).message);
      return answer() as never;
    });
    await connected(client, await serve());
    return { client, messages };
  };

  it('deletes once when the person agrees', async () => {
    const { client, messages } = await start(() => ({ action: 'accept', content: { decision: 'approve' } }));
    expect((await call(client, 1)).isError).not.toBe(true);
    expect(stock.deleted).toEqual(['1']);
    expect(messages).toEqual([expect.stringContaining('stock_deleteItem')]);
  });

  it('deletes what the person wrote instead', async () => {
    const content = { decision: 'edit', edited: '{"id":9}' };
    const { client } = await start(() => ({ action: 'accept', content }));
    await call(client, 1);
    expect(stock.deleted).toEqual(['9']);
  });

  it.each([
    ['declines', { action: 'decline' }, 'approval_rejected'],
    ['rejects', { action: 'accept', content: { decision: 'reject' } }, 'approval_rejected'],
    ['says something else', { action: 'accept', content: { decision: 'yes' } }, 'approval_rejected'],
    ['closes the form', { action: 'cancel' }, 'approval_required'],
  ])('deletes nothing when the person %s', async (_case, answer, code) => {
    const { client } = await start(() => answer);
    expect(errorOf(await call(client, 1)).code).toBe(code);
    expect(stock.deleted).toEqual([]);
  });
});

it('a client that says it can ask, and cannot, is told of the approval', async () => {
  const options = { capabilities: { elicitation: {} } };
  const client = await connected(new Client({ name: 'bridge', version: '1' }, options), await serve());
  const told = errorOf(await call(client, 1));
  expect(told).toMatchObject({ code: 'approval_required', details: { approval: expect.any(String) } });
  await approvals('approve', told.details.approval);
  expect((await call(client, 1)).isError).not.toBe(true);
  expect(stock.deleted).toEqual(['1']);
});

describe('over HTTP', () => {
  it('deletes nothing once the definition changed after the approval', async () => {
    const client = await connected(new Client({ name: 'plain', version: '1' }), await serve());
    const { approval } = errorOf(await call(client, 1)).details;
    await approvals('approve', approval);
    await writeFile(join(folder, 'stock.json'), stockDocument('Delete an item and its orders'));
    await gateway!.refresh();
    const told = errorOf(await call(client, 1));
    expect([told.code, told.details.approval]).toEqual(['approval_void', approval]);
    expect(stock.deleted).toEqual([]);
  });

  it('deletes once when calls race, though the model says that it was approved', async () => {
    const base = await serve();
    const client = await connected(new Client({ name: 'plain', version: '1' }), base);
    const { approval } = errorOf(await call(client, 1)).details;
    const lies = await client.callTool({
      name: 'stock_deleteItem',
      arguments: { id: 1, approved: true, approval },
      _meta: { approved: true },
    });
    expect(errorOf(lies).code).not.toBe('approval_void');
    expect(stock.deleted).toEqual([]);
    const own = await fetch(new URL(`/api/v1/approvals/${approval}/decision`, base), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'approve' }),
    });
    expect(own.status).toBe(403);
    await approvals('approve', approval);
    await Promise.all([call(client, 1), call(client, 1), call(client, 1)]);
    expect(stock.deleted).toEqual(['1']);
  });

  it('waits for the decision of another process when the caller says so', async () => {
    const base = await serve();
    const going = fetch(new URL('/api/v1/tools/stock_deleteItem/call', base), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: { id: 3 }, wait: 60_000 }),
    });
    const opened = await gateway!.approvals();
    await expect.poll(async () => (await opened.list({ kind: 'operator' })).length).toBe(1);
    const [approval] = await opened.list({ kind: 'operator' });
    await approvals('approve', approval!.id);
    expect((await going).status).toBe(200);
    expect(stock.deleted).toEqual(['3']);
  });
});
