import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createCredentialProvider } from '../../src/credentials/index.ts';
import type { Connection, SecurityAlternative, SecurityScheme } from '../../src/operations/index.ts';
import { connection, NO_EGRESS, request } from './connections.ts';
import { signingIn } from './sign-in/signing-in.ts';

const { signal } = new AbortController();

const schemes = {
  bearerAuth: { type: 'http', scheme: 'bearer' },
  basicAuth: { type: 'http', scheme: 'basic' },
  oauth: { type: 'oauth2', scopes: [], tokenUrl: 'https://id.example.org/token' },
  nowhere: { type: 'oauth2', scopes: [] },
  openId: { type: 'openIdConnect', url: 'https://id.example.org/.well-known/openid-configuration' },
} satisfies Record<string, SecurityScheme>;

const planned = (
  credentials: Connection['credentials'],
  security: readonly SecurityAlternative[],
  { env = {}, ...changes }: Partial<Connection> & { env?: Record<string, string> } = {},
) =>
  createCredentialProvider({ egress: NO_EGRESS, env }).plan(
    request(),
    connection(schemes, credentials, changes),
    security,
    signal,
  );

const CLIENT = { clientId: 'crib', clientSecret: { env: 'SECRET' } } as const;
const SECRET = { SECRET: 'sesame' };

describe('a credential, before anybody is asked for a token', () => {
  it.each<[string, Connection['credentials'], string, Record<string, string>]>([
    ['a value of the configuration', { bearer: 't0k3n' }, 'bearerAuth', {}],
    ['a variable', { bearer: { env: 'SECRET' } }, 'bearerAuth', SECRET],
    [
      'the variable that is named after the scheme',
      undefined,
      'bearerAuth',
      { TOOLCRIB_PETS_BEARER_AUTH: 'x' },
    ],
    ['a client that gets its tokens elsewhere', { oauth2: CLIENT }, 'oauth', SECRET],
    ['a client whose provider would have to be asked where', { oauth2: CLIENT }, 'openId', SECRET],
    [
      'a key of Nango',
      { nango: { integration: 'x', connection: 'c' } },
      'bearerAuth',
      { NANGO_SECRET_KEY: 'k' },
    ],
    ['none, which the configuration says', 'none', 'bearerAuth', {}],
  ])('is there: %s', async (_, credentials, scheme, env) => {
    await planned(credentials, [{ [scheme]: [] }], { env });
  });

  it.each<[string, Connection['credentials'], string, string, Record<string, string>]>([
    ['nothing is configured', undefined, 'bearerAuth', 'credentials_missing', {}],
    ['the variable is not set', { bearer: { env: 'SECRET' } }, 'bearerAuth', 'credentials_missing', {}],
    [
      'the variable is empty',
      { bearer: { env: 'SECRET' } },
      'bearerAuth',
      'credentials_missing',
      { SECRET: ' ' },
    ],
    ['the file is not there', { bearer: { file: '/nowhere/key' } }, 'bearerAuth', 'credentials_missing', {}],
    [
      'of two the password',
      { basic: { username: 'u', password: { env: 'SECRET' } } },
      'basicAuth',
      'credentials_missing',
      {},
    ],
    ['the secret of the client', { oauth2: CLIENT }, 'oauth', 'credentials_missing', {}],
    [
      'the refresh token',
      { oauth2: { ...CLIENT, refreshToken: { env: 'REFRESH' } } },
      'oauth',
      'credentials_missing',
      SECRET,
    ],
    ['a token endpoint', { oauth2: CLIENT }, 'nowhere', 'credentials_missing', SECRET],
    [
      'the key of Nango',
      { nango: { integration: 'x', connection: 'c' } },
      'bearerAuth',
      'credentials_missing',
      {},
    ],
    [
      'the connection of Nango',
      { nango: { integration: 'x' } },
      'bearerAuth',
      'connection_missing',
      { NANGO_SECRET_KEY: 'k' },
    ],
    [
      'a sign-in',
      { oauth2: { ...CLIENT, tokenFile: '/nowhere/kept' } },
      'oauth',
      'authorization_required',
      SECRET,
    ],
  ])('is missing: %s', async (_, credentials, scheme, code, env) => {
    await expect(planned(credentials, [{ [scheme]: [] }], { env })).rejects.toMatchObject({ code });
  });

  it.each<[string, Connection['credentials'], string, string, Record<string, string>]>([
    ['a value', { bearer: 't0k3n' }, 'bearerAuth', 'Bearer t0k3n', {}],
    ['a token that would have to be asked for', { oauth2: CLIENT }, 'oauth', 'not-asked-for', SECRET],
    [
      'what Nango keeps',
      { nango: { integration: 'x', connection: 'c' } },
      'basicAuth',
      'not-asked-for',
      { NANGO_SECRET_KEY: 'k' },
    ],
  ])('has its place on the request: %s', async (_, credentials, scheme, value, env) => {
    const { headers, credentialHeaders } = await planned(credentials, [{ [scheme]: [] }], { env });
    expect(headers).toContainEqual(['Authorization', value]);
    expect(credentialHeaders).toEqual(['authorization']);
  });

  it('has each of its places, also where one of them is not asked for', async () => {
    const both = { ...schemes, key: { type: 'apiKey', in: 'query', name: 'key' } } as const;
    const credentials = { oauth2: CLIENT, schemes: { key: { apiKey: 'k3y' } } } as const;
    const { plan } = createCredentialProvider({ egress: NO_EGRESS, env: SECRET });
    const { url, headers } = await plan(
      request(),
      connection(both, credentials),
      [{ oauth: [], key: [] }],
      signal,
    );
    expect(url).toMatch(/[?&]key=k3y$/);
    expect(headers).toContainEqual(['Authorization', 'not-asked-for']);
  });

  it('is looked for as a call does: an alternative without a credential is enough where there is no other', async () => {
    await planned(undefined, [{ bearerAuth: [] }, {}]);
    await planned({ bearer: 't0k3n' }, [{ basicAuth: [] }, { bearerAuth: [] }]);
    await planned(undefined, []);
  });

  it('does not go where it may not, which is said before, too', async () => {
    const changes = { baseUrl: 'https://elsewhere.example.org' };
    await expect(planned({ bearer: 't0k3n' }, [{ bearerAuth: [] }], changes)).rejects.toMatchObject({
      code: expect.stringMatching(/./),
    });
  });

  it('of another user than the one who calls is none', async () => {
    const acting = {
      account: 'shared',
      accountOwner: 'organisation',
      actingUser: 'ann',
      actingUserPlace: { in: 'token' },
    };
    const changes = acting as Partial<Connection>;
    await expect(planned({ bearer: 't0k3n' }, [{ bearerAuth: [] }], changes)).rejects.toMatchObject({
      code: 'acting_user_missing',
    });
  });
});

describe('a sign-in that is kept, before the provider is asked', () => {
  const open = (world: Awaited<ReturnType<typeof signingIn>>, now: () => number) => {
    const provider = createCredentialProvider({ egress: NO_EGRESS, env: {}, now });
    const oauth2 = { clientId: 'crib', clientSecret: 'client-secret', tokenFile: world.file };
    const pets = connection({ oauth: world.scheme }, { oauth2 });
    return () => provider.plan(request(), pets, [{ oauth: [] }], signal);
  };

  it('is usable as long as it can be renewed, or lives', async () => {
    const world = await signingIn();
    await world.signIn();
    await open(world, Date.now)();
    await open(world, () => Date.now() + 3_600_000)();
    const { refreshToken: _none, ...record } = await world.kept();
    await writeFile(world.file, JSON.stringify(record), { mode: 0o600 });
    await open(world, Date.now)();
    await expect(open(world, () => Date.now() + 3_600_000)()).rejects.toMatchObject({
      code: 'authorization_required',
      next: 'Sign in: `toolcrib login pets`.',
    });
    await rm(world.file);
    await expect(open(world, Date.now)()).rejects.toMatchObject({ code: 'authorization_required' });
  });
});
