import { describe, expect, it } from 'vitest';
import { codeEndpoints } from '../../../src/credentials/sign-in/code-endpoints.ts';
import type { SecurityScheme } from '../../../src/operations/index.ts';

const ISSUER = 'https://login.example';

describe('where a person signs in', () => {
  const openId: SecurityScheme = { type: 'openIdConnect', url: ISSUER };
  const provider = { issuer: ISSUER, tokenUrl: `${ISSUER}/token`, authorizationUrl: `${ISSUER}/authorize` };
  const own = { tokenUrl: 'https://own.example/token', authorizationUrl: 'https://own.example/authorize' };
  const endpoints = async (scheme: SecurityScheme | undefined, settings: object) => {
    let asked = 0;
    const need = { schemeName: 'login', scheme, settings, place: 'credentials', base: undefined };
    const found = await codeEndpoints(need as Parameters<typeof codeEndpoints>[0], async () => {
      asked++;
      return provider;
    });
    return { ...found, asked };
  };

  it('is what the provider publishes, and its answers name it', async () => {
    expect(await endpoints(openId, {})).toEqual({ ...provider, refreshUrl: provider.tokenUrl, asked: 1 });
  });

  it('is what the configuration says; then nobody is asked, and no issuer is expected', async () => {
    expect(await endpoints(openId, own)).toEqual({ ...own, refreshUrl: own.tokenUrl, asked: 0 });
    const { asked, issuer, tokenUrl } = await endpoints(openId, { tokenUrl: own.tokenUrl });
    expect([asked, issuer, tokenUrl]).toEqual([1, ISSUER, own.tokenUrl]);
  });

  it('is what the provider publishes where the configuration says but the half', async () => {
    const { authorizationUrl } = own;
    expect(await endpoints(openId, { authorizationUrl })).toMatchObject({
      authorizationUrl,
      tokenUrl: provider.tokenUrl,
      issuer: ISSUER,
    });
  });

  it('sends a refresh token where the configuration says, else where the document says', async () => {
    const declared: SecurityScheme = {
      type: 'oauth2',
      scopes: [],
      tokenUrl: 'https://flow.example/token',
      refreshUrl: 'https://flow.example/refresh',
    };
    expect((await endpoints(declared, {})).refreshUrl).toBe('https://flow.example/refresh');
    expect((await endpoints(declared, own)).refreshUrl).toBe(own.tokenUrl);
  });

  it('is nowhere without a scheme that says it', async () => {
    await expect(endpoints(undefined, {})).rejects.toMatchObject({ code: 'credentials_missing' });
  });
});
