import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { UpstreamOAuth } from '../../../src/upstreams/upstreams.ts';
import { guarded, signedIn } from './guarded.ts';

const signal = () => AbortSignal.timeout(8_000);
const CLIENT: UpstreamOAuth = { clientId: { env: 'CLIENT_ID' }, clientSecret: { env: 'CLIENT_SECRET' } };

describe('a refusal of the token endpoint', () => {
  it.each([
    ['its error', 'no known secret'],
    ['its error, encoded', 'no known%20secret'],
    ['its error, where it is cut', `${'no '.repeat(97)}known secret`],
  ])('is told without the secret of the client in %s', async (_, refusal) => {
    const world = await guarded();
    const signIns = await signedIn(world, CLIENT);
    world.oauth.revoke('refresh');
    world.oauth.behaviour.refusal = refusal;
    const source = signIns.tokensFor(world.definition(CLIENT))!;
    const token = await source.current(signal());
    const error = await source.renewed(token, {}, signal()).catch((thrown: unknown) => thrown);
    if (!(error instanceof ToolcribError)) throw new Error('it was not refused');
    const told = JSON.stringify([error.message, error.details]);
    expect(told).toContain('answered 400: no ');
    expect(told).not.toMatch(/known|refresh-/);
  });
});

it('a token endpoint gets the secret by Basic where it does not say how it wants it', async () => {
  const world = await guarded();
  world.oauth.behaviour.metadata = { token_endpoint_auth_methods_supported: undefined };
  await signedIn(world, CLIENT);
  expect(world.oauth.grants[0]).toMatchObject({ authorization: expect.stringMatching(/^Basic /) });
  expect(world.oauth.grants[0]).not.toHaveProperty('client_secret');
});

describe('an answer of the token endpoint', () => {
  it.each([
    ['no type', { token_type: undefined }],
    ['another type', { token_type: 'DPoP' }],
    ['a token that no header can carry', { access_token: 'two\r\nx-header: 1' }],
    ['no token', { access_token: undefined }],
  ])('with %s is no sign-in', async (_, issued) => {
    const world = await guarded();
    world.oauth.behaviour.issued = issued;
    await expect(signedIn(world)).rejects.toMatchObject({ code: 'credentials_refused' });
  });

  it('says how long the token lives, and for which scopes', async () => {
    const world = await guarded();
    const tokenFile = `${world.folder}/remote.json`;
    const before = Date.now();
    world.oauth.behaviour.granted = 'less';
    const signIns = await signedIn(world, { tokenFile });
    const status = (await signIns.status(world.definition({ tokenFile })))!;
    expect(status.scopes).toEqual(['less']);
    expect(status.expiresAt).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(status.expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
    expect(await world.signIns().status(world.definition({ tokenFile }))).toEqual(status);
    expect(JSON.parse(await readFile(tokenFile, 'utf8'))).toMatchObject({ scopes: ['less'] });
  });

  it('with an empty refresh token brings none', async () => {
    const world = await guarded();
    world.oauth.behaviour.issued = { refresh_token: '' };
    const signIns = await signedIn(world);
    expect(await signIns.status(world.definition())).toMatchObject({ renewable: false });
  });
});
