import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { aboutClients } from '../../../src/doctor/sign-in/clients.ts';
import { checkSignIn } from '../../../src/doctor/sign-in/sign-in.ts';
import { EgressFailure } from '../../../src/egress/egress.ts';
import { type OAuthDouble, startOAuthServer } from '../../doubles/oauth-server.ts';

let oauth: OAuthDouble;
beforeEach(async () => {
  oauth = await startOAuthServer();
});
afterEach(() => oauth.close());

async function findings(jwt: object = {}, more: object = {}) {
  const configuration = await parseConfiguration(
    { auth: { mode: 'team', jwt: { issuer: oauth.origin, audience: 'toolcrib', ...jwt } }, ...more } as never,
    { env: {}, baseDirectory: '/srv' },
  );
  const found = (await checkSignIn(configuration)).filter(({ check }) => check !== 'sign-in keys');
  expect(found.every(({ check }) => check === 'client sign-in')).toBe(true);
  return found.map(({ status, message, next }) => `${status}: ${message}${next ? ` ${next}` : ''}`);
}

describe('toolcrib doctor, clients that sign in', () => {
  it('says how they do', async () => {
    expect(await findings()).toEqual([
      `ok: ${oauth.origin} lets clients sign in by themselves, by registration.`,
    ]);
    oauth.behaviour.metadata = { client_id_metadata_document_supported: true };
    expect(await findings()).toEqual([expect.stringContaining('by metadata documents and registration.')]);
    // spelled otherwise, and the same address
    expect(await findings({ jwksUrl: `${oauth.origin}/x/../keys` })).toEqual([expect.stringMatching(/^ok/)]);
    oauth.behaviour.metadata = {
      client_id_metadata_document_supported: true,
      registration_endpoint: undefined,
    };
    expect(await findings()).toEqual([expect.stringMatching(/^ok: .*, by metadata documents\.$/)]);
    oauth.behaviour.metadata = { jwks_uri: undefined };
    expect(await findings({ jwksUrl: `${oauth.origin}/keys` })).toEqual([expect.stringMatching(/^ok/)]);
  });

  it.each<[string, object, RegExp]>([
    ['no way to get a client id', { registration_endpoint: undefined }, /registers no clients.*client id/],
    [
      'metadata documents that are denied',
      { registration_endpoint: undefined, client_id_metadata_document_supported: false },
      /registers no clients/,
    ],
    ['no PKCE', { code_challenge_methods_supported: undefined }, /S256.*PKCE/],
    ['PKCE in the clear', { code_challenge_methods_supported: ['plain'] }, /S256.*PKCE/],
    [
      'people who are somebody else to each client',
      { subject_types_supported: ['pairwise'] },
      /"sub".*claims/,
    ],
    ['nowhere to sign in', { authorization_endpoint: undefined }, /no authorization_endpoint:/],
    [
      'no endpoints',
      { authorization_endpoint: 7, token_endpoint: 'here' },
      /no authorization_endpoint and no token_endpoint:/,
    ],
  ])('%s is a warning that says what to do', async (_, metadata, message) => {
    oauth.behaviour.metadata = metadata as Record<string, unknown>;
    const found = await findings();
    expect(found).toEqual([expect.stringMatching(message)]);
    expect(found[0]).toMatch(/^warning/);
  });

  it('another claim than sub names people alike to each client, and so may the sub of some', async () => {
    oauth.behaviour.metadata = { subject_types_supported: ['pairwise'] };
    expect(await findings({ claims: { user: 'oid' } })).toEqual([expect.stringMatching(/^ok/)]);
    oauth.behaviour.metadata = { subject_types_supported: ['public', 'pairwise'] };
    expect(await findings()).toEqual([expect.stringMatching(/^ok/)]);
  });

  it('keys that are elsewhere than the issuer says', async () => {
    expect(await findings({ jwksUrl: `${oauth.origin}/old-keys` })).toEqual([
      expect.stringMatching(/^warning: .*\/old-keys.*\/keys\. Take `auth\.jwt\.jwksUrl` out/),
    ]);
  });

  it('metadata that cannot be used or read, or are not there', async () => {
    oauth.behaviour.metadata = { issuer: 'https://other.example' };
    expect(await findings()).toEqual([expect.stringMatching(/^error: .*another issuer/)]);
    oauth.behaviour.metadata = { jwks_uri: 'file:///etc/passwd' };
    expect(await findings()).toEqual([expect.stringMatching(/^error: .*jwks_uri/)]);
    expect(await findings({ issuer: `${oauth.origin}/realms/a` })).toEqual([
      expect.stringMatching(/^warning: .*publishes no metadata/),
    ]);
    await oauth.stop();
    expect(await findings()).toEqual([expect.stringMatching(/^error: /)]);
    // one does not hide the other
    expect(await findings({}, { server: { token: 't', host: '0.0.0.0' } })).toEqual([
      expect.stringMatching(/^warning: .*`server\.publicUrl`/),
      expect.stringMatching(/^error: /),
    ]);
  });

  it('metadata that do not come in time are told, and hide nothing else', async () => {
    const { auth, server } = await parseConfiguration(
      { auth: { mode: 'team', jwt: { issuer: oauth.origin, audience: 'toolcrib' } } } as never,
      { env: {}, baseDirectory: '/srv' },
    );
    const error = new EgressFailure('timeout', 'all', '127.0.0.1:1: the deadline of the call passed');
    expect(await aboutClients(server, auth.jwt!, { error })).toMatchObject([
      {
        status: 'error',
        message: expect.stringMatching(/cannot be read: .*the deadline of the call passed\.$/),
      },
    ]);
  });

  it('the address that clients are told', async () => {
    const server = (settings: object) => ({ server: { token: 't', ...settings } });
    expect(await findings({}, server({ host: '0.0.0.0' }))).toEqual([
      expect.stringMatching(/^warning: .*`server\.publicUrl`/),
    ]);
    expect(await findings({}, server({ host: '0.0.0.0', publicUrl: 'http://tools.example.com' }))).toEqual([
      expect.stringMatching(/^warning: .*in the clear/),
    ]);
    const here = server({ publicUrl: 'http://127.0.0.1:8787' });
    expect(await findings({}, here)).toEqual([expect.stringMatching(/^ok/)]);
    const publicUrl = 'https://tools.example.com';
    expect(await findings({}, server({ host: '0.0.0.0', publicUrl }))).toEqual([
      expect.stringMatching(/^ok: .*; they know this gateway as https:\/\/tools\.example\.com\/mcp\.$/),
    ]);
  });

  it('tokens that nobody looks at', async () => {
    expect(await findings({}, { auth: { jwt: { issuer: oauth.origin, audience: 'a' } } })).toEqual([
      expect.stringMatching(/^warning: .*`auth\.mode: team`/),
    ]);
    const configuration = await parseConfiguration({} as never, { env: {}, baseDirectory: '/srv' });
    expect(await checkSignIn(configuration)).toEqual([]);
  });
});
