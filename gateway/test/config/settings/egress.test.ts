import { describe, expect, it } from 'vitest';
import { configurationForDocuments, parseConfiguration } from '../../../src/config/index.ts';

const parsed = (value: object, env: Record<string, string> = {}) =>
  parseConfiguration(value, { env, baseDirectory: '/crib' });

describe('the proxy that leads out', () => {
  it('is none, whatever the usual variables say', async () => {
    const { egress } = await parsed({}, { HTTPS_PROXY: 'http://proxy.test:3128' });
    expect(egress).toEqual({ allow: [], redirects: [] });
  });

  it('is what the file says, its URL read from where it names', async () => {
    const proxy = { url: { env: 'HTTPS_PROXY' }, resolve: 'proxy', bypass: ['.corp.test'] };
    const { egress } = await parsed(
      { egress: { allow: ['10.0.0.5'], proxy } },
      { HTTPS_PROXY: 'http://ann:word@proxy.test:3128', TOOLCRIB_PROXY: 'http://other.test' },
    );
    expect(egress).toEqual({
      allow: ['10.0.0.5'],
      redirects: ['10.0.0.5'],
      proxy: { url: 'http://ann:word@proxy.test:3128/', resolve: 'proxy', bypass: ['.corp.test'] },
    });
  });

  it('is what TOOLCRIB_PROXY says, for documents on the command line too', async () => {
    const env = { TOOLCRIB_PROXY: 'https://proxy.test:3129' };
    const proxy = { url: 'https://proxy.test:3129/' };
    expect((await parsed({}, env)).egress.proxy).toEqual(proxy);
    expect((await parsed({ egress: { allow: ['10.0.0.5'] } }, env)).egress).toEqual({
      allow: ['10.0.0.5'],
      redirects: ['10.0.0.5'],
      proxy,
    });
    const { egress } = configurationForDocuments(['https://api.test/openapi.json'], { env, cwd: '/crib' });
    expect(egress.proxy).toEqual(proxy);
  });

  it.each([
    'socks5://proxy.test',
    'proxy.test:3128',
    'http://proxy.test/way',
    'http://proxy.test/?way',
    'http://proxy.test/#way',
  ])('has an address that leads nowhere: %s', async (url) => {
    await expect(parsed({ egress: { proxy: { url } } })).rejects.toMatchObject({
      code: 'configuration_invalid',
      pointer: '#/egress/proxy/url',
    });
    await expect(parsed({}, { TOOLCRIB_PROXY: url })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('TOOLCRIB_PROXY'),
    });
  });

  it('resolves no name where nothing is said of it, and a variable of spaces names none', async () => {
    const { egress } = await parsed({ egress: { proxy: { url: 'http://proxy.test:3128' } } });
    expect(egress).toEqual({ allow: [], redirects: [], proxy: { url: 'http://proxy.test:3128/' } });
    expect((await parsed({}, { TOOLCRIB_PROXY: ' ' })).egress).toEqual({ allow: [], redirects: [] });
  });

  it('is not repeated in the complaint, since it may hold a password', async () => {
    const asked = parsed({ egress: { proxy: { url: 'ftp://ann:open-sesame@proxy.test' } } });
    await expect(asked).rejects.toMatchObject({ message: expect.not.stringContaining('sesame') });
  });

  it('names a variable that is not set', async () => {
    await expect(parsed({ egress: { proxy: { url: { env: 'PROXY_URL' } } } })).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('PROXY_URL'),
      pointer: '#/egress/proxy/url',
    });
  });
});
