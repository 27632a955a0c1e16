import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/config/index.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import { startMcpServer } from '../doubles/mcp-http-server.ts';
import { type StockService, startStock, stockDocument } from './support/stock-service.ts';

let folder: string;
let stock: StockService;
let gateway: Gateway | undefined;
let client: Client | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-not-ready-'));
  stock = await startStock();
  const document = JSON.parse(stockDocument()) as Record<string, unknown>;
  const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } };
  await writeFile(
    join(folder, 'stock.json'),
    JSON.stringify({ ...document, components, security: [{ key: [] }] }),
  );
});

afterEach(async () => {
  await client?.close();
  await gateway?.close();
  client = gateway = undefined;
  await stock.close();
  await rm(folder, { recursive: true, force: true });
});

/** A client whose person agrees to everything, and how often it was asked. */
async function start(
  sources: readonly string[],
  options: ClientOptions,
  capabilities: ClientOptions['capabilities'] = { elicitation: {} },
  policy = '{ approvals: { rules: [{ source: remote, action: ask }] } }',
) {
  const file = join(folder, 'toolcrib.yaml');
  await writeFile(
    file,
    [
      'store: sqlite:./toolcrib.db',
      'watch: false',
      'lock: { mode: accept }',
      `policy: ${policy}`,
      ...sources,
    ].join('\n'),
  );
  const env = { XDG_STATE_HOME: join(folder, 'state') };
  gateway = await createGateway(await loadConfiguration({ file, env, cwd: folder }));
  const { url } = await gateway.listen({ port: 0 });
  let asked = 0;
  client = new Client({ name: 'asking', version: '1' }, { ...options, capabilities });
  const onQuestion = () => {
    asked++;
    return { action: 'accept' as const, content: { decision: 'approve' } };
  };
  if (capabilities?.elicitation !== undefined) client.setRequestHandler('elicitation/create', onQuestion);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const call = async (name: string, args: Record<string, unknown>) => {
    const { isError, _meta } = await client!.callTool({ name, arguments: args });
    const error = (_meta as Record<string, { code: string }> | undefined)?.['toolcrib/error'];
    return [isError === true ? (error?.code ?? 'failed') : 'done', asked];
  };
  return call;
}

describe.each<[string, ClientOptions]>([
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
])('a person at a client of %s', (_, options) => {
  it('is asked about no call whose credential is missing, and about it once it is there', async () => {
    const key = join(folder, 'key');
    const source = `{ openapi: ./stock.json, baseUrl: '${stock.url}', credentials: { apiKey: { file: ./key } } }`;
    const call = await start([`sources: { stock: ${source} }`], options);
    expect(await call('stock_deleteItem', { id: 1 })).toEqual(['credentials_missing', 0]);
    expect(await (await gateway!.approvals!()).list({ kind: 'operator' })).toEqual([]);
    await writeFile(key, 'sesame');
    expect(await call('stock_deleteItem', { id: 1 })).toEqual(['done', 1]);
    expect(stock.deleted).toEqual(['1']);
  });

  it('is not sent to an approval that is open, either, once the credential is gone', async () => {
    const key = join(folder, 'key');
    await writeFile(key, 'sesame');
    const source = `{ openapi: ./stock.json, baseUrl: '${stock.url}', credentials: { apiKey: { file: ./key } } }`;
    const call = await start([`sources: { stock: ${source} }`], options, {});
    expect(await call('stock_deleteItem', { id: 3 })).toEqual(['approval_required', 0]);
    await rm(key);
    expect(await call('stock_deleteItem', { id: 3 })).toEqual(['credentials_missing', 0]);
  });

  it('is asked about a call of a source that needs no credential, whatever its description says', async () => {
    const source = `{ openapi: ./stock.json, baseUrl: '${stock.url}', credentials: none }`;
    const call = await start([`sources: { stock: ${source} }`], options);
    expect(await call('stock_deleteItem', { id: 2 })).toEqual(['done', 1]);
  });

  it('is asked about no call that its budget has no room for', async () => {
    const source = `{ openapi: ./stock.json, baseUrl: '${stock.url}', credentials: none }`;
    const policy = '{ budgets: [{ source: stock, calls: 1, window: 365d }] }';
    const call = await start([`sources: { stock: ${source} }`], options, { elicitation: {} }, policy);
    expect(await call('stock_deleteItem', { id: 1 })).toEqual(['done', 1]);
    expect(await call('stock_deleteItem', { id: 2 })).toEqual(['budget_exceeded', 1]);
    expect(stock.deleted).toEqual(['1']);
  });

  it('is not asked again about calls to a server that was seen to want a sign-in', async () => {
    let closed = false;
    const server = await startMcpServer({
      era: 'session',
      guard: (_headers, body) =>
        closed && body.includes('"tools/call"') ? { status: 401, headers: {} } : undefined,
    });
    try {
      const call = await start([`mcpServers: { remote: { url: '${server.url}' } }`], options);
      await client!.listTools();
      expect(await call('remote_echo', {})).toEqual(['done', 1]);
      closed = true;
      // until it is called nothing is known of it
      expect(await call('remote_echo', {})).toEqual(['authorization_required', 2]);
      expect(await call('remote_echo', {})).toEqual(['authorization_required', 2]);
    } finally {
      await client?.close();
      await server.close();
    }
  });
});
