#!/usr/bin/env node
// Toolcrib before oidc-provider, a certified OpenID provider that nobody here wrote: as what clients sign in to, and as
// the client that signs in. Node 24; exit 0 when all holds.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { commandIn } from '../../examples/support/command.mjs';
import { agree } from './person.mjs';
import { CONSOLE, FOR_A_RESOURCE, MACHINE, startProvider } from './provider.mjs';

const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
let provider = await startProvider({ team: publicUrl });
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-identity-'));
const notes = await startNotes();
const stops = [];

try {
  await notesOfAPerson();
  await notesOfAMachine();
  await teamWhoseClientsSignIn();
  console.log('\nall holds');
} finally {
  for (const stop of stops.reverse()) await stop();
  await notes.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
}

/** A source behind OpenID Connect: signed in once, renewed with rotating refresh tokens, shared by processes. */
async function notesOfAPerson() {
  const { toolcribJson, overStdio, own } = await folderWith('person', {
    sources: {
      notes: {
        openapi: './notes.json',
        credentials: {
          oauth2: {
            clientId: 'notes-app',
            scopes: ['openid', 'offline_access', 'notes.read'],
            tokenFile: './kept/notes.json',
          },
        },
      },
    },
  });
  await login(overStdio, 'notes', 'ann');
  const read = async () => (await toolcribJson('call', 'notes_readNotes')).structured;
  assert.deepEqual(await read(), { of: 'ann', scope: 'openid offline_access notes.read' });
  // two processes at once, and the refresh token can be used once
  notes.forget();
  assert.deepEqual(
    (await Promise.all([read(), read()])).map(({ of }) => of),
    ['ann', 'ann'],
  );
  assert.equal(provider.count('grant.success refresh_token'), 1, provider.events.join('\n'));
  notes.forget();
  assert.equal((await read()).of, 'ann');
  assert.equal(provider.count('grant.success refresh_token'), 2);
  assert.equal(provider.count('grant.revoked'), 0);
  assert.equal(provider.events.filter((event) => event.startsWith('grant.error')).length, 0);
  console.log(
    'ok  a source behind OpenID Connect: signed in once, renewed by two processes with a rotating token',
  );
  const { accessToken, refreshToken } = JSON.parse(await readFile(join(own, 'kept', 'notes.json'), 'utf8'));
  const isGood = async (token) => (await provider.introspect(token)).active;
  assert.deepEqual([await isGood(refreshToken), await isGood(accessToken)], [true, true]);
  assert.equal((await toolcribJson('logout', 'notes')).revoked, true);
  assert.deepEqual([await isGood(refreshToken), await isGood(accessToken)], [false, false]);
  console.log('ok  who signs out has tokens that are good for nothing');
}

/** Client credentials with a secret of every awkward character, by both ways to show it. */
async function notesOfAMachine() {
  for (const way of ['basic', 'post']) {
    const { toolcribJson } = await folderWith(`machine-${way}`, {
      sources: {
        notes: {
          openapi: './notes.json',
          credentials: {
            oauth2: {
              clientId: `${MACHINE.id} ${way}`,
              clientSecret: { env: 'NOTES_SECRET' },
              scopes: ['notes.read'],
              tokenUrl: `${provider.url}/token`,
              ...(way === 'post' ? { clientAuthentication: 'body' } : {}),
            },
          },
        },
      },
    });
    const { structured } = await toolcribJson('call', 'notes_readNotes');
    assert.deepEqual(structured, { of: `${MACHINE.id} ${way}`, scope: 'notes.read' });
    console.log(`ok  client credentials, client_secret_${way}`);
  }
}

/** A team's gateway is the resource server; the official client and another gateway find everything by themselves. */
async function teamWhoseClientsSignIn() {
  const { toolcribJson, serve } = await folderWith('team', {
    auth: {
      mode: 'team',
      jwt: {
        issuer: provider.url,
        audience: `${publicUrl}/mcp`,
        scopes: ['tools', 'offline_access'],
        console: { clientId: CONSOLE.id, clientSecret: { env: 'CONSOLE_SECRET' } },
      },
    },
    server: { publicUrl },
    sources: { canteen: { openapi: './canteen.json', access: [{ operation: '*', access: 'read' }] } },
  });
  const { organisation } = await toolcribJson(
    'admin',
    'bootstrap',
    '--organisation',
    'Company',
    '--name',
    'Ann',
  );
  await toolcribJson('admin', 'user', 'add', 'Bob', '--org', organisation.id, '--subject', 'bob');
  const { findings } = await toolcribJson('doctor');
  const signIn = findings.find(({ check }) => check === 'client sign-in');
  assert.equal(signIn.status, 'ok', JSON.stringify(signIn));
  const gateway = await serve('--port', String(port));
  stops.push(() => gateway.stop());

  assert.match(await menuAs(gateway, 'bob'), /Lentil soup/);
  console.log('ok  the official client registers, signs in with PKCE for this resource, and calls');
  await assert.rejects(menuAs(gateway, 'eve'), /user_refused.*--subject is eve/s);
  console.log('ok  whoever is not in the directory is told whom to ask');

  const elsewhere = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${await provider.tokenFor('https://payroll.example')}` },
  });
  assert.equal(elsewhere.status, 401);
  assert.match(elsewhere.headers.get('www-authenticate'), /error="invalid_token"/);
  console.log('ok  a token for another resource opens nothing');

  const bob = await openConsole('bob');
  assert.deepEqual([bob.session.principal?.name, bob.session.openedWith], ['Bob', 'provider'], bob.page);
  const stranger = await openConsole('eve');
  assert.deepEqual([stranger.status, stranger.session.signedIn], [403, false]);
  assert.match(stranger.page, /your --subject is eve/);
  console.log('ok  people sign in to the console, and a stranger is told whom to ask');

  const other = await folderWith('desktop', {
    sources: {
      team: {
        mcp: {
          url: new URL('/mcp', gateway.url).href,
          oauth: { tokenFile: './kept/team.json' },
        },
      },
    },
  });
  await login(other.overStdio, 'team', 'bob');
  const [before, ended] = ['grant.success refresh_token', 'grant.revoked'].map(provider.count);
  const menu = async () => JSON.stringify(await other.toolcribJson('call', 'team_canteen_todaysMenu'));
  assert.match(await menu(), /Lentil soup/);
  await pause(FOR_A_RESOURCE * 1_000);
  assert.match(await menu(), /Lentil soup/);
  assert.ok(provider.count('grant.success refresh_token') > before, provider.events.join('\n'));
  assert.equal(provider.count('grant.revoked'), ended);
  // the access token is a JWT, which nobody can end; the refresh token is ended all the same
  assert.equal((await other.toolcribJson('logout', 'team')).revoked, true);
  assert.match(String(await menu().catch(({ stdout }) => stdout)), /authorization_required/);
  console.log('ok  another gateway registers, signs in, renews and signs out');

  // the provider starts anew with other keys, and has forgotten every client
  const { port: same } = provider;
  await provider.close();
  provider = await startProvider({ port: same, team: publicUrl });
  // an unknown key has them fetched again, at most every 30 seconds
  const until = Date.now() + 40_000;
  let answer;
  do answer = await menuAs(gateway, 'bob').catch((error) => error);
  while (answer instanceof Error && Date.now() < until && (await pause(2_000, true)));
  assert.match(String(answer), /Lentil soup/);
  console.log('ok  tokens of new keys count without a restart');
}

/** The official client, told nothing but the address; what today's menu says. */
async function menuAs(gateway, login) {
  const kept = {};
  const keep = (more) => void Object.assign(kept, more);
  const authProvider = {
    redirectUrl: 'http://127.0.0.1:9/callback',
    clientMetadata: {
      client_name: 'an agent',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:9/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => keep({ client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => keep({ tokens }),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier) => keep({ verifier }),
    discoveryState: () => kept.discovered,
    saveDiscoveryState: (discovered) => keep({ discovered }),
    redirectToAuthorization: (asked) => keep({ asked }),
  };
  const transport = () => new StreamableHTTPClientTransport(new URL('/mcp', gateway.url), { authProvider });
  const sent = transport();
  await assert.rejects(new Client({ name: 'agent', version: '1.0.0' }).connect(sent), /Unauthorized/i);
  const end = await agree(kept.asked.href, login, ({ port }) => port === '9');
  await sent.finishAuth(new URL(end).searchParams);
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(transport());
  try {
    const { content } = await client.callTool({ name: 'canteen_todaysMenu', arguments: {} });
    return content[0].text;
  } finally {
    await client.close();
  }
}

/** A browser that opens the console, and is sent to the provider; what it sees and who it is then. */
async function openConsole(login) {
  const jar = new Map();
  const get = (address) =>
    fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
    });
  const here = ({ origin, pathname }) => origin === publicUrl && pathname !== '/sign-in/provider';
  const back = await agree(`${publicUrl}/sign-in/provider?back=/approvals`, login, here, jar);
  const answer = await get(back);
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
    jar.set(name, value);
  }
  const session = await (await get(`${publicUrl}/api/v1/session`)).json();
  return { status: answer.status, page: await answer.text(), session };
}

/** `toolcrib login NAME`, with somebody at its address. */
async function login(overStdio, name, who) {
  const { command, args, cwd, env } = overStdio('login', name, '--no-browser');
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  for await (const line of createInterface({ input: child.stderr })) {
    said += `${line}\n`;
    if (!line.startsWith(`${provider.url}/auth?`)) continue;
    const back = await agree(line, who, ({ origin }) => origin !== provider.url);
    assert.equal((await fetch(back)).status, 200);
  }
  assert.deepEqual(await ended, [0, null], said);
}

/** The command in a folder of its own, with a configuration and both descriptions. */
async function folderWith(name, configuration) {
  const own = await mkdtemp(join(folder, `${name}-`));
  // the document names the provider, which is on this machine
  const whole = { egress: { allow: ['127.0.0.1'] }, ...configuration };
  const files = { 'toolcrib.yaml': whole, 'notes.json': notesDocument(), 'canteen.json': canteenDocument() };
  for (const [file, content] of Object.entries(files))
    await writeFile(join(own, file), JSON.stringify(content));
  const command = commandIn(own, { NOTES_SECRET: MACHINE.secret, CONSOLE_SECRET: CONSOLE.secret });
  return { ...command, own };
}

function notesDocument() {
  return {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    servers: [{ url: notes.url }],
    components: {
      securitySchemes: {
        company: {
          type: 'openIdConnect',
          openIdConnectUrl: `${provider.url}/.well-known/openid-configuration`,
        },
      },
    },
    security: [{ company: ['notes.read'] }],
    paths: {
      '/notes': { get: { operationId: 'readNotes', responses: { 200: { description: 'Whose they are.' } } } },
    },
  };
}

function canteenDocument() {
  return {
    openapi: '3.1.0',
    info: { title: 'Canteen', version: '1.0.0' },
    servers: [{ url: notes.url }],
    paths: {
      '/menu': { get: { operationId: 'todaysMenu', responses: { 200: { description: 'What there is.' } } } },
    },
  };
}

/** A service that asks the provider about each token that it is shown, and takes none any more that it was to forget. */
async function startNotes() {
  const seen = new Set();
  let forgotten = new Set();
  const server = createServer(async (request, response) => {
    const answer = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/menu') return answer(200, { menu: ['Lentil soup'] });
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const { active, sub, client_id, scope } = await provider.introspect(token);
    seen.add(token);
    if (active && !forgotten.has(token)) answer(200, { of: sub ?? client_id, scope });
    else answer(401, { error: 'The provider does not know this token.' });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    forget() {
      forgotten = new Set(seen);
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
