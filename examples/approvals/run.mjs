// A client asks, a person decides elsewhere, the API sees exactly what was agreed to. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { commandIn } from '../support/command.mjs';
import { startStock } from './service.mjs';
import { followTasks } from './tasks.mjs';

const stock = await startStock();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-approvals-'));
const configuration = await readFile(join(import.meta.dirname, 'toolcrib.yaml'), 'utf8');
await writeFile(join(folder, 'toolcrib.yaml'), configuration.replace('http://127.0.0.1:8791', stock.url));
await cp(join(import.meta.dirname, 'stock.yaml'), join(folder, 'stock.yaml'));
const { toolcrib, toolcribJson, serve } = commandIn(folder);
const client = new Client({ name: 'agent', version: '1.0.0' });
let gateway;

try {
  gateway = await serve();
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url)));
  const call = async (name, args) => {
    const result = await client.callTool({ name: `stock_${name}`, arguments: args });
    return result._meta?.['toolcrib/error'] ?? { code: 'ok', meta: result._meta };
  };

  // 1. Reading is free, and so is the write that a rule lets through. A delete waits.
  assert.equal((await call('listItems', {})).code, 'ok');
  assert.equal((await call('countItem', { id: 1, count: 5 })).code, 'ok');
  const asked = await call('deleteItem', { id: 1 });
  assert.equal(asked.code, 'approval_required');

  // 2. The model says that it may, and asks the route that decides.
  assert.notEqual((await call('deleteItem', { id: 1, approved: true })).code, 'ok');
  const { approval } = asked.details;
  const decision = new URL(`/api/v1/approvals/${approval}/decision`, gateway.url);
  const body = JSON.stringify({ decision: 'approve' });
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(decision, { method: 'POST', headers, body })).status, 403);
  assert.deepEqual(stock.log, ['PUT 1']);

  // 3. A person looks at the card and agrees, in another process. The same call goes through, once.
  const { approvals } = await toolcribJson('approvals', 'list');
  assert.equal(approvals[0].card.title, 'Destructive call: stock_deleteItem');
  await toolcrib('approvals', 'approve', approval);
  assert.equal((await call('deleteItem', { id: 1 })).code, 'ok');
  assert.equal((await call('deleteItem', { id: 1 })).code, 'approval_required');
  assert.deepEqual(stock.log, ['PUT 1', 'DELETE 1']);

  // 4. Another person gets a link: the page decides once, and they change what is deleted.
  const second = await call('deleteItem', { id: 2 });
  const { url } = await toolcribJson('approvals', 'link', second.details.approval);
  const page = new URL(new URL(url).pathname, gateway.url);
  assert.match(await (await fetch(page)).text(), /stock_deleteItem/);
  const form = new URLSearchParams({ decision: 'edit', arguments: '{"id": 3}' });
  assert.match(await (await fetch(page, { method: 'POST', body: form })).text(), /Approved/);
  const edited = await call('deleteItem', { id: 2 });
  assert.equal(edited.meta['toolcrib/edited'].approval, second.details.approval);
  assert.deepEqual(stock.log, ['PUT 1', 'DELETE 1', 'DELETE 3']);

  // 5. Somebody refuses.
  const third = await call('deleteItem', { id: 2 });
  await toolcrib('approvals', 'reject', third.details.approval, '--reason', 'It is the last one.');
  assert.equal((await call('deleteItem', { id: 2 })).code, 'approval_rejected');
  assert.equal(stock.log.length, 3);

  // 6. A client that follows tasks waits for nobody: its call goes on, and is carried out once somebody agrees.
  const tasks = followTasks(new URL('/mcp', gateway.url));
  const { taskId } = await tasks.request('tools/call', { name: 'stock_deleteItem', arguments: { id: 2 } });
  const { statusMessage } = await tasks.request('tasks/get', { taskId });
  await toolcrib('approvals', 'approve', /approval ([0-9a-f]{32})/.exec(statusMessage)[1]);
  const { status, result } = await tasks.ended(taskId);
  assert.deepEqual([status, result.isError ?? false], ['completed', false]);
  assert.deepEqual(stock.log.slice(3), ['DELETE 2']);
  console.log('ok  approvals: a person decides, the model cannot, and each agreement is good for one call');
} finally {
  await client.close().catch(() => undefined);
  await gateway?.stop();
  stock.close();
  await rm(folder, { recursive: true, force: true });
}
