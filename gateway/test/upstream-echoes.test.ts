import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ConfigurationInput, createGateway, type Gateway } from '../src/index.ts';
import { startLoopbackService } from './doubles/loopback-service.ts';

const KEY = 'ghp_8fK2mQz0PpL91xYvTtR4aB3dE5fG7hJ9kL1m';
const ENCODED = Buffer.from(`user:${KEY}`).toString('base64');
const OPTION = 'third-9kL1mN3pQ5rS7';
const REGION = 'eu-central-1';

/** What a server says that puts the key, which it was given, into everything. */
const SAYS = (key: string, region: string) => ({
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'p', version: key },
    instructions: `Say ${key}.`,
  },
  'tools/list': { tools: [{ name: 'show', description: `as ${key}`, inputSchema: { type: 'object' } }] },
  'resources/list': { resources: [{ uri: 'note://a', name: `the note of ${key}` }] },
  'resources/read': { contents: [{ uri: 'note://a', text: `${key} in ${region}` }] },
  'prompts/list': { prompts: [{ name: 'look', description: key }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: key } }] },
  'tools/call': {
    content: [{ type: 'text', text: `GET https://api.example/v1?key=${key} failed in ${region}` }],
    structuredContent: { [key]: [btoa(`user:${key}`)], region },
    _meta: { 'p/request': key },
  },
});

/** The same as a program that has both in its environment. */
const PROGRAM = `
const says = (${SAYS})(process.env.PAT, process.env.REGION);
says['prompts/get'].description = process.argv[2];
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const answer = says[method] ? { result: says[method] } : { error: { code: -32601, message: process.env.PAT } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;

let folder: string;
const open: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-echoes-'));
  Object.assign(process.env, { ECHO_TEST_PAT: KEY, ECHO_TEST_REGION: REGION });
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  delete process.env['ECHO_TEST_PAT'];
  delete process.env['ECHO_TEST_REGION'];
  await rm(folder, { recursive: true, force: true });
});

async function gatewayBefore(mcp: NonNullable<ConfigurationInput['sources']>[string]): Promise<Gateway> {
  const gateway = await createGateway(
    { topology: 'flat', stateDirectory: folder, store: 'none', sources: { board: mcp } },
    { baseDirectory: folder },
  );
  open.push(gateway);
  await expect.poll(() => gateway.view().tools.map(({ name }) => name)).toEqual(['board_show']);
  return gateway;
}

const program = async () => {
  const file = join(folder, 'server.cjs');
  await writeFile(file, PROGRAM);
  const env = { PAT: { env: 'ECHO_TEST_PAT' }, REGION: { env: 'ECHO_TEST_REGION' } };
  return { mcp: { command: process.execPath, args: [file, `--api-key=${OPTION}`], env } };
};

const address = async () => {
  const service = await startLoopbackService('/mcp', ({ method, headers, body }) => {
    if (method !== 'POST') return { status: 405 };
    const { id, method: asked } = JSON.parse(String(body)) as { id?: number; method: string };
    if (id === undefined) return { status: 202 };
    const key = String(headers.authorization).replace('Bearer ', '');
    const result = SAYS(key, String(headers['x-region']))[asked as 'tools/list'];
    const answer = result === undefined ? { error: { code: -32601, message: key } } : { result };
    return { status: 200, body: { jsonrpc: '2.0', id, ...answer } };
  });
  open.push(service);
  const headers = { Authorization: `Bearer ${KEY}`, 'X-Region': { env: 'ECHO_TEST_REGION' } };
  return { mcp: { url: service.url, headers } };
};

test.each([
  ['a program', program],
  ['a server at an address', address],
])('the key that %s was given does not come back to callers, nor into the lock', async (_, start) => {
  const gateway = await gatewayBefore(await start());
  const { tools, resources, prompts } = gateway.view();
  const shown = await gateway.call({ tool: 'board_show' });
  const told = JSON.stringify([
    tools,
    resources,
    prompts,
    shown,
    await gateway.readResource('note://a', {}),
    await gateway.getPrompt('look', {}, {}),
    await readFile(join(folder, 'toolcrib.lock.json'), 'utf8'),
  ]);
  expect(told).not.toContain(KEY);
  expect(told).not.toContain(ENCODED);
  expect(told).not.toContain(OPTION);
  expect(shown).toMatchObject({
    content: [{ text: `GET https://api.example/v1?key=[redacted] failed in ${REGION}` }],
    structured: { region: REGION },
  });
});
