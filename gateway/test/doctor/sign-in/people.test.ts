import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { checkCredentials } from '../../../src/doctor/credentials.ts';
import { checkSignIn } from '../../../src/doctor/sign-in/sign-in.ts';
import { type OAuthDouble, startOAuthServer } from '../../doubles/oauth-server.ts';

let oauth: OAuthDouble;
beforeEach(async () => {
  oauth = await startOAuthServer();
});
afterEach(() => oauth.close());

const configured = (console: object | undefined = { clientId: 'console' }, more: object = {}) =>
  parseConfiguration(
    {
      auth: { mode: 'team', jwt: { issuer: oauth.origin, audience: 'toolcrib', console } },
      ...more,
    } as never,
    { env: {}, baseDirectory: '/srv' },
  );
async function findings(...asked: Parameters<typeof configured>) {
  return aboutPeople(await configured(...asked));
}
async function aboutPeople(configuration: Awaited<ReturnType<typeof configured>>) {
  const found = await checkSignIn(configuration);
  // of the same provider, which was asked once
  expect(found.some(({ check }) => check === 'client sign-in')).toBe(true);
  return found
    .filter(({ check }) => check === 'console sign-in')
    .map(({ status, message, next }) => `${status}: ${message}${next ? ` ${next}` : ''}`);
}

describe('toolcrib doctor, people who sign in to the console', () => {
  it('says what to register at the provider', async () => {
    expect(
      await findings({ clientId: 'console' }, { server: { publicUrl: 'https://tools.example' } }),
    ).toEqual([
      `ok: People sign in to the console at ${oauth.origin}; its redirect address there is https://tools.example/sign-in/answer.`,
    ]);
    expect(await findings()).toEqual([
      expect.stringMatching(/ORIGIN\/sign-in\/answer, where ORIGIN is how people open this gateway\.$/),
    ]);
  });

  it('has nothing to say where nobody signs in so', async () => {
    const keys = await configured({ clientId: 'a' }, { auth: { mode: 'team' } });
    expect(await checkSignIn(keys)).toEqual([]);
    const local = { auth: { jwt: { issuer: oauth.origin, audience: 'a', console: { clientId: 'a' } } } };
    expect(await findings(undefined, local)).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['no openid', { scopes_supported: ['profile'] }, /^warning: .*scope openid/],
    [
      'shared secrets',
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      /^warning: .*shares with the client.*RS256/,
    ],
    ['nowhere to sign in', { authorization_endpoint: undefined }, /^error: .*no authorization_endpoint/],
  ])('%s', async (_, metadata, message) => {
    oauth.behaviour.metadata = metadata as Record<string, unknown>;
    expect(await findings()).toEqual([expect.stringMatching(message)]);
  });

  it('compares the issuer to the letter, as tokens are', async () => {
    oauth.behaviour.metadata = { issuer: `${oauth.origin}/` };
    expect(await findings()).toEqual([
      `warning: The provider names itself ${oauth.origin}/, and auth.jwt.issuer is ${oauth.origin}: its ID tokens are taken for another's. Set \`auth.jwt.issuer: ${oauth.origin}/\`.`,
    ]);
  });

  it('knows of algorithms and scopes beside those', async () => {
    oauth.behaviour.metadata = {
      scopes_supported: ['openid', 'profile'],
      id_token_signing_alg_values_supported: ['HS256', 'RS256'],
    };
    expect(await findings()).toEqual([expect.stringMatching(/^ok/)]);
  });

  it('leaves a provider that is away, or another, to the check of clients', async () => {
    const configuration = await configured();
    oauth.behaviour.metadata = { issuer: 'https://other.example' };
    expect(await aboutPeople(configuration)).toEqual([]);
    await oauth.stop();
    expect(await aboutPeople(configuration)).toEqual([]);
  });

  it('misses a secret that is not there', async () => {
    const console = { clientId: { env: 'CONSOLE_ID' }, clientSecret: { file: './secret' } };
    const found = await checkCredentials(await configured(console), { CONSOLE_ID: 'console' });
    expect(found.filter(({ check }) => check === 'console sign-in')).toMatchObject([
      { status: 'ok' },
      { status: 'error', message: expect.stringContaining('auth.jwt.console.clientSecret') },
    ]);
  });

  it('looks for a program that prints a secret, and does not run it', async () => {
    const console = {
      clientId: { command: ['sh', '-c', 'exit 1'] },
      clientSecret: { command: ['no-such', 'x'] },
    };
    const found = await checkCredentials(await configured(console), { PATH: process.env['PATH'] });
    expect(found.filter(({ check }) => check === 'console sign-in')).toMatchObject([
      { status: 'ok', message: 'auth.jwt.console.clientId: sh prints it, which is there (not run)' },
      {
        status: 'error',
        message: 'auth.jwt.console.clientSecret: no-such prints it, and there is no such program.',
      },
    ]);
  });
});
