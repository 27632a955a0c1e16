// Two real gateways on one store, behind a client that asks them in turn. What is changed on one must count on the
// other: access and connections at the next call, the catalog within a second, rate limits together.
// node gateway/test/chaos/two-processes.mjs; the store is SQLite, or PostgreSQL with TOOLCRIB_TEST_POSTGRES.
import { strict as assert } from 'node:assert';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const BIN = fileURLToPath(new URL('../../bin/toolcrib.mjs', import.meta.url));
const LIMIT = { requests: 10, windowMs: 2000 };
const OPERATOR = 'operator-token-of-this-check';
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-two-'));
const store = process.env.TOOLCRIB_TEST_POSTGRES ?? `sqlite:${join(folder, 'shared.db')}`;
const processes = [];
let upstream;
let failed = false;

try {
  upstream = await startUpstream();
  await writeFile(join(folder, 'acme.yaml'), manifest('Lists things.'));
  await writeFile(join(folder, 'toolcrib.yaml'), configuration());
  const { user, key } = await admin('bootstrap', '--organisation', `Two ${Date.now()}`, '--json');
  const keys = { key: key.key };
  await toolcrib('compile', '-c', 'toolcrib.yaml', '--accept');
  const gateways = await Promise.all([serve(), serve()]);
  const clients = await Promise.all(gateways.map(({ url }) => connect(url, keys.key)));
  const api = (index, method, path, body) => request(gateways[index].url, keys.key, method, path, body);

  await check('a connection made on one is used by the other', async () => {
    assert.deepEqual(await toolNames(clients[1]), []);
    const made = await request(gateways[0].url, OPERATOR, 'POST', '/api/v1/connections', {
      organisation: key.record.organisation,
      source: 'acme',
      credentials: { apiKey: { env: 'TWO_PROCESSES_TOKEN' } },
    });
    keys.connection = made.id;
    for (const client of clients) assert.deepEqual(await toolNames(client), ['acme_list_things']);
    for (const client of clients) assert.equal((await call(client)).isError ?? false, false);
  });

  await check('an access taken away on one is refused by the other, at the next call', async () => {
    for (let round = 0; round < 10; round++) {
      const at = round % 2;
      await api(at, 'PUT', '/api/v1/access', { scope: 'category:crm', level: 'disabled' });
      assert.equal((await call(clients[1 - at])).isError, true, 'refused');
      await api(at, 'PUT', '/api/v1/access', { scope: 'category:crm', level: 'read-only' });
      assert.equal((await call(clients[1 - at])).isError ?? false, false, 'allowed again');
    }
  });

  await check(
    'a changed definition that is accepted on one is served by the other within a second',
    async () => {
      await writeFile(join(folder, 'acme.yaml'), manifest('Lists all things.'));
      for (const client of clients) await until(async () => (await toolNames(client)).length === 0, 10_000);
      const owner = await signIn(gateways[0].url);
      await owner('POST', '/api/v1/catalog/accept', {});
      const started = performance.now();
      await until(async () => (await toolNames(clients[1])).length === 1, 1000);
      return `${Math.round(performance.now() - started)} ms`;
    },
  );

  await check('a rate limit holds for both together', async () => {
    await new Promise((resolve) => setTimeout(resolve, LIMIT.windowMs));
    upstream.times.length = 0;
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => call(clients[index % 2])));
    assert.equal(answers.filter(({ isError }) => isError).length, 0);
    const most = mostWithin(upstream.times, LIMIT.windowMs);
    assert.ok(most <= LIMIT.requests, `${most} requests within ${LIMIT.windowMs} ms`);
    return `30 calls, at most ${most} within ${LIMIT.windowMs} ms`;
  });

  await check('every call is in the usage log, whoever carried it out', async () => {
    const { usage } = await api(1, 'GET', '/api/v1/usage?groupBy=user');
    assert.equal(usage.length, 1);
    assert.equal(usage[0].key, user.id);
    assert.ok(usage[0].calls >= 52, `${usage[0].calls} calls`);
    return `${usage[0].calls} calls`;
  });

  await check('a key revoked on one is refused by the other at once', async () => {
    await api(0, 'DELETE', `/api/v1/keys/${key.record.id}`);
    await assert.rejects(() => call(clients[1]));
    await assert.rejects(() => call(clients[0]));
  });

  await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  for (const child of processes) child.kill('SIGTERM');
  await Promise.all(
    processes.map((child) => child.exitCode !== null || new Promise((ended) => child.once('exit', ended))),
  );
  if (processes.some(({ exitCode }) => exitCode !== 0)) {
    failed = true;
    console.error(
      'a gateway did not end in good order:',
      processes.map(({ exitCode }) => exitCode),
    );
  }
  upstream?.server.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(failed ? 'failed' : `two processes on ${store.split(':')[0]}: all checks hold`);
process.exit(failed ? 1 : 0);

async function check(what, work) {
  const note = await work();
  console.log(`ok  ${what}${note === undefined ? '' : ` (${note})`}`);
}

async function startUpstream() {
  const times = [];
  const server = createServer((_request, response) => {
    times.push(performance.now());
    response.setHeader('content-type', 'application/json').end('[{"id":1}]');
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, times, url: `http://127.0.0.1:${server.address().port}` };
}

function manifest(description) {
  return JSON.stringify({
    provider: 'acme',
    displayName: 'Acme',
    category: 'crm',
    baseUrl: upstream.url,
    apiVersion: 'v1',
    auth: { type: 'api-key', headerName: 'X-Token' },
    rateLimit: { requests: LIMIT.requests, windowSeconds: LIMIT.windowMs / 1000 },
    operations: [{ id: 'list_things', method: 'GET', path: '/things', access: 'read', description }],
  });
}

function configuration() {
  return JSON.stringify({
    store,
    stateDirectory: './state',
    auth: { mode: 'team' },
    server: { port: 0, token: { env: 'TWO_PROCESSES_OPERATOR' } },
    lock: { mode: 'quarantine' },
    sources: { acme: { manifest: './acme.yaml', baseUrl: upstream.url, limits: { timeout: '30s' } } },
  });
}

function environment() {
  return {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'xdg'),
    TWO_PROCESSES_TOKEN: 'token-of-acme',
    TWO_PROCESSES_OPERATOR: OPERATOR,
  };
}

async function toolcrib(...words) {
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...words], {
    cwd: folder,
    env: environment(),
  });
  return stdout;
}

async function admin(...words) {
  return JSON.parse(await toolcrib('admin', ...words, '-c', 'toolcrib.yaml'));
}

async function serve() {
  const child = spawn(process.execPath, [BIN, 'serve', '-c', 'toolcrib.yaml', '--json'], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line);
    if (said.type === 'listening') {
      child.stdout.resume();
      return { url: said.url };
    }
  }
  throw new Error('the gateway ended before it listened');
}

async function connect(url, key) {
  const client = new Client({ name: 'two-processes', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return client;
}

async function toolNames(client) {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** A refused tool is an error of the call or of the protocol, as the tool is still listed or not. */
async function call(client) {
  try {
    return await client.callTool({ name: 'acme_list_things', arguments: {} });
  } catch (error) {
    if (/401|nauthor/.test(String(error.message))) throw error;
    return { isError: true, error };
  }
}

async function request(url, key, method, path, body) {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** As the owner of this machine, by a one-time code: what accepts definitions is no credential that calls tools. */
async function signIn(url) {
  const words = ['console', '-c', 'toolcrib.yaml', '--print', '--url', new URL(url).origin];
  const code = /#code=(\S+)/.exec(await toolcrib(...words))[1];
  const headers = { 'content-type': 'application/json' };
  const opened = await fetch(new URL('/api/v1/session', url), {
    method: 'POST',
    headers,
    body: JSON.stringify({ code }),
  });
  const session = await opened.json();
  assert.equal(session.kind, 'owner', JSON.stringify(session));
  const cookie = opened.headers.getSetCookie()[0].split(';')[0];
  return async (method, path, body) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...headers, cookie, 'x-csrf-token': session.csrf },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`);
  };
}

async function until(holds, limitMs) {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function mostWithin(times, windowMs) {
  return Math.max(
    ...times.map((start) => times.filter((time) => time >= start && time < start + windowMs).length),
  );
}
