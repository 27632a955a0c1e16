import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfiguration } from '../src/config/index.ts';
import { createGateway, type Gateway } from '../src/gateway.ts';

const SCRIPTED = fileURLToPath(new URL('upstreams/fixtures/scripted-server.mjs', import.meta.url));

let folder = '';
let gateway: Gateway;
let url = '';
const clients: Client[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-pages-'));
  const mcp = { command: process.execPath, args: [SCRIPTED], env: { SCRIPT: '{}' } };
  gateway = await createGateway(
    await parseConfiguration(
      {
        sources: {
          up: {
            mcp,
            access: ['ask', 'change', 'page-first'].map((operation) => ({ operation, access: 'read' })),
          },
        },
        stateDirectory: join(folder, 'state'),
        watch: false,
        topology: 'flat',
      },
      { env: process.env, baseDirectory: folder },
    ),
  );
  ({ url } = await gateway.listen({ port: 0 }));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** A client of 2025-11-25 whose person opens every page. */
async function connected() {
  const opened: unknown[] = [];
  const done: string[] = [];
  const client = new Client({ name: 'older', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  clients.push(client);
  client.setRequestHandler('elicitation/create', ({ params }) => {
    opened.push((params as { elicitationId?: string }).elicitationId);
    return { action: 'accept' };
  });
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    done.push(params.elicitationId);
  });
  const listening = Promise.withResolvers<void>();
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') listening.resolve();
      return response;
    },
  });
  await client.connect(transport);
  await listening.promise;
  return { client, opened, done };
}

const page = (elicitationId: string) => ({
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://a.example/', elicitationId },
});

test('that a page is done with is told once, to the client that was asked to open it', async () => {
  const asked = await connected();
  const other = await connected();
  await asked.client.callTool({ name: 'up_ask', arguments: page('p1') });
  expect(asked.opened).toEqual(['p1']);
  for (const elicitationId of ['p0', 'p1', 'p1'])
    await other.client.callTool({ name: 'up_change', arguments: { pageDone: elicitationId } });
  await expect.poll(() => asked.done).toEqual(['p1']);
  expect(other.done).toEqual([]);
});

test('so it is of a page that is to be opened before a call (-32042)', async () => {
  const { client, opened, done } = await connected();
  await client.callTool({ name: 'up_page-first' });
  expect(opened).toEqual(['e1']);
  await client.callTool({ name: 'up_change', arguments: { pageDone: 'e1' } });
  await expect.poll(() => done).toEqual(['e1']);
});
