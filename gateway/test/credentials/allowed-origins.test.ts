import { describe, expect, it } from 'vitest';
import { assertOrigin, originsOf } from '../../src/credentials/allowed-origins.ts';
import { createCredentialProvider } from '../../src/credentials/index.ts';
import type { Egress } from '../../src/egress/egress.ts';
import type { Connection, ProviderFacts } from '../../src/operations/index.ts';
import { connection, header, NO_EGRESS, request } from './connections.ts';

const ZOHO: ProviderFacts = {
  provider: 'zoho-recruit',
  displayName: 'Zoho Recruit',
  category: 'ats',
  baseUrl: 'https://recruit.zoho.com/recruit/v2',
  blocklist: [],
  regions: { eu: { baseUrl: 'https://recruit.zoho.eu/recruit/v2' } },
};

describe('where a credential may go', () => {
  it.each<[string, Partial<Connection>, ProviderFacts | undefined, readonly string[] | undefined]>([
    ['without base URL and provider: anywhere', {}, undefined, undefined],
    ['to the base URL', { baseUrl: 'https://api.example.org/v1' }, undefined, ['https://api.example.org']],
    ['to a port of its own only', { baseUrl: 'http://127.0.0.1:81/x' }, undefined, ['http://127.0.0.1:81']],
    ['to the manifest’s host', { provider: 'zoho-recruit' }, ZOHO, ['https://recruit.zoho.com']],
    ['to the region’s host', { provider: 'zoho-recruit', region: 'eu' }, ZOHO, ['https://recruit.zoho.eu']],
    [
      'to the manifest’s host, where only the source says whose it is',
      {},
      ZOHO,
      ['https://recruit.zoho.com'],
    ],
    ['nowhere in an unknown region', { provider: 'zoho-recruit', region: 'mars' }, ZOHO, []],
    ['nowhere for a name of Object.prototype', { provider: 'zoho-recruit', region: 'constructor' }, ZOHO, []],
    ['nowhere where the provider is not known', { provider: 'zoho-recruit' }, undefined, []],
    [
      'to the base URL before the region',
      { baseUrl: 'https://proxy.test', region: 'eu' },
      ZOHO,
      ['https://proxy.test'],
    ],
    ['nowhere for a base URL that is none', { baseUrl: 'data:x' }, ZOHO, []],
    ['nowhere for a base URL that cannot be read', { baseUrl: 'nowhere' }, ZOHO, []],
  ])('%s', (_, changes, facts, expected) => {
    expect(originsOf(connection({}, undefined, changes), facts)).toEqual(expected);
  });

  it.each(['data:text/plain,x', 'nowhere', 'urn:x'])(
    'a credential that may go anywhere goes to no address without an origin: %s',
    async (url) => {
      const credentials = createCredentialProvider({ egress: {} as Egress, env: {} });
      const anywhere = connection({ token: { type: 'http', scheme: 'bearer' } }, { bearer: 'token' });
      const send = (to: string) =>
        credentials.authorize(request({ url: to }), anywhere, [{ token: [] }], new AbortController().signal);
      await expect(send(url)).rejects.toMatchObject({ code: 'egress_blocked' });
      expect(header(await send('https://api.example.org/x'), 'authorization')).toBe('Bearer token');
    },
  );

  it('a credential without any origin goes nowhere', () => {
    for (const allowed of [[], ['https://other.example.org']]) {
      expect(() =>
        assertOrigin(request({ url: 'https://api.example.org/x' }), connection({}), allowed),
      ).toThrow(expect.objectContaining({ code: 'egress_blocked' }));
    }
  });

  it('a provider’s token never goes to another provider', async () => {
    const credentials = createCredentialProvider({ egress: NO_EGRESS, env: {}, provider: () => ZOHO });
    const zoho = connection(
      { token: { type: 'http', scheme: 'Zoho-oauthtoken' } },
      { bearer: 'zoho-token' },
      { provider: 'zoho-recruit' },
    );
    const send = (url: string) =>
      credentials.authorize(request({ url }), zoho, [{ token: [] }], new AbortController().signal);
    const sent = await send('https://recruit.zoho.com/recruit/v2/Candidates');
    expect(header(sent, 'authorization')).toBe('Zoho-oauthtoken zoho-token');
    for (const url of [
      'https://harvest.greenhouse.io/v1/candidates',
      'https://recruit.zoho.com.evil.example/x',
      'http://recruit.zoho.com/x',
    ]) {
      await expect(send(url)).rejects.toMatchObject({ code: 'egress_blocked' });
    }
  });
});
