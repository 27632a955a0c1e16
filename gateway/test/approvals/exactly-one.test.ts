import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/config/index.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import type { ApprovalDecision } from '../../src/operations/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { PERSON } from '../approved-calls.ts';
import { exitOf, outputOf, spawnCommand } from '../cli/spawned-command.ts';
import { commandFile } from '../command-file.ts';
import { type StockService, startStock, stockDocument } from './support/stock-service.ts';

/** JSON-RPC's invalid params: what MCP answers a call of a tool that is not there. */
const UNKNOWN_TOOL = -32602;
const MODERN: ClientOptions = { versionNegotiation: { mode: 'auto' } };

/** What a person does while the call waits; answers with what the client's form then says, where there is one. */
type Person = (approval: string) => Promise<object | undefined>;

/** The same story for three clients, each with a gateway process; a second gateway on its store is the person's. */
describe.each<[name: string, over: 'stdio' | 'HTTP', options: ClientOptions]>([
  ['over stdio that cannot ask anybody', 'stdio', {}],
  ['of 2025-11-25 with elicitation', 'HTTP', { capabilities: { elicitation: {} } }],
  ['of 2026-07-28 with elicitation', 'HTTP', { ...MODERN, capabilities: { elicitation: {} } }],
])('a client %s', (_name, over, options) => {
  const asks = options.capabilities?.elicitation !== undefined;
  let folder: string;
  let stock: StockService;
  let client: Client;
  let served: ChildProcess | undefined;
  let elsewhere: Gateway;
  let store: Store;
  let person: Person;

  const configure = (more = '') =>
    writeFile(
      join(folder, 'toolcrib.yaml'),
      [
        'store: sqlite:./toolcrib.db',
        'lock: { mode: accept }',
        `sources: { stock: { openapi: ./stock.json, baseUrl: '${stock.url}'${more} } }`,
      ].join('\n'),
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-exactly-one-'));
    stock = await startStock();
    await writeFile(join(folder, 'stock.json'), stockDocument());
    await configure();
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    client = new Client({ name: 'test', version: '1' }, options);
    if (asks) {
      client.setRequestHandler('elicitation/create', async () => {
        const open = await (await elsewhere.approvals()).list({ kind: 'operator' }, { states: ['pending'] });
        expect(open).toHaveLength(1);
        return ((await person(open[0]!.id)) ?? { action: 'cancel' }) as never;
      });
    }
    await client.connect(await transport(env));
    const file = join(folder, 'toolcrib.yaml');
    elsewhere = await createGateway(await loadConfiguration({ file, env, cwd: folder }));
    store = await openStore(`sqlite:${join(folder, 'toolcrib.db')}`);
  });
  afterAll(async () => {
    await client.close();
    await elsewhere.close();
    await store.close();
    if (served !== undefined) {
      served.kill('SIGTERM');
      await exitOf(served as Parameters<typeof exitOf>[0]);
    }
    await stock.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function transport(env: Record<string, string>) {
    if (over === 'stdio') {
      return new StdioClientTransport({
        command: process.execPath,
        args: [commandFile(), 'serve', '--stdio'],
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
      });
    }
    const child = spawnCommand(['serve', '--port', '0', '--json'], { cwd: folder });
    served = child;
    return new StreamableHTTPClientTransport(new URL(JSON.parse(await outputOf(child).line()).mcp));
  }

  /** Code of the failure, or `ok`. */
  const callOnce = async (id: number) => {
    const result = await client
      .callTool({ name: 'stock_deleteItem', arguments: { id } })
      .catch((error: Error) => ({ isError: true, content: [], _meta: { 'toolcrib/error': error } }));
    const error = result._meta?.['toolcrib/error'] as
      | { code: string | number; details?: { approval: string } }
      | undefined;
    return { code: result.isError === true ? error!.code : 'ok', approval: error?.details?.approval };
  };

  /** A call, and whatever the person does meanwhile; a client that cannot ask calls once more afterwards. */
  async function call(id: number, does: Person): Promise<string | number> {
    person = does;
    const first = await callOnce(id);
    if (asks) return first.code;
    expect(first.code).toBe('approval_required');
    await does(first.approval!);
    return (await callOnce(id)).code;
  }

  const decide =
    (decision: ApprovalDecision): Person =>
    async (approval) => {
      await (await elsewhere.approvals()).decide(approval, decision, PERSON);
      return undefined;
    };
  const timePasses = async (approval: string) => {
    await store.database
      .updateTable('approvals')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', approval)
      .execute();
  };
  const listed = () => client.listTools(undefined, { cacheMode: 'refresh' } as never);

  it('deletes exactly once after an approval that is given elsewhere', async () => {
    expect(await call(1, decide({ decision: 'approve' }))).toBe('ok');
    expect(stock.deleted).toEqual(['1']);
    expect(await call(1, async () => undefined)).toBe('approval_required');
    expect(stock.deleted).toEqual(['1']);
    await call(1, decide({ decision: 'reject' }));
    stock.deleted.length = 0;
  });

  it('deletes nothing after a rejection', async () => {
    expect(await call(2, decide({ decision: 'reject' }))).toBe('approval_rejected');
    expect(stock.deleted).toEqual([]);
  });

  it('deletes nothing when nobody decided in time', async () => {
    const late: Person = async (approval) => {
      await timePasses(approval);
      await expect(decide({ decision: 'approve' })(approval)).rejects.toMatchObject({
        code: 'approval_expired',
      });
      return { action: 'accept', content: { decision: 'approve' } };
    };
    expect(await call(3, late)).toBe('approval_expired');
    expect(stock.deleted).toEqual([]);
  });

  it('deletes nothing when it comes back too late', async () => {
    const late: Person = async (approval) => {
      await decide({ decision: 'approve' })(approval);
      await timePasses(approval);
      return undefined;
    };
    expect(await call(4, late)).toBe('approval_expired');
    expect(stock.deleted).toEqual([]);
  });

  it('deletes what the person wrote, and not what was asked for', async () => {
    expect(await call(5, decide({ decision: 'edit', arguments: { id: 50 } }))).toBe('ok');
    expect(stock.deleted).toEqual(['50']);
    stock.deleted.length = 0;
  });

  it('deletes nothing once the definition changed', async () => {
    const swap: Person = async (approval) => {
      await decide({ decision: 'approve' })(approval);
      await writeFile(join(folder, 'stock.json'), stockDocument('Delete an item and its orders'));
      await expect.poll(async () => JSON.stringify(await listed())).toContain('and its orders');
      return undefined;
    };
    expect(await call(6, swap)).toBe('approval_void');
    expect(stock.deleted).toEqual([]);
  });

  it('deletes nothing once the tool was taken away', async () => {
    const takeAway: Person = async (approval) => {
      await decide({ decision: 'approve' })(approval);
      await configure(', access: [{ operation: deleteItem, access: dangerous }]');
      await expect.poll(async () => JSON.stringify(await listed())).not.toContain('stock_deleteItem');
      return { action: 'accept', content: { decision: 'approve' } };
    };
    expect(await call(7, takeAway)).toBe(UNKNOWN_TOOL);
    expect(stock.deleted).toEqual([]);
  });
});
