import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../src/index.ts';
import type { CallChannel, Json } from '../src/operations/index.ts';

/** A server of the handshake era that hides something in all that it says before it answers. */
const SERVER = `
const HIDDEN = 'a\\u202e\\u{e0041}\\u001b[2Jb';
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'p', version: '1' } },
  'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
  'logging/setLevel': {},
  ping: {},
};
let call;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (id === 'q') return say({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(result) }] } });
  if (id === undefined) return;
  if (method !== 'tools/call') return say({ id, result: results[method] ?? {} });
  call = id;
  const { progressToken } = params._meta ?? {};
  say({ method: 'notifications/message', params: { level: 'info', data: { [HIDDEN]: HIDDEN }, logger: HIDDEN } });
  say({ method: 'notifications/progress', params: { progressToken, progress: 1, message: HIDDEN } });
  say({ id: 'q', method: 'elicitation/create', params: { mode: 'form', message: HIDDEN, requestedSchema: { type: 'object', properties: { name: { type: 'string', title: HIDDEN } } } } });
});
`;

let folder: string;
let gateway: Gateway;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-questions-'));
  const file = join(folder, 'server.cjs');
  await writeFile(file, SERVER);
  const mcpServers = { board: { command: process.execPath, args: [file] } };
  gateway = await createGateway(
    { topology: 'flat', stateDirectory: folder, store: 'none', mcpServers },
    { baseDirectory: folder },
  );
  await expect.poll(() => gateway.view().tools.map(({ name }) => name)).toEqual(['board_ask']);
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test('what a server of the handshake era hides in questions, logs and progress reaches nobody; it is named as who asks', async () => {
  const heard: unknown[] = [];
  const channel: CallChannel = {
    clientCapabilities: { elicitation: {} },
    progress: async (...said) => void heard.push(said),
    log: async (...said) => void heard.push(said),
    ask: async ({ params }): Promise<Json> => {
      heard.push(params);
      return { action: 'accept', content: { name: 'Ada' } };
    },
  };
  const result = await gateway.call({ tool: 'board_ask', channel });
  expect(result).toMatchObject({ content: [{ text: '{"action":"accept","content":{"name":"Ada"}}' }] });
  expect(heard).toEqual([
    ['info', { ab: 'ab' }, 'ab'],
    [1, undefined, 'ab'],
    {
      mode: 'form',
      message: 'The server "board" asks: ab',
      requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'ab' } } },
    },
  ]);
});
