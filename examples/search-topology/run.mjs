// 120 operations behind four tools: search, describe, call, and what was called is listed. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway } from 'toolcrib';
import { STALE, serveWarehouse, warehouseDocument } from './warehouse.mjs';

const folder = await mkdtemp(join(tmpdir(), 'toolcrib-search-'));
const warehouse = await serveWarehouse();
await writeFile(join(folder, 'warehouse.json'), JSON.stringify(warehouseDocument(warehouse.url)));
const gateway = await createGateway(
  {
    name: 'warehouse',
    topology: 'search',
    store: 'none',
    watch: false,
    cache: false,
    sources: { warehouse: { openapi: 'warehouse.json', prefix: 'none', baseUrl: warehouse.url } },
  },
  { baseDirectory: folder },
);
const { url } = await gateway.listen({ port: 0 });
const client = new Client({ name: 'search-topology', version: '1.0.0' });
const changed = Promise.withResolvers();

try {
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    return { ...result, text: result.content.map(({ text }) => text).join('\n') };
  };

  // 1. However many operations there are, the list is four tools.
  const four = ['call_tool', 'describe_tool', 'query_result', 'search_tools'];
  assert.deepEqual(await names(), four);

  // 2. A search answers with one line a hit: name, required arguments, place, purpose.
  const found = await call('search_tools', { query: 'which forklifts are in hall 3' });
  assert.match(found.text, /^listForklift GET \/forklifts: List forklifts by place, newest first$/m);
  const removing = await call('search_tools', { query: 'forklift', intent: 'delete' });
  assert.match(removing.text, /^removeForklift\(id\) DELETE \/forklifts\/\{id\}/);
  assert.deepEqual(await names(), four, 'a hit is not a choice: nothing is added to the list');

  // 3. What it takes is described, and then called with arguments of its own, filtered on the way back.
  const described = await call('describe_tool', { name: 'listForklift' });
  assert.match(described.text, /"place".*Only at this place/);
  const stale = await call('call_tool', {
    name: 'listForklift',
    arguments: { place: 'hall 3' },
    filters: { status: 'stale' },
  });
  assert.notEqual(stale.isError, true, stale.text);
  assert.match(stale.text, new RegExp(`row ${STALE}`));
  assert.doesNotMatch(stale.text, /row 36/);
  assert.deepEqual(warehouse.seen, ['GET /forklifts?place=hall%203']);

  // 4. Arguments that do not fit never leave; a name that is wrong leads to the nearest.
  assert.equal((await call('call_tool', { name: 'readForklift', arguments: { id: 'x' } })).isError, true);
  const unknown = await call('call_tool', { name: 'listForklifts' });
  assert.match(unknown.text, /listForklift/);
  assert.equal(warehouse.seen.length, 1);

  // 5. A client that follows its list finds there what it has used, as a tool of its own.
  await changed.promise;
  const listed = await names();
  assert.ok(listed.includes('listForklift'), listed.join());
  assert.notEqual((await call('listForklift', { place: 'hall 3' })).isError, true);

  console.log(`search-topology: all holds (${listed.length} tools instead of 120)`);
} finally {
  await client.close();
  await gateway.close();
  warehouse.close();
  await rm(folder, { recursive: true, force: true });
}
