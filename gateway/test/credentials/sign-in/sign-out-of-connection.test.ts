import { access, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SecurityScheme } from '../../../src/operations/index.ts';
import type { OAuthDouble } from '../../doubles/oauth-server.ts';
import { signingIn } from './signing-in.ts';

const discovered = (oauth: OAuthDouble): SecurityScheme => ({
  type: 'openIdConnect',
  url: `${oauth.origin}/.well-known/oauth-authorization-server`,
});

/** Somebody is signed in at a provider that says where tokens are ended. */
async function signedIn(settings: object = {}) {
  const world = await signingIn({}, discovered);
  const { accessToken, refreshToken } = await world.signIn(settings);
  return { world, accessToken, refreshToken: refreshToken! };
}

const isKept = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

describe('signing out', () => {
  it('ends the refresh token and the access token at the provider, then removes the file', async () => {
    const { world, accessToken, refreshToken } = await signedIn();
    const gateway = world.gateway();
    expect((await gateway.authorize()).value).toBe(`Bearer ${accessToken}`);
    expect(await world.signOut()).toEqual({ signedOut: true, revoked: true });
    const authorization = `Basic ${Buffer.from('crib:client-secret').toString('base64')}`;
    expect(world.oauth.revocations).toEqual([
      { token: refreshToken, token_type_hint: 'refresh_token', authorization },
      { token: accessToken, token_type_hint: 'access_token', authorization },
    ]);
    expect(world.oauth.scopesOf(accessToken)).toBeUndefined();
    expect(await readdir(dirname(world.file))).toEqual([]);
    // a gateway that runs has nobody signed in, either
    await expect(gateway.authorize()).rejects.toMatchObject({ code: 'authorization_required' });
  });

  it('shows the client in the form where the configuration says so', async () => {
    const settings = { clientAuthentication: 'body' } as const;
    const { world } = await signedIn(settings);
    await world.signOut(settings);
    expect(world.oauth.revocations[0]).toMatchObject({ client_id: 'crib', client_secret: 'client-secret' });
    expect(world.oauth.revocations[0]).not.toHaveProperty('authorization');
  });

  it('asks where the configuration says, of a document that cannot say it', async () => {
    const world = await signingIn();
    await world.signIn();
    expect(await world.signOut({ revocationUrl: `${world.oauth.origin}/revoke` })).toMatchObject({
      revoked: true,
    });
    expect(world.oauth.revocations).toHaveLength(2);
  });

  it('removes the file, and says that nothing was ended, where nobody says how', async () => {
    const world = await signingIn();
    await world.signIn();
    expect(await world.signOut()).toEqual({ signedOut: true, revoked: false });
    expect(await isKept(world.file)).toBe(false);
  });

  it('asks nobody where it is to be local', async () => {
    const { world, accessToken } = await signedIn();
    expect(await world.signOut({}, true)).toEqual({ signedOut: true, revoked: false });
    expect(world.oauth.revocations).toEqual([]);
    expect(world.oauth.scopesOf(accessToken)).toBeDefined();
    expect(await isKept(world.file)).toBe(false);
  });

  it('is nothing where nobody is signed in', async () => {
    const { world } = await signedIn();
    await world.signOut();
    expect(await world.signOut()).toEqual({ signedOut: false, revoked: false });
    expect(world.oauth.revocations).toHaveLength(2);
  });

  it.each(['invalid_token', 'invalid_grant'])('takes %s for the end of a token', async (error) => {
    const { world } = await signedIn();
    world.oauth.behaviour.revocationErrors = { refresh_token: error, access_token: error };
    expect(await world.signOut()).toEqual({ signedOut: true, revoked: true });
  });

  it('lets an access token end by itself where the provider ends refresh tokens alone', async () => {
    const { world } = await signedIn();
    world.oauth.behaviour.revocationErrors = { access_token: 'unsupported_token_type' };
    expect(await world.signOut()).toEqual({ signedOut: true, revoked: true });
  });
});

describe('a provider that does not end the tokens', () => {
  it.each<[string, (oauth: OAuthDouble) => void, object]>([
    [
      'in its own words',
      ({ behaviour }) => {
        behaviour.revocationErrors = { refresh_token: 'unsupported_token_type' };
      },
      {
        code: 'credentials_refused',
        message: expect.stringContaining('/revoke answered 400: unsupported_token_type: no: [redacted]'),
      },
    ],
    [
      'since it is away',
      ({ behaviour }) => {
        behaviour.isAway = true;
      },
      { code: 'credentials_refused', message: expect.stringContaining('answered 503: no reason') },
    ],
    [
      'by an address in the clear or none',
      ({ behaviour, origin }) => {
        behaviour.metadata = { revocation_endpoint: `${origin.replace('127.0.0.1', '10.0.0.1')}/revoke` };
      },
      { code: 'egress_blocked' },
    ],
  ])('%s: nothing is removed, and what to do is said', async (_what, change, error) => {
    const { world, refreshToken } = await signedIn();
    change(world.oauth);
    const thrown = await world.signOut().catch((one) => one);
    expect(thrown).toMatchObject({
      ...error,
      next: expect.stringMatching(/^Nothing was removed.* `toolcrib logout pets --local`\.$/),
    });
    expect(JSON.stringify([thrown.message, thrown.next])).not.toContain(refreshToken);
    expect(await isKept(world.file)).toBe(true);
  });

  it.each([{ clientId: 'other' }, { tokenUrl: 'https://other.example/token' }])(
    'is not shown the tokens of another client or provider: %o',
    async (settings) => {
      const { world } = await signedIn();
      await expect(world.signOut(settings)).rejects.toMatchObject({ code: 'authorization_required' });
      expect(world.oauth.revocations).toEqual([]);
      expect(await isKept(world.file)).toBe(true);
    },
  );

  it('is not asked for a file that cannot be trusted', async () => {
    const { world } = await signedIn();
    await writeFile(world.file, 'x');
    await expect(world.signOut({}, true)).rejects.toMatchObject({ code: 'configuration_invalid' });
    expect(await isKept(world.file)).toBe(true);
  });
});
