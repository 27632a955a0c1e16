#!/usr/bin/env node
// People sign in to the console at Glewlwyd, an OpenID provider in C that nobody here wrote, as Debian packages it: by RSA
// with a secret in the header, in the form and with none, and by ECDSA with an issuer that names itself in its answers.
// Node 24; exit 0 when all holds, or when Glewlwyd is not installed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { commandIn } from '../../examples/support/command.mjs';

/** What Debian makes the tables with. */
const TABLES = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
const SECRET = 'a secret: 100% +';
const CLIENTS = [
  { id: 'header', secret: 'plain-secret', method: 'client_secret_basic', console: {} },
  { id: 'form', secret: SECRET, method: 'client_secret_post', console: { clientAuthentication: 'body' } },
  { id: 'public', console: {} },
];

if (!existsSync(TABLES)) {
  console.log('glewlwyd is not installed: its part is left out');
  process.exit();
}
const [port, team] = [await freePort(), `http://127.0.0.1:${await freePort()}`];
const at = `http://127.0.0.1:${port}`;
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-glewlwyd-'));
let provider;
try {
  provider = await startGlewlwyd();
  await configured();
  for (const client of CLIENTS) await consoleOf('rsa', client);
  await consoleOf('ecdsa', CLIENTS[0]);
  const { toolcribJson } = await teamAt('shared', CLIENTS[0]);
  const { findings } = await toolcribJson('doctor').catch(({ stdout }) => JSON.parse(stdout));
  assert.match(JSON.stringify(findings), /signs ID tokens with a secret that it shares/);
  console.log('ok  the doctor knows an issuer whose signatures do not count');
  console.log('\nall holds');
} finally {
  provider?.kill();
  await rm(folder, { recursive: true, force: true });
}

/** Somebody signs in: first unknown, then known by the subject that the page told. */
async function consoleOf(issuer, client) {
  const { toolcribJson, serve, organisation } = await teamAt(issuer, client);
  const gateway = await serve('--port', new URL(team).port);
  try {
    const stranger = await signIn(client.id);
    const [, subject] = /your --subject is ([\w-]+)/.exec(stranger.page) ?? [];
    assert.ok(subject !== undefined, stranger.page);
    await toolcribJson('admin', 'user', 'add', 'Ann', '--org', organisation.id, '--subject', subject);
    const { session, page } = await signIn(client.id);
    assert.deepEqual([session.principal?.name, session.openedWith], ['Ann', 'provider'], page);
    console.log(
      `ok  ${issuer}, the client ${client.id}: a stranger is told the subject, and whoever has it signs in`,
    );
  } finally {
    await gateway.stop();
  }
}

async function teamAt(issuer, { id, secret, console }) {
  const own = await mkdtemp(join(folder, 'team-'));
  const paths = { '/menu': { get: { operationId: 'menu', responses: { 200: { description: 'ok' } } } } };
  const servers = [{ url: team }];
  const document = { openapi: '3.1.0', info: { title: 'Canteen', version: '1' }, servers, paths };
  const clientSecret = secret === undefined ? {} : { clientSecret: { env: 'CONSOLE_SECRET' } };
  const jwt = {
    issuer: `${at}/api/${issuer}`,
    audience: `${team}/mcp`,
    console: { clientId: id, ...clientSecret, ...console },
  };
  const configuration = {
    egress: { allow: ['127.0.0.1'] },
    auth: { mode: 'team', jwt },
    server: { publicUrl: team },
    sources: { canteen: { openapi: './canteen.json' } },
  };
  await writeFile(join(own, 'canteen.json'), JSON.stringify(document));
  await writeFile(join(own, 'toolcrib.yaml'), JSON.stringify(configuration));
  const command = commandIn(own, { CONSOLE_SECRET: secret ?? '' });
  const { organisation } = await command.toolcribJson(
    ...['admin', 'bootstrap', '--organisation', 'Company', '--name', 'Root'],
  );
  return { ...command, organisation };
}

/** As the login page does: signs in, agrees, goes on. */
async function signIn(client) {
  const begun = await fetch(`${team}/sign-in/provider?back=/tools`, { redirect: 'manual' });
  const person = await signedIn('ann', 'password of ann');
  await person('PUT', `/auth/grant/${client}`, { scope: 'openid' });
  const asked = `${begun.headers.get('location').replace(at, '').replace('/api', '')}&g_continue`;
  const there = await person('GET', asked);
  const back = there.headers.get('location') ?? '';
  assert.ok(back.startsWith(`${team}/sign-in/answer?`), `${there.status} ${back}`);
  const answer = await fetch(back, { redirect: 'manual', headers: { cookie: cookiesOf(begun) } });
  const opened = await fetch(`${team}/api/v1/session`, { headers: { cookie: cookiesOf(answer) } });
  return { page: await answer.text(), session: await opened.json() };
}

/** Asks as somebody who is signed in there. */
async function signedIn(username, password) {
  let cookie = '';
  const ask = async (method, path, body) => {
    const headers = { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${at}/api${path}`, { method, headers, redirect: 'manual', ...sent });
  };
  const answer = await ask('POST', '/auth/', { username, password });
  assert.equal(answer.status, 200, username);
  cookie = cookiesOf(answer);
  return ask;
}

async function startGlewlwyd() {
  const database = join(folder, 'glewlwyd.db');
  const tables = new DatabaseSync(database);
  tables.exec(readFileSync(TABLES, 'utf8'));
  tables.close();
  const path = (kind) =>
    `${kind}_module_path = "/usr/lib/glewlwyd/${kind === 'user_auth_scheme' ? 'scheme' : kind}"`;
  const settings = [
    `port = ${port}`,
    'bind_address = "127.0.0.1"',
    `external_url = "${at}"`,
    'login_url = "login.html"',
    'api_prefix = "api"',
    'log_mode = "console"',
    'log_level = "WARNING"',
    'session_key = "GLEWLWYD2_SESSION_ID"',
    'admin_scope = "g_admin"',
    'profile_scope = "g_profile"',
    'hash_algorithm = "SHA512"',
    ...['user', 'client', 'user_auth_scheme', 'plugin'].map(path),
    `database = { type = "sqlite3"; path = "${database}"; };`,
  ];
  const file = join(folder, 'glewlwyd.conf');
  await writeFile(file, settings.join('\n'));
  const child = spawn('glewlwyd', [`--config-file=${file}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  let isUp = false;
  for (let tries = 0; tries < 100 && !isUp; tries++) {
    isUp = await fetch(`${at}/config`).then(
      ({ ok }) => ok,
      () => pause(100, false),
    );
  }
  if (isUp) return child;
  child.kill();
  throw new Error('glewlwyd did not start');
}

/** As an administrator does in its pages. */
async function configured() {
  // of a new database
  const admin = await signedIn('admin', 'password');
  const made = async (path, body) => {
    const { status } = await admin('POST', path, body);
    assert.equal(status, 200, path);
  };
  const ann = {
    username: 'ann',
    name: 'Ann Lee',
    password: 'password of ann',
    enabled: true,
    scope: ['openid'],
  };
  await made('/user/', ann);
  for (const { id, secret, method } of CLIENTS) {
    await made('/client/', {
      client_id: id,
      name: id,
      enabled: true,
      confidential: secret !== undefined,
      ...(secret === undefined ? {} : { client_secret: secret, token_endpoint_auth_method: [method] }),
      redirect_uri: [`${team}/sign-in/answer`],
      authorization_type: ['code'],
      scope: [],
    });
  }
  const rsa = keysOf('rsa', { modulusLength: 2048 });
  await made('/mod/plugin/', plugin('rsa', { 'jwt-type': 'rsa', ...rsa }));
  const ecdsa = keysOf('ec', { namedCurve: 'P-256' });
  await made('/mod/plugin/', plugin('ecdsa', { 'jwt-type': 'ecdsa', ...ecdsa, 'oauth-as-iss-id': true }));
  await made(
    '/mod/plugin/',
    plugin('shared', { 'jwt-type': 'sha', key: 'a key of this run that is long enough' }),
  );
}

function plugin(name, parameters) {
  const flow = {
    'auth-type-code-enabled': true,
    'pkce-allowed': true,
    'pkce-required': true,
    'jwks-show': true,
  };
  const times = { 'access-token-duration': 3600, 'refresh-token-duration': 3600, 'code-duration': 600 };
  const claims = {
    'name-claim': 'no',
    'email-claim': 'no',
    'scope-claim': 'no',
    'address-claim': { type: 'no' },
  };
  const own = { iss: `${at}/api/${name}`, 'subject-type': 'public', 'jwt-key-size': '256' };
  return {
    module: 'oidc',
    name,
    display_name: name,
    parameters: { ...own, ...flow, ...times, ...claims, ...parameters },
  };
}

function keysOf(type, options) {
  const { privateKey, publicKey } = generateKeyPairSync(type, {
    ...options,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { key: privateKey, cert: publicKey };
}

function cookiesOf(answer) {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}
