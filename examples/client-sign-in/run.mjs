// Clients find out by themselves where a team signs in, and do. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { commandIn } from '../support/command.mjs';
import { listenOnLoopback } from '../support/loopback.mjs';
import { startCompany } from './company.mjs';

const company = await startCompany();
// what tokens are for names the gateway's port: one that is free
const free = await listenOnLoopback(() => undefined);
free.close();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-client-sign-in-'));
for (const file of ['toolcrib.yaml', 'canteen.yaml']) {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  const here = text
    .replaceAll('http://127.0.0.1:8793', company.url)
    .replaceAll('http://127.0.0.1:8794', free.url);
  await writeFile(join(folder, file), here);
}
const { toolcribJson, serve } = commandIn(folder);
const clients = [];
let gateway;

/** What a client keeps of a sign-in, and a person who signs in at once. */
function person() {
  const kept = {};
  const keep = (more) => void Object.assign(kept, more);
  return {
    kept,
    redirectUrl: 'http://127.0.0.1/callback',
    clientMetadata: { client_name: 'an agent', redirect_uris: ['http://127.0.0.1/callback'] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => keep({ client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => keep({ tokens }),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier) => keep({ verifier }),
    discoveryState: () => kept.discovered,
    saveDiscoveryState: (discovered) => keep({ discovered }),
    redirectToAuthorization: (asked) => keep({ asked }),
    async browser() {
      const { headers } = await fetch(kept.asked, { redirect: 'manual' });
      return new URL(headers.get('location')).searchParams;
    },
  };
}

/** The official client, told nothing but the address. */
async function signIn(who) {
  const transport = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', gateway.url), { authProvider: who });
  const sent = transport();
  await assert.rejects(new Client({ name: 'agent', version: '1.0.0' }).connect(sent));
  await sent.finishAuth(await who.browser());
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(transport());
  clients.push(client);
  return client;
}

/** A browser at the console: follows where it is sent, with the cookies of the gateway. */
async function openConsole() {
  const cookies = new Map();
  const get = async (address) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  let answer = await get(new URL('/sign-in/provider?back=/approvals', gateway.url));
  while (answer.status === 302 || answer.status === 303) {
    const next = new URL(answer.headers.get('location'));
    if (next.pathname === '/approvals') break;
    answer = await get(next);
  }
  const session = await (await get(new URL('/api/v1/session', gateway.url))).json();
  return { status: answer.status, page: await answer.text(), session };
}

try {
  // 1. Bob is in the directory, by the subject that the identity provider knows him by.
  const { organisation } = await toolcribJson(
    'admin',
    'bootstrap',
    '--organisation',
    'Company',
    '--name',
    'Ann',
  );
  await toolcribJson('admin', 'user', 'add', 'Bob', '--org', organisation.id, '--subject', 'bob');

  // 2. The doctor has looked at the identity provider as clients will.
  const { findings } = await toolcribJson('doctor');
  const { status, message } = findings.find(({ check }) => check === 'client sign-in');
  assert.equal(status, 'ok', message);

  // 3. Who shows nothing is told where to look, and finds there where to sign in.
  gateway = await serve('--port', new URL(free.url).port);
  const refused = await fetch(new URL('/mcp', gateway.url), { method: 'POST' });
  assert.equal(refused.status, 401);
  const [, where] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate'));
  assert.deepEqual(await (await fetch(where)).json(), {
    resource: `${free.url}/mcp`,
    authorization_servers: [company.url],
    scopes_supported: ['tools'],
    bearer_methods_supported: ['header'],
    resource_name: 'company',
  });

  // 4. A client does the rest: it registers, Bob signs in, and its calls are his.
  const bob = person();
  const client = await signIn(bob);
  assert.deepEqual(company.clients, ['an agent']);
  const { content } = await client.callTool({ name: 'canteen_todaysMenu', arguments: {} });
  assert.match(content[0].text, /Lentil soup/);

  // 5. Eve signs in as well, but nobody has added her: she is told whom to ask.
  company.person = 'eve';
  await assert.rejects(signIn(person()), /user_refused: .*Have an admin add you.*--subject is eve/);

  // 6. A token that the company gave for something else opens nothing here.
  Object.assign(company, { person: 'bob', audience: 'https://payroll.example.com' });
  const other = person();
  await assert.rejects(signIn(other));
  const elsewhere = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${other.kept.tokens.access_token}` },
  });
  assert.equal(elsewhere.status, 401);
  assert.match(elsewhere.headers.get('www-authenticate'), /error="invalid_token"/);

  // 7. Bob opens the console: it sends him to the company, and knows him when he is back. Eve is not let in there either.
  Object.assign(company, { person: 'bob', audience: undefined });
  const { session } = await openConsole();
  assert.equal(session.provider.name, 'Company account');
  assert.deepEqual([session.principal.name, session.openedWith], ['Bob', 'provider']);
  company.person = 'eve';
  const stranger = await openConsole();
  assert.deepEqual([stranger.status, stranger.session.signedIn], [403, false]);
  assert.match(stranger.page, /your --subject is eve/);
  console.log('ok  client-sign-in: clients find out where to sign in, and call as whoever did');
} finally {
  for (const client of clients) await client.close().catch(() => undefined);
  await gateway?.stop();
  company.close();
  await rm(folder, { recursive: true, force: true });
}
