// Two users of one organisation share a Greenhouse account: Ann may write, Bob may read. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { commandIn } from '../support/command.mjs';
import { API_KEY, startGreenhouse } from './greenhouse.mjs';

const greenhouse = await startGreenhouse();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-team-'));
const configuration = await readFile(join(import.meta.dirname, 'toolcrib.yaml'), 'utf8');
await writeFile(
  join(folder, 'toolcrib.yaml'),
  configuration.replace('http://127.0.0.1:8790/v1', greenhouse.url),
);
// The key of the account is in the environment of the gateway, and nowhere else.
const { toolcrib, toolcribJson, serve } = commandIn(folder, { GREENHOUSE_KEY: API_KEY });
const admin = (...words) => toolcribJson('admin', ...words);
let gateway;
const clients = [];

try {
  // 1. An organisation with its admin, and a second user.
  const {
    organisation,
    user: ann,
    key: annsKey,
  } = await admin('bootstrap', '--organisation', 'Acme', '--name', 'Ann');
  const bob = await admin('user', 'add', 'Bob', '--org', organisation.id);
  const bobsKey = await admin('key', 'add', bob.id, '--name', 'laptop', '--expires', '30');

  // 2. The organisation's account: the record names the variable, not the key. Ann is user 158104 at Greenhouse.
  const credentials = { apiKey: { env: 'GREENHOUSE_KEY' } };
  const account = await admin(
    ...['connection', 'add', 'greenhouse', '--org', organisation.id],
    ...['--credentials', JSON.stringify(credentials)],
  );
  await admin('connection', 'map', account.id, ann.id, '158104');

  // 3. The organisation allows writing, users start by reading (toolcrib.yaml). Ann chooses to write.
  await admin('access', 'set', 'ats', 'read-write', '--org', organisation.id, '--user', ann.id);

  gateway = await serve();
  const api = async (key, method, path, body) => {
    const response = await fetch(new URL(path, gateway.url), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...(await response.json()) };
  };
  const connect = async (key) => {
    const client = new Client({ name: 'team', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url), { requestInit }));
    clients.push(client);
    return client;
  };
  assert.equal((await fetch(new URL('/api/v1/tools', gateway.url))).status, 401);

  // 4. What each of them sees.
  const asAnn = await connect(annsKey.key);
  const asBob = await connect(bobsKey.key);
  assert.equal((await asAnn.listTools()).tools.length, 29);
  assert.equal((await asBob.listTools()).tools.length, 16);
  const profile = await api(bobsKey.key, 'GET', '/api/skills/config');
  assert.equal(profile.atsProvider, 'greenhouse');
  assert.equal(profile.effectiveAccess.ats, 'read-only');

  // 5. A call each way. Greenhouse learns who acts from the mapping; no argument can say it.
  const jobs = await asBob.callTool({ name: 'greenhouse_list_jobs', arguments: { status: 'open' } });
  assert.match(jobs.content[0].text, /Compiler engineer/);
  const ada = { first_name: 'Ada', last_name: 'Lovelace' };
  const created = await asAnn.callTool({ name: 'greenhouse_create_candidate', arguments: ada });
  assert.notEqual(created.isError, true);
  assert.deepEqual(greenhouse.requests.at(-1), { line: 'POST /v1/candidates', actingUser: '158104' });

  // What is not offered cannot be called either, and Greenhouse hears nothing of it.
  const heard = greenhouse.requests.length;
  const refused = await asBob.callTool({ name: 'greenhouse_create_candidate', arguments: ada });
  assert.match(refused.content[0].text, /tool_forbidden: .*user-level: needs read-write, has read-only/);
  assert.equal(greenhouse.requests.length, heard);

  // 6. The same through the proxy: the operation decides, not the route.
  const proxy = (key, method, path, body) =>
    api(key, 'POST', '/api/v1/ats/proxy', { provider: 'greenhouse', method, path, body });
  assert.equal(
    (await proxy(bobsKey.key, 'POST', '/candidates', ada)).error.message,
    'You have read-only access to the ATS',
  );
  assert.equal(
    (await proxy(annsKey.key, 'GET', '/users')).error.message,
    'Access to this endpoint is not allowed',
  );
  assert.equal(greenhouse.requests.length, heard);
  const listed = await proxy(bobsKey.key, 'GET', '/candidates');
  assert.deepEqual(
    listed.data.map(({ first_name }) => first_name),
    ['Grace', 'Ada'],
  );

  // 7. Why Bob may not: every check with its value, and what would change it.
  const { checks } = await api(bobsKey.key, 'GET', '/api/v1/tools/greenhouse_create_candidate/explain');
  const failed = checks.filter(({ passes }) => !passes);
  assert.deepEqual(
    failed.map(({ check, value }) => [check, value]),
    [
      ['user-level', 'read-only (category:ats)'],
      ['access', 'read-only'],
    ],
  );
  const explained = await toolcrib('explain', 'greenhouse_create_candidate', '--as', bob.id);
  assert.match(explained, /FAIL {2}user-level/);

  // 8. One usage row a call, refused ones too.
  const { usage } = await api(annsKey.key, 'GET', '/api/v1/usage?groupBy=user');
  const rows = Object.fromEntries(usage.map(({ key, calls, errors }) => [key, { calls, errors }]));
  assert.deepEqual(rows, { [ann.id]: { calls: 2, errors: 1 }, [bob.id]: { calls: 4, errors: 2 } });

  // 9. What is taken away is gone at the next call, in sessions that are open.
  await admin('key', 'revoke', bobsKey.record.id);
  await assert.rejects(asBob.callTool({ name: 'greenhouse_list_jobs', arguments: {} }));
  await admin('access', 'set', 'ats', 'disabled', '--org', organisation.id);
  const late = await asAnn.callTool({ name: 'greenhouse_list_jobs', arguments: {} });
  assert.match(late.content[0].text, /admin-level: needs read-only, has disabled/);

  // 10. No key stands in what was written.
  const written = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of written.filter((one) => one.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name));
    const found = [API_KEY, annsKey.key, bobsKey.key].filter((secret) => bytes.includes(secret));
    assert.deepEqual(found, [], file.name);
  }
  console.log('ok  team: two users, one account, each as far as admin and user allow');
} finally {
  for (const client of clients) await client.close().catch(() => undefined);
  await gateway?.stop();
  greenhouse.close();
  await rm(folder, { recursive: true, force: true });
}
