import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConfigurationInput, createGateway } from '../src/index.ts';
import { bootstrap } from '../src/principals/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { parseChallenge } from '../src/upstreams/oauth/challenge.ts';
import { temporaryHome } from './cli/command-run.ts';
import { type LoopbackService, startLoopbackService } from './doubles/loopback-service.ts';
import { type OAuthDouble, startOAuthServer } from './doubles/oauth-server.ts';
import { freePort } from './free-port.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Clock', version: '1' },
  paths: { '/time': { get: { operationId: 'getTime', responses: { 200: { description: 'ok' } } } } },
};
const METADATA = '/.well-known/oauth-protected-resource';
const crib = temporaryHome();

let folder: string;
let oauth: OAuthDouble;
let clock: LoopbackService;
let origin: string;
let organisation: string;
const open: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-client-sign-in-'));
  oauth = await startOAuthServer();
  oauth.behaviour.subject = 'idp|ada';
  clock = await startLoopbackService('', () => ({ status: 200, body: { time: 'noon' } }));
  await writeFile(join(folder, 'clock.json'), JSON.stringify(DOCUMENT));
  const store = await openStore(`sqlite:${join(folder, 'team.db')}`);
  const made = await bootstrap(store, {
    organisation: { name: 'Acme' },
    user: { name: 'Ada', subject: 'idp|ada' },
    defaults: { organisation: { '*': 'read-only' }, user: { '*': 'read-only' } },
  });
  organisation = made.organisation.id;
  await store.close();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const configuration: ConfigurationInput = {
    name: 'acme',
    stateDirectory: join(folder, 'state'),
    store: `sqlite:${join(folder, 'team.db')}`,
    auth: { mode: 'team', jwt: { issuer: oauth.origin, audience: `${origin}/mcp`, scopes: ['mcp:tools'] } },
    server: { port },
    sources: { clock: { openapi: './clock.json', baseUrl: clock.url } },
    cache: false,
    watch: false,
  };
  const gateway = await createGateway(configuration, { baseDirectory: folder });
  open.push(gateway);
  await gateway.listen();
});

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await oauth.close();
  await clock.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a client keeps of a sign-in, and a person who agrees to it at once. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:1/callback';
  readonly clientMetadata = {
    client_name: 'test',
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: 'none',
  };
  asked: URL | undefined;
  client: StoredOAuthClientInformation | undefined;
  kept: StoredOAuthTokens | undefined;
  discovered: OAuthDiscoveryState | undefined;
  verifier = '';
  clientInformation = () => this.client;
  tokens = () => this.kept;
  codeVerifier = () => this.verifier;
  discoveryState = () => this.discovered;
  saveDiscoveryState(discovered: OAuthDiscoveryState) {
    this.discovered = discovered;
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.client = client;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.kept = tokens;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  redirectToAuthorization(url: URL) {
    this.asked = url;
  }
  /** What the browser comes back with. */
  async agree(): Promise<URLSearchParams> {
    const { headers } = await fetch(this.asked!, { redirect: 'manual' });
    return new URL(headers.get('location')!).searchParams;
  }
}

type Era = 'legacy' | 'auto';

/** The official client: sent away once to sign in, then connected. */
async function signedIn(person: Person, era: Era, path = '/mcp'): Promise<Client> {
  const transport = () => new StreamableHTTPClientTransport(new URL(path, origin), { authProvider: person });
  const client = () => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  const sent = transport();
  await expect(client().connect(sent)).rejects.toBeInstanceOf(UnauthorizedError);
  await sent.finishAuth(await person.agree());
  const connected = client();
  open.push(connected);
  await connected.connect(transport());
  return connected;
}

describe('a client that signs in by itself', () => {
  it.each<[string, Era]>([
    ['2025-11-25', 'legacy'],
    ['2026-07-28', 'auto'],
  ])('finds out where, signs in with PKCE, and calls a tool, in %s', async (revision, era) => {
    const person = new Person();
    const client = await signedIn(person, era);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const resource = `${origin}/mcp`;
    expect(Object.fromEntries(person.asked!.searchParams)).toMatchObject({
      resource,
      scope: 'mcp:tools',
      code_challenge_method: 'S256',
    });
    expect(oauth.grants).toMatchObject([{ grant_type: 'authorization_code', resource }]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('clock_getTime');
    const headers = { authorization: `Bearer ${person.kept!.access_token}` };
    expect(await (await fetch(`${origin}/api/v1/config`, { headers })).json()).toMatchObject({
      auth: { mode: 'team', issuer: oauth.origin, scopes: ['mcp:tools'] },
      principal: { kind: 'user', organisation },
    });
    const { content } = await client.callTool({ name: 'clock_getTime', arguments: {} });
    expect(JSON.stringify(content)).toContain('noon');
  });

  it.each(['/mcp/', '/mcp?topology=flat'])('finds out at %s, too', async (path) => {
    const client = await signedIn(new Person(), 'legacy', path);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  it('gets on when its token ends, by the refresh token', async () => {
    oauth.behaviour.lifetimeSeconds = -60;
    const person = new Person();
    await expect(signedIn(person, 'legacy')).rejects.toThrow(/401 after re-authentication/);
    oauth.behaviour.lifetimeSeconds = 3600;
    const client = new Client({ name: 'test', version: '1' });
    open.push(client);
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', origin), { authProvider: person }),
    );
    expect(oauth.grants.at(-1)).toMatchObject({ grant_type: 'refresh_token' });
  });

  it('with a token for another service is refused as RFC 6750 says', async () => {
    oauth.behaviour.audience = 'https://other.example.com/mcp';
    const person = new Person();
    await expect(signedIn(person, 'legacy')).rejects.toThrow(/401 after re-authentication/);
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.kept!.access_token}` },
    });
    expect(response.status).toBe(401);
    const header = response.headers.get('www-authenticate')!;
    expect(parseChallenge(header)).toEqual({
      resourceMetadata: `${origin}${METADATA}/mcp`,
      scopes: ['mcp:tools'],
      error: 'invalid_token',
    });
    expect(header).toContain('error_description="The sign-in token is not for this gateway, or not yet');
    expect(header).toContain("(its 'aud').");
    expect(header).not.toContain('other.example.com');
  });

  it('for somebody who is not in the directory is told whom to ask, and is not sent to sign in again', async () => {
    oauth.behaviour.subject = 'idp|ben';
    const person = new Person();
    const refused = signedIn(person, 'legacy');
    await expect(refused).rejects.toThrow(/user_refused: .*toolcrib admin user add.*--subject is idp\|ben/);
    expect(oauth.grants).toHaveLength(1);
    const headers = { authorization: `Bearer ${person.kept!.access_token}` };
    expect((await fetch(`${origin}/api/v1/tools`, { headers })).status).toBe(403);
    expect((await fetch(`${origin}/api/v1/session`, { headers })).status).toBe(200);
    // what it says helps: the same sign-in is good from then on
    const store = `sqlite:${join(folder, 'team.db')}`;
    await writeFile(crib.path('toolcrib.yaml'), JSON.stringify({ auth: { mode: 'team' }, store }));
    const added = await crib.run([
      'admin',
      'user',
      'add',
      'Ben',
      '--org',
      organisation,
      '--subject',
      'idp|ben',
    ]);
    expect(added.exit).toBe(0);
    const client = new Client({ name: 'test', version: '1' });
    open.push(client);
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', origin), { authProvider: person }),
    );
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});

it('a gateway that has this one as its upstream server signs in to it', async () => {
  const configuration = {
    sources: { team: { mcp: { url: `${origin}/mcp`, oauth: { tokenFile: './team.json' } } } },
    egress: { allow: [oauth.origin] },
    store: 'none',
  };
  await writeFile(crib.path('toolcrib.yaml'), JSON.stringify(configuration));
  const browser = async (shown: string) => {
    const asked = shown.split('\n').find((line) => line.startsWith(oauth.origin))!;
    return [(await fetch(asked, { redirect: 'manual' })).headers.get('location')!];
  };
  const call = () => crib.run(['call', 'team_clock_getTime', '--json']);
  expect((await call()).exit).not.toBe(0);
  const login = await crib.run(['login', 'team'], { paste: browser });
  expect(login.err).toContain('Signed in to team.');
  expect(login.exit).toBe(0);
  const after = await call();
  expect(after.out + after.err).toContain('noon');
  expect(after.exit).toBe(0);
});
