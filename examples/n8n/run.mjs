// Two n8n workflows as tools: found, called, checked, and followed when they change. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway } from 'toolcrib';
import { parse } from 'yaml';
import { API_KEY, SHOP_KEY, startN8n } from './n8n.mjs';

const n8n = await startN8n();
Object.assign(process.env, { N8N_API_KEY: API_KEY, SHOP_KEY });
const configuration = parse(readFileSync(join(import.meta.dirname, 'toolcrib.yaml'), 'utf8'));
configuration.sources.flows.n8n.url = n8n.url;
const gateway = await createGateway(
  { ...configuration, store: 'none', cache: false },
  { baseDirectory: import.meta.dirname },
);
const { url } = await gateway.listen({ port: 0 });
const client = new Client({ name: 'n8n', version: '1.0.0' });
const call = (name, args) => client.callTool({ name, arguments: args });
const names = async () => (await client.listTools()).tools.map(({ name }) => name);

try {
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  assert.deepEqual(await names(), ['n8n_Find_order', 'n8n_Send_order']);

  // The file describes one, the note in the workflow the other; arguments are checked before anything is sent.
  assert.deepEqual((await call('n8n_Find_order', { number: 'A-7' })).structuredContent, {
    number: 'A-7',
    state: 'open',
  });
  assert.deepEqual((await call('n8n_Send_order', { number: 'A-7' })).structuredContent, {
    number: 'A-7',
    state: 'sent',
  });
  const sent = n8n.requests.length;
  assert.equal((await call('n8n_Find_order', { number: 'seven' })).isError, true);
  assert.equal(n8n.requests.length, sent);

  // The workflow reports its failure with status 200: the declared output shows that it is one.
  const missing = await call('n8n_Find_order', { number: 'A-8' });
  assert.equal(missing.isError, true);
  assert.match(missing.content[0].text, /output_invalid/);

  // A workflow that is renamed or goes takes its tool along, while the client stays connected.
  n8n.workflows[1].name = 'Ship order';
  while ((await names()).includes('n8n_Send_order')) await setTimeout(100);
  assert.deepEqual(await names(), ['n8n_Find_order', 'n8n_Ship_order']);
  console.log('n8n: all holds');
} finally {
  await client.close();
  await gateway.close();
  n8n.close();
}
