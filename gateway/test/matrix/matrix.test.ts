import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfiguration } from '../../src/config/index.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import type { Listening } from '../../src/gateway-core.ts';
import { type Connected, type Era, FEATURES } from './features.ts';
import { type HttpFixture, httpFixture } from './fixture-http.ts';
import { COLUMNS, type Column, matrixPage } from './table.ts';

const PAGE = new URL('../../../docs/upstream-matrix.md', import.meta.url);
const FIXTURE = fileURLToPath(new URL('fixture-stdio.ts', import.meta.url));
const passed = new Set<string>();
const cell = ({ client, transport, upstream }: Column, feature: string) =>
  `${client} ${transport} ${upstream} ${feature}`;

describe.each(COLUMNS)('client $client, upstream $transport $upstream', (column) => {
  let folder = '';
  let fixture: HttpFixture | undefined;
  let gateway: Gateway;
  let listening: Listening;
  let connected: Connected;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-matrix-'));
    const { transport, upstream, client } = column;
    fixture = transport === 'stdio' ? undefined : await httpFixture(transport, upstream);
    const reached =
      fixture === undefined
        ? { command: process.execPath, args: [FIXTURE, upstream] }
        : { url: fixture.url, type: transport };
    gateway = await createGateway(
      await parseConfiguration(
        {
          sources: { up: { mcp: { ...reached, patience: '20s' } } },
          stateDirectory: folder,
          lock: { file: join(folder, 'lock.json') },
          server: { port: 0, drain: '400ms' },
          watch: false,
        },
        { env: process.env, baseDirectory: folder },
      ),
    );
    listening = await gateway.listen({ port: 0 });
    connected = await connect(new URL('/mcp', listening.url), client);
  });
  afterAll(async () => {
    await connected?.client.close();
    await gateway?.close();
    await fixture?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(Object.entries(FEATURES))('%s', async (feature, check) => {
    await check(connected);
    passed.add(cell(column, feature));
  });
});

test('the page says what passes', async () => {
  const page = matrixPage((column, feature) => passed.has(cell(column, feature)));
  if (process.env['TOOLCRIB_WRITE_MATRIX'] === '1') await writeFile(PAGE, page);
  expect(await readFile(PAGE, 'utf8')).toBe(page);
});

async function connect(url: URL, era: Era): Promise<Connected> {
  const client = new Client(
    { name: 'matrix', version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  const heard: Connected['heard'] = { logs: [], toolLists: [], updates: [] };
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.logs.push(params));
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.toolLists.push({}));
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.updates.push(params),
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler('sampling/createMessage', () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'hello' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }));
  await client.connect(new StreamableHTTPClientTransport(url));
  return { client, era, heard };
}
