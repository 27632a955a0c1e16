import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AccessLevel,
  categorizeParams,
  defineManifest,
  filterOperationsByAccess,
  type GeneratedTool,
  generateToolsFromManifest,
  getManifest,
  getToolSummary,
  interpolatePath,
  manifests,
  type ProxyRequest,
  registerGeneratedTools,
} from '../../../src/sources/manifest/index.ts';
import { itemManifest, manifestWith, operationOf } from './item-manifest.ts';
import { leverManifest } from './lever-of-the-guide.ts';

describe('filterOperationsByAccess', () => {
  it.each<[AccessLevel, string[]]>([
    ['read-write', ['list_items', 'get_item', 'create_item', 'rename_item', 'delete_item']],
    ['read-only', ['list_items', 'get_item']],
    ['disabled', []],
    ['none', []],
  ])('%s exposes %j', (level, expected) => {
    const ids = filterOperationsByAccess(itemManifest.operations, level).map(({ id }) => id);
    expect(ids).toEqual(expected);
  });

  it.each([undefined, null, '', 'admin', 'READ-WRITE', 'read'])(
    'exposes nothing at the level %j',
    (level) => {
      expect(filterOperationsByAccess(itemManifest.operations, level as AccessLevel)).toEqual([]);
    },
  );
});

describe('generateToolsFromManifest', () => {
  const tools = generateToolsFromManifest(itemManifest, 'read-write');
  const tool = (name: string): GeneratedTool => tools.find((one) => one.name === name)!;

  it('names tools by provider and operation, hyphens as underscores', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'item_store_list_items',
      'item_store_get_item',
      'item_store_create_item',
      'item_store_rename_item',
      'item_store_delete_item',
    ]);
  });

  it('puts the provider before the description', () => {
    expect(tools[0]!.description).toBe('[Item Store] Lists items.');
  });

  it('says what the proxy needs to know', () => {
    expect(tools[0]!.meta).toEqual({
      provider: 'item-store',
      method: 'GET',
      path: '/items',
      category: 'crm',
    });
    expect(tool('item_store_create_item').meta).toMatchObject({ wrapInData: true });
  });

  it('takes parameters and body as one flat schema', () => {
    const { inputSchema } = tool('item_store_create_item');
    expect(Object.keys(inputSchema)).toEqual(['name', 'tags']);
    const schema = z.object(inputSchema);
    expect(schema.safeParse({ name: 'a', tags: ['x'] }).success).toBe(true);
    expect(schema.safeParse({ tags: ['x'] }).success).toBe(false);
    expect(schema.safeParse({ name: 'a', tags: [1] }).success).toBe(false);
  });

  it('tells defaults and sends none: a page token must go alone', () => {
    const { inputSchema } = tools[0]!;
    expect(z.object(inputSchema).parse({})).toEqual({});
    expect(inputSchema['limit']!.description).toBe('How many. Default: 20.');
  });

  it('keeps a parameter and a body field of one name apart', () => {
    expect(Object.keys(tool('item_store_rename_item').inputSchema)).toEqual(['id', 'body_id', 'name']);
  });

  it.each<AccessLevel>(['read-write', 'read-only', 'disabled', 'none'])(
    'never makes a tool of a dangerous or blocklisted operation (%s)',
    (level) => {
      const manifest = { ...itemManifest, blocklist: ['/ITEMS/'] };
      expect(generateToolsFromManifest(manifest, level)).toEqual([]);
      const names = generateToolsFromManifest(itemManifest, level).map(({ name }) => name);
      expect(names).not.toContain('item_store_purge_items');
    },
  );

  it.each([
    ['greenhouse', 29, 16],
    ['zoho-recruit', 26, 16],
    ['lever', 45, 27],
  ])('makes the tools of %s', (provider, readWrite, readOnly) => {
    const shipped = getManifest(provider)!;
    expect(generateToolsFromManifest(shipped, 'read-write')).toHaveLength(readWrite);
    expect(generateToolsFromManifest(shipped, 'read-only')).toHaveLength(readOnly);
    expect(generateToolsFromManifest(shipped, 'none')).toEqual([]);
  });
});

describe('getToolSummary', () => {
  it.each<[AccessLevel, object]>([
    ['read-write', { total: 6, read: 2, write: 2, filtered: 1 }],
    ['read-only', { total: 6, read: 2, write: 0, filtered: 4 }],
    ['none', { total: 6, read: 0, write: 0, filtered: 6 }],
  ])('counts what %s exposes, deletions apart', (level, expected) => {
    expect(getToolSummary(itemManifest, level)).toEqual(expected);
  });
});

describe('interpolatePath', () => {
  it.each<[string, Record<string, unknown>, string, Record<string, unknown>]>([
    ['/items/{id}', { id: '123' }, '/items/123', {}],
    ['/items/{id}', { id: 42 }, '/items/42', {}],
    ['/a/{x}/b/{y}', { x: 'one', y: 'two' }, '/a/one/b/two', {}],
    ['/items/{id}', { id: '1', limit: 10 }, '/items/1', { limit: 10 }],
    ['/items/{id}', { id: 'a b/c?d#e' }, '/items/a%20b%2Fc%3Fd%23e', {}],
    ['/items/{id}', { id: '$&' }, '/items/%24%26', {}],
    ['/items', { limit: 10 }, '/items', { limit: 10 }],
  ])('%s with %j', (path, params, expected, unusedParams) => {
    expect(interpolatePath(path, params)).toEqual({ path: expected, unusedParams });
  });

  it.each([{}, { id: undefined }, { id: null }, { id: '' }, { id: '..' }, { id: '.' }, { id: {} }])(
    'refuses a path without a value: %j',
    (params) => {
      expect(() => interpolatePath('/items/{id}', params)).toThrow(/needs a value for \{id\}/);
    },
  );
});

describe('categorizeParams', () => {
  it('takes the flat arguments apart', () => {
    expect(categorizeParams(operationOf('rename_item'), { id: '1', body_id: '2', name: 'n' })).toEqual({
      pathParams: { id: '1' },
      queryParams: {},
      bodyParams: { id: '2', name: 'n' },
    });
    expect(categorizeParams(operationOf('list_items'), { limit: 5 }).queryParams).toEqual({ limit: 5 });
  });

  it('leaves out what is undefined or unknown', () => {
    const parts = categorizeParams(operationOf('get_item'), { id: '1', other: 'x', constructor: 'y' });
    expect(parts).toEqual({ pathParams: { id: '1' }, queryParams: {}, bodyParams: {} });
    expect(categorizeParams(operationOf('create_item'), { name: undefined }).bodyParams).toEqual({});
  });

  it('keeps headers apart', () => {
    const { operations } = manifestWith({ params: { 'X-Trace': { in: 'header', type: 'string' } } });
    expect(categorizeParams(operations[0]!, { 'X-Trace': 't' }).headerParams).toEqual({ 'X-Trace': 't' });
  });
});

describe('registerGeneratedTools', () => {
  async function connected(
    answer: (request: ProxyRequest) => Promise<unknown>,
    tools: readonly GeneratedTool[],
  ) {
    const requests: ProxyRequest[] = [];
    const server = new McpServer({ name: 'test', version: '1.0.0' });
    const names = registerGeneratedTools(server, tools, {
      proxyRequest: async (request) => {
        requests.push(request);
        return answer(request);
      },
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    const [a, b] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(a), client.connect(b)]);
    return { names, requests, client, close: () => client.close() };
  }

  it('makes each call one proxy request', async () => {
    const tools = generateToolsFromManifest(itemManifest, 'read-write');
    const { names, requests, client, close } = await connected(async () => ({ data: [{ id: 1 }] }), tools);
    expect(names).toEqual(tools.map(({ name }) => name));
    const listed = await client.listTools();
    expect(listed.tools.find(({ name }) => name === 'item_store_get_item')).toMatchObject({
      description: '[Item Store] Reads an item.',
      inputSchema: { required: ['id'] },
    });
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const answer = await call('item_store_create_item', { name: 'a' });
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify({ data: [{ id: 1 }] }, null, 2) }]);
    await call('item_store_rename_item', { id: 'a/b', body_id: 'c' });
    await call('item_store_list_items', { search: 'x' });
    expect(requests).toEqual([
      { provider: 'item-store', method: 'POST', path: '/items', body: { data: [{ name: 'a' }] } },
      { provider: 'item-store', method: 'PATCH', path: '/items/a%2Fb', body: { id: 'c' } },
      { provider: 'item-store', method: 'GET', path: '/items', query: { search: 'x' } },
    ]);
    await close();
  });

  it('answers a refusal as a tool error', async () => {
    const { client, close } = await connected(
      async () => {
        throw new Error('You have read-only access to the ATS');
      },
      generateToolsFromManifest(itemManifest, 'read-write'),
    );
    const answer = await client.callTool({ name: 'item_store_list_items', arguments: {} });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: 'Error calling item_store_list_items: You have read-only access to the ATS' }],
    });
    await close();
  });

  it('serves the older registration and the older client', async () => {
    const handlers = new Map<string, (args: Record<string, unknown>) => Promise<unknown>>();
    const requests: ProxyRequest[] = [];
    registerGeneratedTools(
      { tool: (name, _description, _schema, handler) => handlers.set(name, handler) },
      generateToolsFromManifest(getManifest('zoho-recruit')!, 'read-only').map((tool) => ({ ...tool })),
      { proxyAtsRequest: async (request) => requests.push(request) },
    );
    await handlers.get('zoho_recruit_coql_query')!({ select_query: 'select id from Candidates' });
    expect(requests).toEqual([
      {
        provider: 'zoho-recruit',
        method: 'POST',
        path: '/coql',
        body: { select_query: 'select id from Candidates' },
      },
    ]);
  });

  it('joins lists that the service wants as one text', async () => {
    const manifest = manifestWith({
      params: { ids: { type: 'array', style: 'comma' }, tag: { type: 'array' } },
    });
    const { requests, client, close } = await connected(
      async () => 'ok',
      generateToolsFromManifest(manifest, 'read-only'),
    );
    const args = { ids: [1, 2], tag: ['a', 'b'] };
    const { content } = await client.callTool({ name: 'item_store_try_it', arguments: args });
    expect(content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(requests[0]!.query).toEqual({ ids: '1,2', tag: ['a', 'b'] });
    await close();
  });

  it('does not know a tool without a manifest', async () => {
    const [tool] = generateToolsFromManifest(itemManifest, 'read-only');
    const { client, close } = await connected(async () => 'ok', [{ ...tool! }]);
    const answer = await client.callTool({ name: tool!.name, arguments: {} });
    expect(answer).toMatchObject({ isError: true, content: [{ text: /No manifest describes/ }] });
    await close();
  });
});

describe('manifests', () => {
  it('are those that come with Toolcrib', () => {
    expect(Object.keys(manifests)).toEqual(['greenhouse', 'greenhouse-v3', 'zoho-recruit', 'lever']);
    expect(getManifest('lever')).toBe(manifests['lever']);
    expect(getManifest('lever')!.displayName).toBe('Lever');
    for (const name of ['workday', 'toString', '__proto__', '']) expect(getManifest(name)).toBeUndefined();
  });
});

describe('defineManifest', () => {
  it('takes a manifest with the first members only, unchanged', () => {
    expect(defineManifest(leverManifest)).toBe(leverManifest);
    const [tool] = generateToolsFromManifest(leverManifest, 'read-only');
    expect(tool).toMatchObject({
      name: 'lever_list_opportunities',
      description: '[Lever] List all opportunities (candidates)',
    });
  });

  it('names everything that is wrong', () => {
    const broken = {
      ...itemManifest,
      operations: [
        ...itemManifest.operations,
        operationOf('get_item'),
        { ...operationOf('list_items'), id: 'other', path: '/items/{gone}' },
      ],
    };
    expect(() => defineManifest(broken)).toThrow(/2 problems[\s\S]*belongs to an earlier[\s\S]*\{gone\}/);
    const headless = { ...itemManifest, provider: 'Item Store', secret: 1 };
    expect(() => defineManifest(headless)).toThrow(/small letters[\s\S]*Unknown key "secret"/);
  });
});
