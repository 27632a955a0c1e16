import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../src/principals/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

const FIXTURE = fileURLToPath(new URL('./matrix/fixture-stdio.ts', import.meta.url));
const responses = { 200: { description: '', content: { 'application/json': { schema: {} } } } };
const documentOf = (noun: string) => ({
  openapi: '3.1.0',
  info: { title: noun, version: '1' },
  servers: [{ url: 'http://127.0.0.1' }],
  paths: {
    [`/${noun}`]: {
      get: { operationId: `list_${noun}`, summary: `List the ${noun}`, responses },
      post: { operationId: `add_${noun}`, summary: `Add one of the ${noun}`, responses },
      delete: { operationId: `clear_${noun}`, summary: `Remove all ${noun}`, responses },
    },
  },
});

/** What reached the service. */
const carriedOut: string[] = [];

/** A gateway before a service of desks and one of shops, with operations of every access. */
async function serve(more: object = {}, folder?: Awaited<ReturnType<typeof liveFolder>>): Promise<URL> {
  carriedOut.length = 0;
  const { base } = await liveService(({ method, url }, response) => {
    carriedOut.push(`${method} ${url}`);
    response.end('{"done":true}');
    return true;
  });
  const { put, configure, start } = folder ?? (await liveFolder());
  for (const noun of ['desks', 'shops']) await put(`${noun}.json`, JSON.stringify(documentOf(noun)));
  const source = (noun: string) => ({ openapi: `./${noun}.json`, prefix: 'none', baseUrl: base });
  await configure({
    watch: false,
    egress: { allow: [base] },
    sources: { desks: source('desks'), shops: source('shops') },
    ...more,
  });
  const gateway = await start();
  const { url } = await gateway.listen({ ...gateway.configuration.server, port: 0 });
  return new URL('/mcp', url);
}

const ERAS = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
] as const;

async function connect(url: URL, query: string, how: object = {}, key?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, how);
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url.href}${query}`), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  return client;
}

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();

describe.each(ERAS)('a client of %s', (_era, how) => {
  it.each([
    ['', ['add_desks', 'add_shops', 'clear_desks', 'clear_shops', 'list_desks', 'list_shops']],
    ['?source=desks', ['add_desks', 'clear_desks', 'list_desks']],
    ['?maxAccess=read', ['list_desks', 'list_shops']],
    ['?maxAccess=write&source=shops', ['add_shops', 'list_shops']],
    ['?source=desks&source=shops&maxAccess=read', ['list_desks', 'list_shops']],
    ['?source=desks,shops&maxAccess=read', ['list_desks', 'list_shops']],
    [
      '?maxAccess=delete',
      ['add_desks', 'add_shops', 'clear_desks', 'clear_shops', 'list_desks', 'list_shops'],
    ],
  ])('has no more than its address asks for: %s', async (query, expected) => {
    const client = await connect(await serve(), query, how);
    expect(await names(client)).toEqual(expected);
  });

  it('calls nothing beyond, by name or by an operation id that it knows', async () => {
    const url = await serve();
    const client = await connect(url, '?source=desks&maxAccess=read&topology=search', how);
    const called = async (operation: string) =>
      client.callTool({ name: 'call_tool', arguments: { name: operation, arguments: {} } });
    const found = JSON.stringify(
      await client.callTool({ name: 'search_tools', arguments: { query: 'list add remove desks shops' } }),
    );
    expect(found).toMatch(/list_desks/);
    expect(found).not.toMatch(/shops|add_desks|clear_desks/);
    for (const operation of ['clear_desks', 'add_desks', 'list_shops', 'clear_shops'])
      expect(await called(operation)).toMatchObject({ isError: true });
    expect(carriedOut).toEqual([]);
    expect(await called('list_desks')).not.toMatchObject({ isError: true });
    const flat = await connect(url, '?source=desks&maxAccess=read', how);
    const refused = flat.callTool({ name: 'clear_desks', arguments: {} });
    expect(await refused.catch((error: unknown) => ({ isError: true, error }))).toMatchObject({
      isError: true,
    });
    expect(carriedOut).toEqual(['GET /desks']);
  });
});

describe.each(ERAS)('resources and prompts for a client of %s', (_era, how) => {
  it('are those of its sources', async () => {
    const url = await serve({
      mcpServers: {
        notes: { command: process.execPath, args: [FIXTURE, _era === '2025-11-25' ? 'legacy' : 'modern'] },
      },
    });
    const all = async (client: Client) => ({
      resources: (await client.listResources()).resources.map(({ uri }) => uri),
      templates: (await client.listResourceTemplates()).resourceTemplates.length,
      prompts: (await client.listPrompts()).prompts.map(({ name }) => name),
    });
    const whole = await connect(url, '', how);
    await expect
      .poll(async () => (await all(whole)).resources.length, { timeout: 20_000 })
      .toBeGreaterThan(0);
    const { resources, prompts } = await all(whole);
    expect(await all(await connect(url, '?source=notes&maxAccess=read', how))).toEqual(await all(whole));
    const other = await connect(url, '?source=desks', how);
    expect(await all(other)).toEqual({ resources: [], templates: 0, prompts: [] });
    await expect(other.readResource({ uri: resources[0]! })).rejects.toThrow(/resource_unknown/);
    await expect(other.getPrompt({ name: prompts[0]! })).rejects.toThrow(/prompt_unknown/);
  });
});

it.each([
  ['?source=desk', 'There is no source "desk". Did you mean "desks"?'],
  ['?source=desks,stores', 'There is no source "stores".'],
  ['?source=', 'In an address `source` names 1 to 64 sources, with commas between them.'],
  ['?maxAccess=readonly', 'In an address `maxAccess` is read, write, delete, once; not "readonly".'],
  ['?maxAccess=', 'In an address `maxAccess` is read, write, delete, once; not "".'],
  [
    '?maxAccess=read&maxAccess=delete',
    'In an address `maxAccess` is read, write, delete, once; not "read, delete".',
  ],
  ['?max_access=read', 'An address takes `maxAccess`; "max_access" means nothing there.'],
  ['?access=read', 'An address takes `maxAccess`; "access" means nothing there.'],
  ['?read_only=true', 'An address takes `maxAccess`; "read_only" means nothing there.'],
  ['?sources=desks', 'An address takes `source`; "sources" means nothing there.'],
])('an address whose limit would not count is refused: %s', async (query, message) => {
  const url = await serve();
  await expect(connect(url, query)).rejects.toThrow(JSON.stringify(`request_invalid: ${message}`));
});

it("what else stands in an address is somebody else's", async () => {
  expect(await names(await connect(await serve(), '?tenant=7&maxAccess=read'))).toHaveLength(2);
});

it('the tools of the API can be listed so', async () => {
  const at = async (query: string) => {
    const response = await fetch(new URL(`/api/v1/tools${query}`, await serve()));
    const body = (await response.json()) as { error?: object; tools: readonly { name: string }[] };
    return body.error ?? body.tools.map(({ name }) => name);
  };
  expect(await at('?source=shops&maxAccess=read')).toEqual(['list_shops']);
  expect(await at('?source=shop')).toMatchObject({
    code: 'request_invalid',
    message: 'There is no source "shop". Did you mean "shops"?',
    pointer: '/source',
  });
});

describe('in a team', () => {
  it('an address never widens what a key may do, and says nothing of sources of others', async () => {
    const folder = await liveFolder();
    const file = `sqlite:${join(folder.folder, 'team.db')}`;
    const store = await openStore(file);
    const { key: made } = await bootstrap(store, {
      organisation: { name: 'Acme' },
      user: { name: 'Ada' },
      defaults: {
        organisation: { '*': 'read-write' },
        user: { '*': 'read-only' },
      },
    });
    await store.close();
    const url = await serve({ auth: { mode: 'team' }, store: file }, folder);
    const at = async (query: string) => names(await connect(url, query, {}, made.key));
    expect(await at('?maxAccess=delete')).toEqual(await at(''));
    expect(await at('?source=shops')).toEqual(['list_shops']);
    // it may be one that comes and goes with access
    expect(await at('?source=shops,nothing')).toEqual(['list_shops']);
    await expect(at('?source=nothing')).rejects.toThrow(
      JSON.stringify('request_invalid: There is no source that this caller may use, called "nothing".'),
    );
  });
});
