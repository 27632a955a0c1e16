import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import type { UpstreamOAuth } from '../../../src/upstreams/upstreams.ts';
import { type Guarded, guarded } from './guarded.ts';

const signal = () => AbortSignal.timeout(8_000);

function signIn(world: Guarded, signIns: UpstreamSignIns = world.signIns(), settings?: UpstreamOAuth) {
  const onUrl = async (url: string) => void (await world.oauth.agree(url));
  return signIns.signIn(world.definition(settings), { onUrl, signal: signal() });
}

describe('a sign-in', () => {
  it('finds the authorization server, registers, and opens the server to calls', async () => {
    const world = await guarded();
    const signIns = world.signIns();
    expect(await signIn(world, signIns)).toMatchObject({
      issuer: world.oauth.origin,
      scopes: ['tools:read'],
      renewable: true,
      kept: 'memory',
    });
    const client = await world.connect(signIns);
    expect(await client.callTool({ name: 'echo', arguments: {} })).toMatchObject({
      content: [{ text: 'echo' }],
    });
    expect(world.oauth.registrations).toMatchObject([
      {
        redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)],
        application_type: 'native',
      },
    ]);
  });

  it('asks with PKCE S256, a state, the resource and the scopes of the challenge', async () => {
    const world = await guarded();
    let asked: URLSearchParams | undefined;
    const onUrl = async (url: string) => {
      asked = new URL(url).searchParams;
      await world.oauth.agree(url);
    };
    await world.signIns().signIn(world.definition(), { onUrl, signal: signal() });
    expect(Object.fromEntries(asked!)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      resource: world.server.url,
      scope: 'tools:read',
    });
    expect(world.oauth.grants[0]).toMatchObject({
      grant_type: 'authorization_code',
      resource: world.server.url,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('finds the metadata by itself where the challenge does not name them', async () => {
    const world = await guarded();
    world.metadataUrl = undefined;
    expect(await signIn(world)).toMatchObject({ issuer: world.oauth.origin });
  });

  it('registers nothing where the configuration names the client, and shows its secret to the token endpoint', async () => {
    const world = await guarded();
    await signIn(world, world.signIns(), {
      clientId: { env: 'CLIENT_ID' },
      clientSecret: { env: 'CLIENT_SECRET' },
    });
    expect(world.oauth.registrations).toEqual([]);
    const basic = Buffer.from('known-client:known+secret').toString('base64');
    expect(world.oauth.grants[0]).toMatchObject({ authorization: `Basic ${basic}` });
    expect(world.announced).toContain('known secret');
    expect(world.announced).not.toContain('known-client');
  });

  it('of a client without a secret says who it is, and registers nothing either', async () => {
    const world = await guarded();
    await signIn(world, world.signIns(), { clientId: { env: 'CLIENT_ID' } });
    expect(world.oauth.registrations).toEqual([]);
    expect(world.oauth.grants[0]).toMatchObject({ client_id: 'known-client' });
    expect(world.oauth.grants[0]).not.toHaveProperty('authorization');
  });

  it('comes back to the address that is registered, and shows its secret as the configuration says', async () => {
    const world = await guarded();
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/back`;
    const settings: UpstreamOAuth = {
      redirectUri,
      clientId: { env: 'CLIENT_ID' },
      clientSecret: { env: 'CLIENT_SECRET' },
      clientAuthentication: 'body',
    };
    await signIn(world, world.signIns(), settings);
    // nobody listens there any more: the next one can
    await expect(fetch(redirectUri)).rejects.toThrow();
    await signIn(world, world.signIns(), settings);
    expect(world.oauth.grants[0]).toMatchObject({
      redirect_uri: redirectUri,
      client_id: 'known-client',
      client_secret: 'known secret',
    });
  });

  // LemonLDAP::NG 2.16.1 makes ids and secrets of [A-Za-z0-9./], does not say how it registered the client, and takes
  // them in Basic as they arrive: encoded as RFC 6749 §2.3.1 wants it, most are answered `401 invalid_client`
  it('registers for the body where the server knows no client without a secret', async () => {
    const world = await guarded();
    world.oauth.behaviour.metadata = {
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    };
    const registered = {
      client_id: '61d/48',
      client_secret: '7A.u2/',
      token_endpoint_auth_method: undefined,
    };
    world.oauth.behaviour.registered = registered;
    const signIns = world.signIns();
    await signIn(world, signIns);
    expect(world.oauth.registrations).toMatchObject([{ token_endpoint_auth_method: 'client_secret_post' }]);
    const shown = { client_id: '61d/48', client_secret: '7A.u2/' };
    expect(world.oauth.grants[0]).toMatchObject(shown);
    expect(world.oauth.grants[0]).not.toHaveProperty('authorization');
    world.oauth.revoke('access');
    const client = await world.connect(signIns);
    await client.callTool({ name: 'echo', arguments: {} });
    expect(world.oauth.grants[1]).toMatchObject({ grant_type: 'refresh_token', ...shown });
  });

  it.each([
    ['client_secret_post', undefined],
    ['client_secret_basic', `Basic ${Buffer.from('given:s3cret').toString('base64')}`],
    ['none', `Basic ${Buffer.from('given:s3cret').toString('base64')}`],
  ])('goes by what was registered in the end: %s', async (token_endpoint_auth_method, authorization) => {
    const world = await guarded();
    world.oauth.behaviour.registered = {
      client_id: 'given',
      client_secret: 's3cret',
      token_endpoint_auth_method,
    };
    await signIn(world);
    expect(world.oauth.registrations).toMatchObject([{ token_endpoint_auth_method: 'none' }]);
    expect(world.oauth.grants[0]?.['authorization']).toBe(authorization);
  });

  it('sends nothing to an authorization server that the configuration does not name', async () => {
    const world = await guarded();
    const issuer = 'https://login.example';
    await expect(
      signIn(world, world.signIns(), {
        issuer,
        clientId: { env: 'CLIENT_ID' },
        clientSecret: { env: 'CLIENT_SECRET' },
      }),
    ).rejects.toMatchObject({ code: 'credentials_refused', message: expect.stringContaining(issuer) });
    expect(world.oauth.grants).toEqual([]);
    expect(await signIn(world, world.signIns(), { issuer: `${world.oauth.origin}/` })).toMatchObject({
      issuer: world.oauth.origin,
    });
  });

  it('shows the client of the configuration to no other authorization server than the one that it was used at', async () => {
    const [world, other] = await Promise.all([guarded(), guarded()]);
    const settings = {
      clientId: { env: 'CLIENT_ID' },
      clientSecret: { env: 'CLIENT_SECRET' },
      tokenFile: join(world.folder, 'remote.json'),
    };
    await signIn(world, world.signIns(), settings);
    world.resourceMetadata['authorization_servers'] = [other.oauth.origin];
    world.allowed.push(other.oauth.origin);
    const addresses: string[] = [];
    const onUrl = (url: string) => void addresses.push(url);
    const again = world.signIns().signIn(world.definition(settings), { onUrl, signal: signal() });
    await expect(again).rejects.toMatchObject({
      code: 'credentials_refused',
      message: expect.stringContaining(world.oauth.origin),
      next: expect.stringContaining('oauth.issuer'),
    });
    expect(addresses).toEqual([]);
    expect(other.oauth.grants).toEqual([]);
    const agree = async (url: string) => void (await other.oauth.agree(url));
    const named = world.definition({ ...settings, issuer: other.oauth.origin });
    expect(await world.signIns().signIn(named, { onUrl: agree, signal: signal() })).toMatchObject({
      issuer: other.oauth.origin,
    });
  });

  it('is known by its metadata document where the server takes one', async () => {
    const world = await guarded();
    world.oauth.behaviour.metadata = { client_id_metadata_document_supported: true };
    const clientMetadataUrl = 'https://toolcrib.example/client.json';
    await signIn(world, world.signIns(), { clientMetadataUrl });
    expect(world.oauth.grants[0]).toMatchObject({ client_id: clientMetadataUrl });
    expect(world.oauth.registrations).toEqual([]);
  });

  it('registers where the server takes no metadata documents', async () => {
    const world = await guarded();
    await signIn(world, world.signIns(), { clientMetadataUrl: 'https://toolcrib.example/client.json' });
    expect(world.oauth.registrations).toHaveLength(1);
  });

  it.each([
    'http://toolcrib.example/client.json',
    'https://toolcrib.example/',
    'https://toolcrib.example/client.json#part',
    'https://user@toolcrib.example/client.json',
    'https://:pass@toolcrib.example/client.json',
    'client.json',
  ])('takes %s for no metadata document', async (clientMetadataUrl) => {
    const world = await guarded();
    world.oauth.behaviour.metadata = { client_id_metadata_document_supported: true };
    await expect(signIn(world, world.signIns(), { clientMetadataUrl })).rejects.toMatchObject({
      code: 'configuration_invalid',
    });
  });

  it.each([7, ''])('ends where it is registered as %j', async (client_id) => {
    const world = await guarded();
    world.oauth.behaviour.registered = { client_id };
    await expect(signIn(world)).rejects.toMatchObject({ code: 'credentials_refused' });
  });

  it('keeps the secret that it was registered with out of logs, whatever becomes of the sign-in', async () => {
    const world = await guarded();
    world.oauth.behaviour.registered = { client_secret: 's3cret-of-client' };
    world.oauth.behaviour.answer = { error: 'access_denied' };
    await expect(signIn(world)).rejects.toMatchObject({ code: 'authorization_required' });
    expect(world.announced).toContain('s3cret-of-client');
  });

  it('says what to do where there is no way to register', async () => {
    const world = await guarded();
    world.oauth.behaviour.registers = false;
    await expect(signIn(world)).rejects.toMatchObject({
      code: 'credentials_missing',
      next: expect.stringContaining('oauth.clientId'),
    });
  });

  it('says what to do where the registration is refused', async () => {
    const world = await guarded();
    world.oauth.behaviour.metadata = { registration_endpoint: `${world.oauth.origin}/nowhere` };
    await expect(signIn(world)).rejects.toMatchObject({
      code: 'credentials_refused',
      message: expect.stringContaining('answered 404: not_found'),
      next: expect.stringContaining('oauth.clientId'),
    });
  });
});

describe('an answer from the browser', () => {
  it('with another state changes nothing; the right one still counts', async () => {
    const world = await guarded();
    const statuses: number[] = [];
    const onUrl = async (url: string) => {
      const state = new URL(url).searchParams.get('state')!;
      for (const forged of ['forged', '', `${state}x`, state.slice(1)]) {
        world.oauth.behaviour.answer = { state: forged };
        statuses.push((await world.oauth.agree(url)).status);
      }
      world.oauth.behaviour.answer = {};
      statuses.push((await world.oauth.agree(url)).status);
    };
    await world.signIns().signIn(world.definition(), { onUrl, signal: signal() });
    expect(statuses).toEqual([400, 400, 400, 400, 200]);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }, 'credentials_refused'],
    ['no issuer, where one is promised', { iss: null }, 'credentials_refused'],
    [
      'another issuer and an error',
      { iss: 'https://evil.example', error: 'access_denied' },
      'credentials_refused',
    ],
    ['a refusal', { error: 'access_denied' }, 'authorization_required'],
  ])('with %s is no sign-in', async (_, answer, code) => {
    const world = await guarded();
    world.oauth.behaviour.answer = answer;
    await expect(signIn(world)).rejects.toMatchObject({
      code,
      next: expect.stringMatching(/^Nothing|Sign in/),
    });
    expect(world.oauth.grants).toEqual([]);
  });

  it('that never comes ends the wait, at its own time limit or the caller’s', async () => {
    const world = await guarded();
    const late = { code: 'authorization_required', message: expect.stringContaining('Nobody signed in') };
    const wait = (options: { signal: AbortSignal; timeoutMs?: number; onUrl?: () => void }) =>
      world.signIns().signIn(world.definition(), { onUrl: () => {}, ...options });
    await expect(wait({ signal: signal(), timeoutMs: 600 })).rejects.toMatchObject(late);
    await expect(wait({ signal: AbortSignal.timeout(600) })).rejects.toMatchObject(late);
    const caller = new AbortController();
    const onUrl = () => caller.abort();
    await expect(wait({ signal: caller.signal, onUrl })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('for another host name, path or method is turned away', async () => {
    const world = await guarded();
    const statuses: number[] = [];
    const onUrl = async (url: string) => {
      const back = new URL(new URL(url).searchParams.get('redirect_uri')!);
      const state = new URL(url).searchParams.get('state');
      back.search = `?code=forged&state=${state}&iss=${world.oauth.origin}`;
      statuses.push((await fetch(new URL(`/other${back.search}`, back))).status);
      statuses.push((await fetch(back, { method: 'POST' })).status);
      back.hostname = 'localhost';
      statuses.push((await fetch(back)).status);
      await world.oauth.agree(url);
    };
    await world.signIns().signIn(world.definition(), { onUrl, signal: signal() });
    expect(statuses).toEqual([404, 404, 404]);
  });
});

describe('a server that lies in its metadata', () => {
  it.each([
    ['leads to a cloud metadata address', 'http://169.254.169.254/latest/meta-data', 'credentials_refused'],
    ['leads to a private address by https', 'https://10.0.0.1/metadata', 'egress_blocked'],
    ['leads to a file', 'file:///etc/passwd', 'credentials_refused'],
  ])('%s: nothing is asked there', async (_, metadataUrl, code) => {
    const world = await guarded();
    world.metadataUrl = metadataUrl;
    await expect(signIn(world)).rejects.toMatchObject({ code });
  });

  it.each([
    ['another origin', { resource: 'https://bank.example/mcp' }],
    ['another path', { resource: '/else' }],
    ['nothing', { resource: undefined }],
  ])('about whose they are (%s) gets no token', async (_, metadata) => {
    const world = await guarded();
    const { resource } = metadata;
    const full = resource?.startsWith('/') ? new URL(resource, world.server.origin).href : resource;
    Object.assign(world.resourceMetadata, { resource: full });
    await expect(signIn(world)).rejects.toMatchObject({ code: 'credentials_refused' });
  });

  it('by naming an authorization server at a private address is not followed', async () => {
    const world = await guarded();
    Object.assign(world.resourceMetadata, { authorization_servers: ['https://192.168.0.1'] });
    await expect(signIn(world)).rejects.toMatchObject({ code: 'egress_blocked' });
  });

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['no PKCE', { code_challenge_methods_supported: undefined }],
    ['only plain PKCE', { code_challenge_methods_supported: ['plain'] }],
    ['a script as authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a token endpoint without TLS', { token_endpoint: 'http://tokens.example/token' }],
  ])('as an authorization server (%s) is refused', async (_, metadata) => {
    const world = await guarded();
    world.oauth.behaviour.metadata = metadata;
    await expect(signIn(world)).rejects.toMatchObject({
      code: 'credentials_refused',
      next: expect.stringMatching(/ask whoever runs/i),
    });
    expect(world.oauth.grants).toEqual([]);
  });

  it('with a token endpoint at a private address gets no code', async () => {
    const world = await guarded();
    world.oauth.behaviour.metadata = { token_endpoint: 'https://10.1.2.3/token' };
    await expect(signIn(world)).rejects.toMatchObject({ code: 'egress_blocked' });
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
