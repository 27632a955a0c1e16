// Starts the application on a free port, uses it as an MCP client and as a browser would, and exits 0 when all holds.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createApp } from './app.mjs';

const { app, close } = await createApp();
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
if (!server.listening) await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
const client = new Client({ name: 'embed-hono', version: '1.0.0' });

try {
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]),
    [
      ['add_note', false],
      ['find_notes', true],
    ],
  );

  const added = await client.callTool({ name: 'add_note', arguments: { text: 'water the plants' } });
  assert.deepEqual(added.structuredContent, { id: 1, text: 'water the plants' });
  const found = await client.callTool({ name: 'find_notes', arguments: { word: 'plants' } });
  assert.deepEqual(found.structuredContent, { notes: [{ id: 1, text: 'water the plants' }] });
  const refused = await client.callTool({ name: 'add_note', arguments: { text: '' } });
  assert.equal(refused.isError, true);

  assert.match(await (await fetch(url)).text(), /1 notes/);
  const foreign = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(foreign.status, 403);
  console.log('ok  embed-hono: tools and pages of one application share their data');
} finally {
  await client.close();
  await close();
  server.close();
  server.closeAllConnections?.();
}
