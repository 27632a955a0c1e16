// One storage API in three topologies, with its hints, its roles and a feature to switch. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { commandIn } from '../support/command.mjs';
import { startStorage } from './service.mjs';

const storage = await startStorage();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-storage-'));
for (const name of ['storage.yaml', 'toolcrib.yaml'])
  await cp(join(import.meta.dirname, name), join(folder, name));
const { toolcrib, toolcribJson, serve } = commandIn(folder, { STORAGE_TOKEN: 'operator-token' });
const here = ['--base-url', storage.url];
const clients = [];
let gateway;

/** A client of the gateway in one topology; `changed` says when its list is another. */
async function connect(topology) {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const changed = Promise.withResolvers();
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve());
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp?topology=${topology}`, gateway.url)));
  clients.push(client);
  return {
    changed: changed.promise,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args });
      const text = result.content.map(({ text }) => text).join('\n');
      return { text, error: result._meta?.['toolcrib/error'] };
    },
  };
}

try {
  gateway = await serve(...here);

  // 1. The same operations in three forms.
  const [hybrid, base, categories] = await Promise.all(['hybrid', 'base', 'categories'].map(connect));
  const byCategory = ['manage_images', 'manage_pools', 'manage_servers'];
  assert.deepEqual(await base.names(), ['call_api_endpoint', 'get_reference_schema', 'list_api_endpoints']);
  assert.deepEqual(await categories.names(), [...byCategory, 'query_result']);
  assert.deepEqual(await hybrid.names(), [
    'call_endpoint',
    'get_schema',
    'list_endpoints',
    ...byCategory,
    'query_result',
  ]);
  const { topologies } = await toolcribJson('tokens', ...here);
  assert.ok(topologies.find(({ name }) => name === 'base').tokens < 500);

  // 2. Hints stand where they help: what comes before, what goes wrong.
  const listed = await hybrid.call('list_endpoints', { search: 'create an image', include_hints: true });
  assert.match(listed.text, /^createImage\(name, pool, gib\) POST \/images/m);
  assert.match(listed.text, /listPools shows whether the pool has room/);

  // 3. 120 rows are a summary; what fits a filter is given whole. In every form it is the same operation.
  const many = JSON.parse((await categories.call('manage_images', { action: 'list' })).text);
  assert.equal(many.total_count, 120);
  assert.deepEqual(many.summary.by_state, { mounted: 12, idle: 108 });
  const mounted = await base.call('call_api_endpoint', {
    operation: 'listImages',
    arguments: { pool: 'fast' },
    filters: { state: 'mounted' },
  });
  assert.match(mounted.text, /"total_count":6/);

  // 4. The account may not everything, and the service was asked what: nothing else is offered, found or called.
  const everything = await hybrid.call('list_endpoints', { limit: 100 });
  assert.doesNotMatch(everything.text, /deletePool|startMaintenance|Snapshot/);
  const refused = await base.call('call_api_endpoint', {
    operation: 'deletePool',
    arguments: { pool: 'fast' },
  });
  assert.equal(refused.error.code, 'operation_unknown');
  const viewer = commandIn(folder, { STORAGE_TOKEN: 'viewer-token' });
  const tools = await viewer.toolcribJson('tools', '--topology', 'flat', ...here);
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['getImage', 'getPool', 'listImages', 'listPools', 'listServers'],
  );

  // 5. A hint makes a call wait for a person, with the reason that the document gives.
  const restart = { action: 'restartServer', resource_id: 'node-1' };
  const asked = await hybrid.call('manage_servers', restart);
  assert.equal(asked.error.code, 'approval_required');
  assert.match(asked.error.message, /Clients lose their connections for about two minutes/);
  assert.deepEqual(storage.log, []);
  await toolcrib('approvals', 'approve', asked.error.details.approval);
  assert.equal((await hybrid.call('manage_servers', restart)).error, undefined);
  assert.deepEqual(storage.log, ['POST /servers/node-1/restart']);

  // 6. A feature that is switched on is there for clients that are connected already.
  await toolcrib('features', 'on', 'storage.snapshots');
  await hybrid.changed;
  assert.ok((await hybrid.names()).includes('manage_snapshots'));
  const frozen = await hybrid.call('manage_snapshots', { action: 'create', data: { image: 'image-0' } });
  assert.equal(frozen.error, undefined, frozen.text);
  await toolcrib('features', 'off', 'storage.snapshots');
  const off = await base.call('call_api_endpoint', { operation: 'listSnapshots' });
  assert.equal(off.error.code, 'operation_unknown');
  assert.deepEqual(storage.log, ['POST /servers/node-1/restart', 'POST /snapshots']);
  console.log('ok  storage: three topologies of one API, and its hints and roles only take away');
} finally {
  await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
  await gateway?.stop();
  storage.close();
  await rm(folder, { recursive: true, force: true });
}
