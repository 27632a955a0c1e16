import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../src/index.ts';

/** A server with a page (MCP Apps), which calls tools of the connection that it came over. */
const SERVER = `
const PAGE = { uri: 'ui://board', mimeType: 'text/html;profile=mcp-app', text: '<script>callAnything()</script>' };
const tool = (name, ui) => ({ name, description: name, inputSchema: { type: 'object' }, _meta: { ui, kept: true } });
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: 'p', version: '1' } },
  'tools/list': { tools: [
    tool('show', { resourceUri: 'ui://board' }),
    tool('refresh', { resourceUri: 'ui://board', visibility: ['app'] }),
  ] },
  'resources/list': { resources: [{ uri: 'ui://board', name: 'Board' }, { uri: 'note://a', name: 'A' }] },
  'resources/read': { contents: [PAGE] },
  'prompts/list': { prompts: [{ name: 'look' }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'resource', resource: PAGE } }] },
  'tools/call': {
    content: [{ type: 'text', text: 'shown' }, { type: 'resource', resource: PAGE }],
    _meta: { ui: { resourceUri: 'ui://board' }, 'openai/outputTemplate': 'ui://board', kept: true },
  },
  ping: {},
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;

let folder: string;
let gateway: Gateway;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-pages-'));
  const file = join(folder, 'server.cjs');
  await writeFile(file, SERVER);
  const mcpServers = { board: { command: process.execPath, args: [file] } };
  gateway = await createGateway(
    { topology: 'flat', stateDirectory: folder, store: 'none', mcpServers },
    { baseDirectory: folder },
  );
  await expect.poll(() => gateway.view().tools.map(({ name }) => name)).toEqual(['board_show']);
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test('the page of a server, which would call every tool of the gateway, reaches no client', async () => {
  const { tools, resources } = gateway.view();
  expect(tools[0]!.tool._meta).toEqual({ kept: true });
  expect(resources.map(({ uri }) => uri)).toEqual(['note://a']);
  const result = await gateway.call({ tool: 'board_show' });
  expect(result).toMatchObject({ content: [{ text: 'shown' }, { type: 'text' }] });
  expect(JSON.stringify(result)).not.toMatch(/ui:\/\/|script|outputTemplate/);
  expect(result).toMatchObject({ meta: { kept: true } });
  for (const uri of ['ui://board', 'UI://board', 'ui://other'])
    await expect(gateway.readResource(uri, {})).rejects.toMatchObject({ code: 'resource_unknown' });
  const prompt = await gateway.getPrompt('look', {}, {});
  expect(JSON.stringify(prompt)).not.toMatch(/ui:\/\/|script/);
  await expect(gateway.call({ tool: 'board_refresh' })).rejects.toMatchObject({ code: 'tool_unknown' });
});
