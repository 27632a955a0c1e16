import { describe, expect, it } from 'vitest';
import { discoverProvider } from '../../src/credentials/openid-discovery.ts';
import type { Egress } from '../../src/egress/egress.ts';

const ISSUER = 'https://login.example';
const METADATA = {
  issuer: ISSUER,
  token_endpoint: `${ISSUER}/token`,
  authorization_endpoint: `${ISSUER}/authorize`,
};

/** What is made of metadata that are read from the address. */
function discovered(metadata: object, address = ISSUER, status = 200) {
  const asked: string[] = [];
  const request: Egress['request'] = async ({ url }) => {
    asked.push(url);
    return { status, url, headers: {}, body: Buffer.from(JSON.stringify(metadata)) };
  };
  const found = discoverProvider({ request } as Egress, address, new AbortController().signal);
  return { asked, found };
}

describe('what a provider publishes', () => {
  it('is read from the well-known place of the issuer, or where the document says', async () => {
    for (const address of [ISSUER, `${ISSUER}/`, `${ISSUER}/.well-known/openid-configuration#top`]) {
      const { asked, found } = discovered(METADATA, address);
      expect(await found).toEqual({
        issuer: ISSUER,
        tokenUrl: `${ISSUER}/token`,
        authorizationUrl: `${ISSUER}/authorize`,
      });
      expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`]);
    }
  });

  it.each([
    ['/.well-known/openid-configuration/realms/a', '/realms/a'],
    ['/realms/a/.well-known/openid-configuration', '/realms/a'],
    ['/.well-known/oauth-authorization-server', ''],
  ])('is read at %s, and is of the issuer %j there', async (path, realm) => {
    const { asked, found } = discovered({ ...METADATA, issuer: `${ISSUER}${realm}` }, `${ISSUER}${path}`);
    expect(await found).toMatchObject({ issuer: `${ISSUER}${realm}` });
    expect(asked).toEqual([`${ISSUER}${path}`]);
    await expect(
      discovered({ ...METADATA, issuer: `${ISSUER}/other` }, `${ISSUER}${path}`).found,
    ).rejects.toMatchObject({ code: 'credentials_refused' });
  });

  it('is asked for at no address that is none', async () => {
    const { asked, found } = discovered(METADATA, 'login.example');
    await expect(found).rejects.toMatchObject({ code: 'source_invalid' });
    expect(asked).toEqual([]);
  });

  it.each<[string, object]>([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['an issuer that is no text', { issuer: 7 }],
    ['no token endpoint', { token_endpoint: undefined }],
    ['a token endpoint in the clear', { token_endpoint: 'http://login.example/token' }],
    ['a token endpoint of another kind', { token_endpoint: 'file:///etc/passwd' }],
    ['a token endpoint that is no address', { token_endpoint: '/token' }],
  ])('is not used with %s', async (_, changes) => {
    await expect(discovered({ ...METADATA, ...changes }).found).rejects.toMatchObject({
      code: 'credentials_refused',
    });
  });

  it('is not used where it was not found', async () => {
    await expect(discovered(METADATA, ISSUER, 404).found).rejects.toMatchObject({ status: 404 });
  });

  it.each(['http://login.example/authorize', 'javascript:alert(1)', '/authorize', undefined])(
    'sends nobody to sign in at %j',
    async (address) => {
      const found = await discovered({ ...METADATA, authorization_endpoint: address }).found;
      expect(found).not.toHaveProperty('authorizationUrl');
    },
  );

  it('in the clear may lead on in the clear', async () => {
    const local = 'http://127.0.0.1:9';
    const metadata = {
      issuer: local,
      token_endpoint: `${local}/token`,
      authorization_endpoint: `${local}/authorize`,
    };
    expect(await discovered(metadata, local).found).toMatchObject({ authorizationUrl: `${local}/authorize` });
    const elsewhere = discovered({ ...metadata, token_endpoint: 'file:///etc/passwd' }, local).found;
    await expect(elsewhere).rejects.toMatchObject({ code: 'credentials_refused' });
  });
});
