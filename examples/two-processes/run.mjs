// Two gateways on one PostgreSQL: what is asked, decided, counted or taken away at one counts at the other.
// DATABASE_URL says where; without it, a PostgreSQL of its own is started where one is installed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startStock } from '../approvals/service.mjs';
import { commandIn } from '../support/command.mjs';
import { eventsOf } from '../support/event-stream.mjs';

// `.ci/postgres.sh` calls the server that it started TOOLCRIB_TEST_POSTGRES.
const database = process.env.DATABASE_URL ?? process.env.TOOLCRIB_TEST_POSTGRES;
if (database === undefined) process.exit(await withOwnPostgres());

const OPERATOR = 'operator-token-of-this-example';
const stock = await startStock();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-two-'));
const here = import.meta.dirname;
const configuration = await readFile(join(here, 'toolcrib.yaml'), 'utf8');
await writeFile(join(folder, 'toolcrib.yaml'), configuration.replace('../approvals/', './'));
await cp(join(here, '../approvals/stock.yaml'), join(folder, 'stock.yaml'));
const { toolcribJson, serve } = commandIn(folder, { DATABASE_URL: database, OPERATOR_TOKEN: OPERATOR });
const admin = (...words) => toolcribJson('admin', ...words);
const running = [];
const clients = [];

try {
  // 1. An organisation, somebody who calls, somebody who decides: rows of the database, before any gateway runs.
  const organisation = await admin('org', 'add', `Acme ${process.pid}-${Date.now()}`);
  const ann = await admin('user', 'add', 'Ann', '--org', organisation.id, '--role', 'admin');
  const bob = await admin('user', 'add', 'Bob', '--org', organisation.id);
  const bobs = await admin('key', 'add', bob.id);
  const anns = await admin('key', 'add', ann.id, '--approver');

  const [first, second] = await Promise.all([serve('--base-url', stock.url), serve('--base-url', stock.url)]);
  running.push(first, second);
  const api = async (gateway, key, path, init = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(new URL(`/api/v1/${path}`, gateway.url), { ...init, headers });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const connect = async (gateway) => {
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${bobs.key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url), { requestInit }));
    clients.push(client);
    return async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args });
      return { ...result, error: result._meta?.['toolcrib/error'] };
    };
  };
  const atFirst = await connect(first);
  const atSecond = await connect(second);

  // 2. Asked at the first, heard of and decided at the second; the same call goes through at either, once.
  const heard = await eventsOf(new URL('/api/v1/events?type=approval-requested', second.url), {
    authorization: `Bearer ${OPERATOR}`,
  });
  const asked = await atFirst('deleteItem', { id: 1 });
  assert.equal(asked.error.code, 'approval_required');
  const { approval } = asked.error.details;
  await heard.next((event) => event.approval === approval);
  heard.close();
  const body = JSON.stringify({ decision: 'approve' });
  const decided = await api(second, anns.key, `approvals/${approval}/decision`, { method: 'POST', body });
  assert.equal(decided.status, 200, JSON.stringify(decided.body));
  const raced = await Promise.all([atFirst('deleteItem', { id: 1 }), atSecond('deleteItem', { id: 1 })]);
  assert.equal(
    raced.filter(({ error }) => error === undefined).length,
    1,
    'an agreement is good for one call',
  );
  assert.deepEqual(stock.log, ['DELETE 1']);

  // 3. A budget is counted once: three calls a day, wherever they are made.
  const counted = [];
  for (let turn = 0; turn < 4; turn++)
    counted.push(
      (await (turn % 2 === 0 ? atFirst : atSecond)('countItem', { id: 2, count: turn })).error?.code,
    );
  assert.deepEqual(counted, [undefined, undefined, undefined, 'budget_exceeded']);

  // 4. One log, in one order, whoever is asked.
  const logs = await Promise.all(
    [first, second].map((gateway) => api(gateway, OPERATOR, 'events?type=call-completed&limit=50')),
  );
  assert.deepEqual(logs[0].body, logs[1].body);

  // 5. One breaks. The other goes on, and ends what was left open.
  await first.stop('SIGKILL');
  running.shift();
  assert.equal((await atSecond('listItems')).error, undefined);

  // 6. It comes back elsewhere; a key that is revoked at the one is refused by the other, at the next call.
  const third = await serve('--base-url', stock.url);
  running.push(third);
  const atThird = await connect(third);
  assert.equal((await atThird('listItems')).error, undefined);
  const revoked = await api(second, OPERATOR, `keys/${bobs.record.id}`, { method: 'DELETE' });
  assert.ok(revoked.status < 300, JSON.stringify(revoked.body));
  for (const call of [atSecond, atThird]) await assert.rejects(() => call('listItems'));
  assert.equal((await api(third, bobs.key, 'tools')).status, 401);
  console.log('ok  two-processes: one store, and it does not matter which gateway is asked');
} finally {
  await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
  await Promise.all(running.map((gateway) => gateway.stop()));
  stock.close();
  await rm(folder, { recursive: true, force: true });
}

/** This program again, with a PostgreSQL that runs as long as it does. */
async function withOwnPostgres() {
  const [installed] = await Array.fromAsync(glob('/usr/lib/postgresql/*/bin/initdb'));
  if (installed === undefined) {
    console.log('skipped  two-processes: no DATABASE_URL, and PostgreSQL is not installed');
    return 0;
  }
  const home = await mkdtemp(join(tmpdir(), 'toolcrib-postgres-'));
  try {
    const script = join(import.meta.dirname, '..', '..', '.ci', 'postgres.sh');
    const child = spawn(script, [home, process.execPath, import.meta.filename], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
