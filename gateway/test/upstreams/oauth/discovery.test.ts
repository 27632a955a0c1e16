import { describe, expect, it, onTestFinished } from 'vitest';
import type { Egress } from '../../../src/egress/egress.ts';
import { discoverAuthorization } from '../../../src/upstreams/oauth/discovery.ts';
import type { UpstreamOAuth } from '../../../src/upstreams/upstreams.ts';
import { startOAuthServer } from '../../doubles/oauth-server.ts';
import { remote } from '../remote.ts';
import { type Guarded, guarded } from './guarded.ts';

const signal = () => AbortSignal.timeout(8_000);

function signIn(world: Guarded, settings?: UpstreamOAuth) {
  const onUrl = async (url: string) => void (await world.oauth.agree(url));
  return world.signIns().signIn(world.definition(settings), { onUrl, signal: signal() });
}

const refused = (words: string) => ({
  code: 'credentials_refused',
  message: expect.stringContaining(words),
});

describe('the authorization server', () => {
  it('is the configured one where the server names none', async () => {
    const world = await guarded();
    Object.assign(world.resourceMetadata, { authorization_servers: undefined });
    expect(await signIn(world, { issuer: world.oauth.origin })).toMatchObject({
      issuer: world.oauth.origin,
    });
  });

  it('is not at the private address of another source, unless the configuration names it for this one', async () => {
    const world = await guarded();
    world.redirects = [];
    await expect(signIn(world)).rejects.toMatchObject({
      code: 'egress_blocked',
      message: expect.stringContaining('the configuration names it for others'),
    });
    expect(world.oauth.grants).toEqual([]);
    expect(await signIn(world, { issuer: world.oauth.origin })).toMatchObject({
      issuer: world.oauth.origin,
    });
  });

  it('that publishes nothing is said to', async () => {
    const world = await guarded();
    Object.assign(world.resourceMetadata, { authorization_servers: [world.server.origin] });
    await expect(signIn(world)).rejects.toMatchObject(refused('publishes no metadata'));
  });

  it.each(['http://login.example', 'https://user:word@login.example', 'ftp://login.example', 'login'])(
    'named as %s is none',
    async (issuer) => {
      const world = await guarded();
      Object.assign(world.resourceMetadata, { authorization_servers: [issuer] });
      await expect(signIn(world)).rejects.toMatchObject(refused('is no https URL'));
    },
  );

  it('that does not promise its name in answers need not say it', async () => {
    const world = await guarded();
    world.oauth.behaviour.metadata = { authorization_response_iss_parameter_supported: undefined };
    world.oauth.behaviour.answer = { iss: null };
    expect(await signIn(world)).toMatchObject({ issuer: world.oauth.origin });
  });
});

describe('protected resource metadata', () => {
  it('of what the server lies in are its own; the token is for the resource as they name it', async () => {
    const world = await guarded();
    const tokenFile = `${world.folder}/remote.json`;
    Object.assign(world.resourceMetadata, { resource: `${world.server.origin}/` });
    await signIn(world, { tokenFile });
    expect(world.oauth.grants[0]).toMatchObject({ resource: `${world.server.origin}/` });
    const client = await world.connect(world.signIns(), { tokenFile });
    expect(await client.callTool({ name: 'echo', arguments: {} })).toMatchObject({
      content: [{ text: 'echo' }],
    });
  });

  it('of a path that only begins alike are those of another', async () => {
    const world = await guarded();
    Object.assign(world.resourceMetadata, { resource: `${world.server.origin}/mc` });
    await expect(signIn(world)).rejects.toMatchObject(refused('not for'));
  });

  it.each([
    ['that are named and not there', `/nowhere`, 200, 'answered 404'],
    ['that the server cannot give now', undefined, 503, 'answered 503'],
  ])('%s are not made up for', async (_, path, status, words) => {
    const world = await guarded();
    world.metadataUrl = path && `${world.server.origin}${path}`;
    world.metadataStatus = status;
    await expect(signIn(world)).rejects.toMatchObject(refused(words));
  });

  it('that the server does not have at its own path may be those of its origin', async () => {
    const world = await guarded();
    world.metadataUrl = undefined;
    world.metadataStatus = 404;
    const settings = { issuer: world.oauth.origin };
    expect(await signIn(world, settings)).toMatchObject({ issuer: world.oauth.origin });
    const asked = world.server.requests.map(({ path }) => path);
    expect(asked).toContain('/.well-known/oauth-protected-resource');
    expect(world.oauth.grants[0]).toMatchObject({ resource: world.server.url });
  });

  // Starlette, below the MCP SDK of Python, sends `/mcp` on to `/mcp/`, or the other way round
  it('are named where a redirect within the origin leads', async () => {
    const world = await guarded();
    world.metadataUrl = `${world.server.origin}/metadata`;
    const definition = remote(`${world.server.url}/`);
    const onUrl = async (url: string) => void (await world.oauth.agree(url));
    await world.signIns().signIn(definition, { onUrl, signal: signal() });
    expect(world.server.requests.map(({ path }) => path)).toContain('/metadata');
  });

  it('of a server that sends on in a circle are looked for where they should be', async () => {
    const world = await guarded();
    world.leadsTo = '/mcp/';
    expect(await signIn(world)).toMatchObject({ issuer: world.oauth.origin });
  });

  it('are not looked for where a redirect to another origin leads', async () => {
    const world = await guarded();
    const other = await guarded();
    world.allowed.push(other.server.origin);
    world.leadsTo = other.server.url;
    await signIn(world);
    expect(other.server.requests).toEqual([]);
  });
});

describe('an address that a server names', () => {
  const nobody = { request: () => Promise.reject(new Error('it was asked')) } as unknown as Egress;

  it.each([
    ['this machine, by a server elsewhere', 'https://mcp.example/mcp', 'http://127.0.0.1:9/metadata'],
    ['what only begins like this machine', 'http://127.0.0.1:9/mcp', 'http://127.0.0.1.evil.example/'],
    ['a name that only begins like it', 'http://localhost:9/mcp', 'http://localhost.evil.example/'],
    ['a host without TLS', 'http://127.0.0.1:9/mcp', 'http://mcp.example/'],
  ])('is not asked where it leads to %s', async (_, url, metadata) => {
    await expect(discoverAuthorization(nobody, { url, oauth: {} }, metadata, signal())).rejects.toMatchObject(
      refused('is no https URL'),
    );
  });
});

describe('scopes', () => {
  const askedOf = async (world: Guarded, settings?: UpstreamOAuth) => {
    let asked: URLSearchParams | undefined;
    const onUrl = async (url: string) => {
      asked = new URL(url).searchParams;
      await world.oauth.agree(url);
    };
    await world.signIns().signIn(world.definition(settings), { onUrl, signal: signal() });
    return asked!;
  };

  it('of the configuration count in place of what the server asks for', async () => {
    const world = await guarded();
    expect((await askedOf(world, { scopes: ['mine'] })).get('scope')).toBe('mine');
  });

  it('are asked with offline_access where the authorization server has it, and with a consent', async () => {
    const world = await guarded();
    world.oauth.behaviour.metadata = { scopes_supported: ['tools:read', 'offline_access'] };
    const asked = await askedOf(world);
    expect(asked.get('scope')).toBe('tools:read offline_access');
    expect(asked.get('prompt')).toBe('consent');
    expect((await askedOf(world, { scopes: [] })).has('scope')).toBe(false);
  });

  it('of a sign-in at another authorization server are not asked for again', async () => {
    const world = await guarded();
    const tokenFile = `${world.folder}/remote.json`;
    await askedOf(world, { tokenFile, scopes: ['old'] });
    expect((await askedOf(world, { tokenFile })).get('scope')).toBe('tools:read old');
    const other = await startOAuthServer();
    onTestFinished(() => other.close());
    world.allowed.push(other.origin);
    Object.assign(world.resourceMetadata, { authorization_servers: [other.origin] });
    expect((await askedOf(world, { tokenFile })).get('scope')).toBe('tools:read');
  });
});
