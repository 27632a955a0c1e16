#!/usr/bin/env node
// Many calls over mixed sources through one serving gateway with its store: memory and handles stay flat, and a SIGTERM
// in the middle of calls loses no call that was answered. node soak.mjs [--calls 200000]; exit 0 when it holds.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freePort } from '../free-port.ts';
import { openInspector } from './inspector.mjs';

const { values: options } = parseArgs({ options: { calls: { type: 'string', default: '200000' } } });
const CALLS = Number(options.calls);
const AT_ONCE = 16;
const SAMPLES = 40;
const TOOLCRIB = fileURLToPath(new URL('../../bin/toolcrib.mjs', import.meta.url));
const UPSTREAM = fileURLToPath(new URL('upstream.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-soak-'));
const database = join(folder, 'soak.db');
const ends = [() => rmSync(folder, { recursive: true, force: true })];

/** What is called in turn: tool, arguments, and what makes the answer right. */
const text = ({ content }) => content.map((block) => block.text ?? '').join('');
const CALL_KINDS = [
  (n) => ['api_getItem', { id: n }, (result) => text(result).startsWith(`{"id":${n},`)],
  (n) => ['up_echo', { n }, (result) => text(result).includes(`echo ${n}`)],
  (n) => ['api_putItem', { id: n, body: { name: `n${n}` } }, (result) => !result.isError],
  (n) => ['up_echo', { n }, (result) => text(result).includes(`echo ${n}`)],
  (n) => ['api_getItem', { id: -n - 1 }, (result) => result.isError === true],
  (n) => ['api_getItem', { id: n }, (result) => text(result).startsWith(`{"id":${n},`)],
  () => ['self_listSources', {}, (result) => !result.isError],
  () => ['api_getItem', {}, (result) => result.isError === true],
];

/** How much more the last quarter may have than the second; what is resident hangs on the machine's allocator too. */
const ROOM = {
  'memory in use, MB': (before) => before * 0.05 + 3,
  'resident, MB': (before) => before * 0.25 + 50,
  handles: () => 2 * AT_ONCE,
  threads: () => 2,
};

try {
  const gateway = await startGateway(await startApi());
  const clients = await Promise.all(['legacy', 'auto'].map((mode) => connect(gateway.mcp, mode)));
  const samples = [];
  const began = performance.now();
  let done = 0;
  await at(AT_ONCE, CALLS, async (n) => {
    await callOne(clients[n % clients.length], n);
    done++;
    if (done % Math.ceil(CALLS / SAMPLES) === 0) samples.push(sample(gateway));
  });
  const seconds = (performance.now() - began) / 1000;
  console.log(`${CALLS} calls in ${seconds.toFixed(0)} s, ${Math.round(CALLS / seconds)} a second`);
  await checkFlat(samples);
  gateway.inspector.close();
  await checkTerm(gateway, clients[0]);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  for (const end of ends.reverse()) await end();
}

/** Reads, writes, failures and large answers, over an API, an MCP server and the gateway's own API. */
async function callOne(client, n) {
  const [name, args, check] = CALL_KINDS[n % CALL_KINDS.length](n);
  const result = await client.callTool({ name, arguments: args });
  if (!check(result)) throw new Error(`${name}: ${JSON.stringify(result).slice(0, 400)}`);
}

async function sample({ pid, inspector }) {
  const { heapUsed, external, rss } = await inspector.memory();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    'memory in use, MB': (heapUsed + external) / 2 ** 20,
    'resident, MB': rss / 2 ** 20,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)[1]),
  };
}

/** The last quarter against the second: the first is warm-up. */
async function checkFlat(pending) {
  const samples = await Promise.all(pending);
  const quarter = (index) => samples.slice((index * samples.length) / 4, ((index + 1) * samples.length) / 4);
  const middle = (list, key) =>
    list.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const [early, late] = [quarter(1), quarter(3)];
  for (const [key, room] of Object.entries(ROOM)) {
    const [before, after] = [middle(early, key), middle(late, key)];
    console.log(`${key}: ${before.toFixed(1)} in the second quarter, ${after.toFixed(1)} in the last`);
    assert.ok(after <= before + room(before), `${key} grows: ${before} to ${after}`);
  }
}

/** What a client was told before the gateway ended stands in the store. */
async function checkTerm(gateway, client) {
  const answered = [];
  let stopping = false;
  const load = at(AT_ONCE, Number.POSITIVE_INFINITY, async (n) => {
    if (stopping && answered.length > 0 && gateway.ended) throw new Error('ended');
    const name = `term-${n}`;
    const { isError } = await client.callTool({ name: 'api_putItem', arguments: { id: n, body: { name } } });
    if (!isError) answered.push(n);
    if (answered.length === 500 && !stopping) {
      stopping = true;
      gateway.child.kill('SIGTERM');
    }
  }).catch(() => undefined);
  const [code, signal] = await once(gateway.child, 'exit');
  gateway.ended = true;
  await Promise.race([load, new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
  assert.equal(signal, null);
  assert.equal(code, 0, `the gateway ended with ${code}`);
  const store = new DatabaseSync(database, { readOnly: true });
  const count = (where) => store.prepare(`select count(*) as n from events where ${where}`).get().n;
  const completed = count('type = \'call-completed\' and body like \'%"tool":"api_putItem"%\'');
  // one pass: looking for the end of each start takes hours over so many
  const open = store
    .prepare(
      "select count(*) as n from (select call_id from events where type in ('call-started', 'call-completed', 'call-failed') group by call_id having sum(type = 'call-started') <> sum(type <> 'call-started'))",
    )
    .get().n;
  store.close();
  const before = Math.floor(CALLS / CALL_KINDS.length);
  assert.ok(
    completed >= before + answered.length,
    `${answered.length} answered after ${before}, ${completed} recorded`,
  );
  assert.equal(open, 0, `${open} calls have no end, or no start`);
  console.log(`SIGTERM with ${AT_ONCE} calls under way: ${answered.length} answered, none lost, none open`);
}

async function startApi() {
  const api = createServer((request, response) => {
    const id = Number(/\/items\/(-?\d+)/.exec(request.url)?.[1]);
    request.resume();
    response.writeHead(id < 0 ? 404 : 200, { 'content-type': 'application/json' });
    const filler = id % 97 === 0 ? 'x'.repeat(100_000) : 'y';
    response.end(JSON.stringify(id < 0 ? { title: 'none' } : { id, filler }));
  });
  await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    api.closeAllConnections();
    return new Promise((resolve) => api.close(resolve));
  });
  return `http://127.0.0.1:${api.address().port}`;
}

async function startGateway(api) {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const ok = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } };
  const body = { content: { 'application/json': { schema: { type: 'object' } } }, required: true };
  writeFileSync(
    join(folder, 'api.json'),
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Api', version: '1' },
      paths: {
        '/items/{id}': {
          parameters: [id],
          get: { operationId: 'getItem', responses: ok },
          put: { operationId: 'putItem', requestBody: body, responses: ok },
        },
      },
    }),
  );
  const sources = {
    api: { openapi: './api.json', baseUrl: api },
    up: { mcp: { command: process.execPath, args: [UPSTREAM] } },
    self: { self: {} },
  };
  const file = join(folder, 'toolcrib.json');
  writeFileSync(
    file,
    JSON.stringify({
      topology: 'flat',
      store: `sqlite:${database}`,
      stateDirectory: join(folder, 'state'),
      sources,
    }),
  );
  const inspected = await freePort();
  const child = spawn(
    process.execPath,
    [`--inspect=127.0.0.1:${inspected}`, TOOLCRIB, 'serve', '--config', file, '--port', '0', '--json'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  child.stderr.on('data', (data) => /debugger|inspector|For help/i.test(data) || process.stderr.write(data));
  ends.push(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const message = JSON.parse(line);
    if (message.type !== 'listening') continue;
    child.stdout.resume();
    const inspector = await openInspector(inspected);
    return { mcp: message.mcp, pid: child.pid, child, inspector, ended: false };
  }
  throw new Error('the gateway ended before it listened');
}

async function connect(url, mode) {
  const client = new Client({ name: 'soak', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  ends.push(() => client.close().catch(() => undefined));
  for (const until = Date.now() + 20_000; ; ) {
    const { tools } = await client.listTools();
    if (tools.some(({ name }) => name === 'up_echo')) return client;
    if (Date.now() > until) throw new Error(`up_echo is not there: ${tools.map(({ name }) => name)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function at(width, count, task) {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
