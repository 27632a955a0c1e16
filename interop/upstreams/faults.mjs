#!/usr/bin/env node
// A hundred faults in real MCP servers behind Toolcrib: kill -9, a hang, garbage on standard output, each with calls in
// flight. After each the server is back within two seconds, every call has ended once, in the answer and in the
// store, and no write reached the server twice. Node 24. node faults.mjs [--faults 100] [--seed N]
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect, overStdio } from './clients.mjs';
import { stdioServers } from './servers.mjs';

const { values: options } = parseArgs({
  options: { faults: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const TOOLCRIB = fileURLToPath(new URL('../../gateway/bin/toolcrib.mjs', import.meta.url));
const SHIM = fileURLToPath(new URL('shim.mjs', import.meta.url));
/** Longest a server that hangs may be taken for busy. */
const HANG_MS = 600;
/**
 * Recovery counts from the moment in which the fault can be known. Where the machine is so busy that the server's own
 * start takes its part of that, what a start without the gateway takes just then is added.
 */
const RECOVERY_MS = 2000;
/** Longer than any start: what does not come back by then never does. */
const NEVER_MS = 30_000;
const SIGNALS = { kill: 'SIGKILL', hang: 'SIGTTIN', garbage: 'SIGUSR2' };
const directory = mkdtempSync(join(tmpdir(), 'toolcrib-faults-'));
const database = join(directory, 'calls.db');
const logs = { memory: join(directory, 'memory.log'), everything: join(directory, 'everything.log') };
const servers = stdioServers(directory);
/** How calls ended, by code. */
const ends = new Map();
const ALLOWED = new Set(['outcome_unknown', 'upstream_crashed', 'upstream_unavailable', 'upstream_failed']);
let gateway;

try {
  gateway = await startGateway();
  const slowest = {};
  for (let round = 0; round < Number(options.faults); round++) {
    const name = round % 2 === 0 ? 'memory' : 'everything';
    const kind = Object.keys(SIGNALS)[Math.floor(random() * 3)];
    const recovered = await fault(round, name, kind);
    slowest[kind] = Math.max(slowest[kind] ?? 0, recovered);
  }
  await gateway.close();
  checkStore();
  checkWrites();
  console.log(
    `${options.faults} faults; slowest recovery ${JSON.stringify(slowest)} ms; ends ${JSON.stringify(Object.fromEntries(ends))}`,
  );
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await gateway?.close().catch(() => undefined);
  rmSync(directory, { recursive: true, force: true });
}

/** Milliseconds from when the fault could be known to the next answer. */
async function fault(round, name, kind) {
  const calls = [];
  for (let one = 0; one < 4; one++) calls.push(call(name, round, one));
  await wait(random() * 25);
  process.kill(pidOf(name), SIGNALS[kind]);
  const injected = performance.now();
  for (let one = 4; one < 8; one++) calls.push(call(name, round, one));
  const known = injected + (kind === 'hang' ? 2 * HANG_MS : 0);
  let answered;
  while (answered === undefined) {
    const { isError } = await read(name);
    if (!isError) answered = performance.now();
    else if (performance.now() > known + NEVER_MS) break;
    else await wait(20);
  }
  const took = Math.max(0, Math.round((answered ?? Number.POSITIVE_INFINITY) - known));
  const allowed = took <= RECOVERY_MS ? RECOVERY_MS : RECOVERY_MS + (await ownStart(name));
  assert.ok(took <= allowed, `${name} was back ${took} ms after ${kind}, not ${allowed} ms (fault ${round})`);
  for (const result of await Promise.all(calls)) checkEnd(result, name, kind);
  const { tools } = await gateway.listTools();
  assert.ok(
    tools.some((tool) => tool.name.startsWith(`${name}_`)),
    `the tools of ${name} blinked`,
  );
  return took;
}

/** Milliseconds that the server needs to start and list its tools, asked directly. */
async function ownStart(name) {
  const { command, args, env } = servers[name];
  const started = performance.now();
  const client = await connect(
    overStdio(process.execPath, [SHIM, `${logs[name]}.own`, command, ...args], env),
  );
  try {
    await client.listTools();
    const took = Math.round(performance.now() - started);
    console.log(`${name} took ${took} ms to start by itself`);
    return took;
  } finally {
    await client.close();
  }
}

function checkEnd(result, name, kind) {
  const code = result.isError ? result._meta?.['toolcrib/error']?.code : 'ok';
  ends.set(code, (ends.get(code) ?? 0) + 1);
  assert.ok(
    code === 'ok' || ALLOWED.has(code),
    `${name} after ${kind}: ${JSON.stringify(result).slice(0, 300)}`,
  );
}

/** Writes and reads in turn, each write with a name of its own. */
function call(name, round, one) {
  if (one % 2 === 1) return read(name);
  return name === 'memory'
    ? tool('memory_create_entities', {
        entities: [{ name: `w-${round}-${one}`, entityType: 'thing', observations: [] }],
      })
    : tool('everything_trigger-long-running-operation', { duration: 0.05, steps: 1 + one });
}

function read(name) {
  return name === 'memory'
    ? tool('memory_search_nodes', { query: 'nothing' })
    : tool('everything_echo', { message: 'm' });
}

function tool(name, args) {
  return gateway.callTool({ name, arguments: args }, { timeout: 30_000 });
}

/** Committed events: every call that began has one end. */
function checkStore() {
  const store = new DatabaseSync(database, { readOnly: true });
  const rows = store
    .prepare(
      "select type, call_id, count(*) as n from events where type like 'call-%' group by type, call_id",
    )
    .all();
  store.close();
  const of = (test) => rows.filter(({ type }) => test(type));
  const started = of((type) => type === 'call-started');
  const ended = of((type) => type === 'call-completed' || type === 'call-failed');
  assert.ok(started.length >= 8 * Number(options.faults), `only ${started.length} calls were recorded`);
  assert.deepEqual(new Set(ended.map((row) => row.call_id)), new Set(started.map((row) => row.call_id)));
  assert.equal(ended.length, started.length, 'a call ended twice');
}

/** What reached the server: each write once at most. */
function checkWrites() {
  const seen = new Map();
  for (const { call: name, asked } of entriesOf('memory')) {
    if (name !== 'create_entities') continue;
    const key = asked.entities[0].name;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const twice = [...seen].filter(([, count]) => count > 1);
  assert.deepEqual(twice, [], 'writes that reached the server twice');
  assert.ok(seen.size > 0);
}

function pidOf(name) {
  return entriesOf(name).findLast(({ pid }) => pid !== undefined).pid;
}

/** Whole lines: one whose writer was killed in the middle of it tells of a call that was never handed on. */
function entriesOf(name) {
  const lines = readFileSync(logs[name], 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const entries = lines.flatMap(parsed);
  assert.ok(
    lines.length - entries.length <= Number(options.faults),
    'more lines are torn than servers were killed',
  );
  return entries;
}

function parsed(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

async function startGateway() {
  const sources = Object.fromEntries(
    Object.entries(logs).map(([name, log]) => {
      const { command, args, env } = servers[name];
      return [
        name,
        {
          mcp: { command: process.execPath, args: [SHIM, log, command, ...args], env, hang: `${HANG_MS}ms` },
        },
      ];
    }),
  );
  const file = join(directory, 'toolcrib.json');
  writeFileSync(
    file,
    JSON.stringify({
      topology: 'flat',
      store: `sqlite:${database}`,
      stateDirectory: join(directory, 'state'),
      sources,
    }),
  );
  const client = await connect(overStdio(process.execPath, [TOOLCRIB, 'serve', '--config', file, '--stdio']));
  for (const until = Date.now() + 20_000; ; await wait(100)) {
    const { tools } = await client.listTools();
    if (Object.keys(logs).every((name) => tools.some((one) => one.name.startsWith(`${name}_`))))
      return client;
    if (Date.now() > until) throw new Error('the servers did not come up');
  }
}

/** Mulberry32: the same faults for the same seed. */
function random() {
  random.state = ((random.state ?? Number(options.seed)) + 0x6d2b79f5) | 0;
  let t = Math.imul(random.state ^ (random.state >>> 15), 1 | random.state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
