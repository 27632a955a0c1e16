import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { signInToConnection } from '../../../src/credentials/sign-in/sign-in-to-connection.ts';
import type { SecurityScheme } from '../../../src/operations/index.ts';
import { connection, NO_EGRESS } from '../connections.ts';
import { signingIn } from './signing-in.ts';

const addressOf = async (world: Awaited<ReturnType<typeof signingIn>>, settings = {}) => {
  let asked = '';
  await world.signIn(settings, (url) => {
    asked = url;
    return world.oauth.agree(url);
  });
  return new URL(asked);
};

describe('a sign-in in the browser', () => {
  it('asks with PKCE S256, a state, the scopes and the client, at the address of the document', async () => {
    const world = await signingIn();
    const { searchParams } = await addressOf(world);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      tenant: 'one',
      response_type: 'code',
      client_id: 'crib',
      scope: 'events.read',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
    const [grant] = world.oauth.grants;
    expect(grant).toMatchObject({
      grant_type: 'authorization_code',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: searchParams.get('redirect_uri'),
      authorization: `Basic ${Buffer.from('crib:client-secret').toString('base64')}`,
    });
    expect(grant).not.toHaveProperty('scope');
  });

  it('announces every secret of it, so that none is written down', async () => {
    const world = await signingIn();
    const { accessToken, refreshToken } = await world.signIn();
    const { code, code_verifier: verifier } = world.oauth.grants[0]!;
    expect(world.announced).toEqual(expect.arrayContaining([code, verifier, accessToken, refreshToken]));
  });

  it('takes parameters beside those of the standard, never in place of them', async () => {
    const world = await signingIn();
    const { searchParams } = await addressOf(world, {
      authorizationParameters: {
        access_type: 'offline',
        state: 'mine',
        redirect_uri: 'https://evil.example',
      },
    });
    expect(searchParams.get('access_type')).toBe('offline');
    expect(searchParams.get('state')).not.toBe('mine');
    expect(searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it('comes back where the client is registered', async () => {
    const world = await signingIn();
    const free = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const { port } = free.address() as { port: number };
    const redirectUri = `http://127.0.0.1:${port}/oauth/back`;
    await expect(world.signIn({ redirectUri })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining(redirectUri),
    });
    await new Promise((resolve) => free.close(resolve));
    expect((await addressOf(world, { redirectUri })).searchParams.get('redirect_uri')).toBe(redirectUri);
  });

  it('never asks for all scopes by itself', async () => {
    const world = await signingIn();
    await expect(world.signIn({ scopes: undefined } as object)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('credentials.oauth2.scopes'),
      next: expect.stringContaining('events.read, events.write'),
    });
    const without = await signingIn({ scopes: [] });
    expect((await addressOf(without, { scopes: undefined })).searchParams.has('scope')).toBe(false);
  });

  it.each<[string, Parameters<typeof signingIn>[0], object, RegExp]>([
    [
      'no address to sign in at',
      { authorizationCode: undefined } as object,
      { tokenUrl: 'https://a.example/t' },
      /authorizationUrl/,
    ],
    [
      'an address that is not encrypted',
      {},
      { authorizationUrl: 'http://login.example/authorize' },
      /not encrypted/,
    ],
    ...['localhost.evil.example', 'evil-localhost', '127.0.0.1.evil.example'].map(
      (host): [string, object, object, RegExp] => [
        `an address that only looks like this machine, ${host},`,
        {},
        { authorizationUrl: `http://${host}/authorize` },
        /not encrypted/,
      ],
    ),
    ['an address of another kind', {}, { authorizationUrl: 'javascript:alert(1)' }, /no http or https URL/],
    [
      'no file for the tokens',
      {},
      { tokenFile: undefined },
      /No sign-in to source "pets" is configured.*login/,
    ],
  ])('with %s is refused before anything is opened', async (_what, changes, settings, message) => {
    const world = await signingIn(changes);
    let opened = 0;
    const browser = async () => void opened++;
    await expect(world.signIn(settings, browser)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringMatching(message),
    });
    expect(opened).toBe(0);
  });

  it.each<SecurityScheme>([
    { type: 'http', scheme: 'bearer' },
    { type: 'oauth2', scopes: [] },
  ])('to a service that the gateway logs in to by itself is nothing to do: %j', async (scheme) => {
    const own = connection({ session: scheme }, { login: { url: '/login', form: { user: 'ann' } } });
    const { signal } = new AbortController();
    const secrets = createSecretReader({}, () => {});
    const asked = signInToConnection(own, {
      egress: NO_EGRESS,
      secrets,
      signal,
      announce: () => {},
      onUrl: async () => {},
    });
    await expect(asked).rejects.toThrow('Nobody has to sign in to source "pets"');
  });

  it('goes to an encrypted address anywhere', async () => {
    const world = await signingIn();
    const authorizationUrl = 'https://login.example/authorize';
    const browser = (url: string) => Promise.reject(new Error(`opened ${url.split('?')[0]}`));
    await expect(world.signIn({ authorizationUrl }, browser)).rejects.toThrow(`opened ${authorizationUrl}`);
  });

  it('that the person refuses says why', async () => {
    const world = await signingIn();
    world.oauth.behaviour.answer = { error: 'access_denied' };
    await expect(world.signIn()).rejects.toMatchObject({
      code: 'authorization_required',
      message: 'The sign-in to "pets" was refused: access_denied.',
    });
    expect(world.oauth.grants).toEqual([]);
  });

  it('is not ended by an answer with another state', async () => {
    const world = await signingIn();
    const record = await world.signIn({}, async (url) => {
      const back = new URL(new URL(url).searchParams.get('redirect_uri')!);
      back.search = 'code=stolen&state=guessed';
      expect((await fetch(back)).status).toBe(400);
      await world.oauth.agree(url);
    });
    expect(record.accessToken).toMatch(/^access-/);
  });

  it('that the token endpoint refuses says its words without a secret, and keeps nothing', async () => {
    const world = await signingIn();
    const failure = world.signIn({}, async (url) => {
      const other = new URL(url);
      other.searchParams.set('code_challenge', 'x'.repeat(43));
      await world.oauth.agree(other.href);
    });
    const error = await failure.catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      code: 'credentials_refused',
      message: expect.stringContaining('invalid_grant'),
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('client-secret');
    await expect(world.kept()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
