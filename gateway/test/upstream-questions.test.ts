import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../src/index.ts';
import type { CallChannel, Json } from '../src/operations/index.ts';
import { PERSON } from './approved-calls.ts';

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
  await writeFile(join(folder, 'server.cjs'), SERVER);
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(approvals = {}): Promise<void> {
  gateway = await createGateway(
    {
      topology: 'flat',
      stateDirectory: folder,
      store: 'none',
      server: { port: 0 },
      policy: { approvals },
      mcpServers: { board: { command: process.execPath, args: [join(folder, 'server.cjs')] } },
    },
    { baseDirectory: folder },
  );
  await expect.poll(() => gateway.view().tools.map(({ name }) => name)).toEqual(['board_ask']);
}

test('what a server of the handshake era hides in questions, logs and progress reaches nobody; it is named as who asks', async () => {
  await start();
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

/** Calls the tool over the HTTP API. */
async function overHttp() {
  const { url } = await gateway.listen();
  return async (more: object) => {
    const response = await fetch(new URL('/api/v1/tools/board_ask/call', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientCapabilities: { elicitation: { form: {} } }, wait: 0, ...more }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    return [response.status, await response.json()] as readonly [number, any];
  };
}

test('a dry run goes on with no call that waits, which can be answered afterwards', async () => {
  await start();
  const call = await overHttp();
  const [, { requestState }] = await call({});
  const inputResponses = { question_1: { action: 'accept', content: { name: 'Ada' } } };
  const [status, planned] = await call({ requestState, inputResponses, dryRun: true });
  expect([status, JSON.stringify(planned)]).toEqual([200, expect.stringContaining('tools/call')]);
  expect(await call({ requestState, inputResponses })).toMatchObject([
    200,
    { content: [{ text: '{"action":"accept","content":{"name":"Ada"}}' }] },
  ]);
});

test('over the HTTP API a person who must agree is waited for first, then the question goes to the caller', async () => {
  await start({ write: 'ask' });
  const call = await overHttp();
  const [refused, { error }] = await call({});
  expect([refused, error.code]).toEqual([409, 'approval_required']);
  const { approval } = error.details;
  await (await gateway.approvals()).decide(approval, { decision: 'approve' }, PERSON);

  const [status, asked] = await call({ approval });
  expect([status, asked.inputRequests.question_1.params.message]).toEqual([
    202,
    'The server "board" asks: ab',
  ]);
  const { requestState } = asked;
  const inputResponses = { question_1: { action: 'accept', content: { name: 'Ada' } } };
  expect(await call({ approval, requestState, inputResponses })).toMatchObject([
    200,
    { content: [{ text: '{"action":"accept","content":{"name":"Ada"}}' }] },
  ]);
  expect(await call({ approval })).toMatchObject([409, { error: { code: 'approval_void' } }]);
});
