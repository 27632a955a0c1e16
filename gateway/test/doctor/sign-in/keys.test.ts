import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { checkSignIn } from '../../../src/doctor/sign-in/sign-in.ts';
import { type OAuthDouble, startOAuthServer } from '../../doubles/oauth-server.ts';

let oauth: OAuthDouble;
beforeEach(async () => {
  oauth = await startOAuthServer();
});
afterEach(() => oauth.close());

/** What the doctor says of the keys, without the address of the double. */
async function said(jwt: object = {}) {
  const configuration = await parseConfiguration(
    { auth: { mode: 'team', jwt: { issuer: oauth.origin, audience: 'toolcrib', ...jwt } } } as never,
    { env: {}, baseDirectory: '/srv' },
  );
  const found = (await checkSignIn(configuration)).filter(({ check }) => check === 'sign-in keys');
  return found.map(({ status, message, next }) =>
    `${status}: ${message} ${next}`.replaceAll(oauth.origin, 'ISSUER'),
  );
}

it('keys that tokens can be checked with need no word', async () => {
  expect(await said()).toEqual([]);
  expect(await said({ jwksUrl: `${oauth.origin}/keys` })).toEqual([]);
});

it.each<[string, unknown, RegExp]>([
  ['no key', { keys: [] }, /ISSUER\/keys holds no key\. /],
  ['keys for encryption alone', { keys: [{ kty: 'RSA', use: 'enc' }] }, /no key that a token can be signed/],
  ['shared secrets', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }, /no key that a token can be signed/],
  ['something else', { status: 'ok' }, /is no JSON Web Key Set/],
  ['a list', [], /is no JSON Web Key Set/],
  ['a key and what is none', { keys: [{ kty: 'RSA' }, null] }, /is no JSON Web Key Set/],
])('%s instead of keys is an error', async (_what, keySet, message) => {
  oauth.behaviour.keySet = keySet;
  const found = await said();
  expect(found).toEqual([expect.stringMatching(message)]);
  expect(found[0]).toMatch(/^error: .*Every such token is refused\. .*`auth\.jwt\.issuer`/);
});

it('an address that is not theirs is told with the setting that names it', async () => {
  expect(await said({ jwksUrl: `${oauth.origin}/old` })).toEqual([
    expect.stringMatching(/ISSUER\/old answered 404\. .*Correct `auth\.jwt\.jwksUrl`/),
  ]);
  // where the issuer says nothing, they are looked for at the usual place
  oauth.behaviour.metadata = { jwks_uri: undefined };
  expect(await said()).toEqual([expect.stringMatching(/ISSUER\/\.well-known\/jwks\.json answered 404\./)]);
});

it('an issuer that is away is told of once', async () => {
  await oauth.stop();
  expect(await said()).toEqual([]);
  expect(await said({ jwksUrl: `${oauth.origin}/keys` })).toEqual([
    expect.stringMatching(/ISSUER\/keys cannot be read, .*Check the address and the network\.$/),
  ]);
});
