import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../src/config/index.ts';

const parse = (configuration: object) =>
  parseConfiguration(configuration as never, { baseDirectory: '/', env: {} });
const JWT = { issuer: 'https://id.example/', audience: 'toolcrib' };

describe('sign-in tokens', () => {
  it('have one audience or several; keys and scopes are as the issuer says', async () => {
    expect((await parse({ auth: { jwt: JWT } })).auth.jwt).toEqual({
      issuer: 'https://id.example/',
      audience: ['toolcrib'],
      claims: { user: 'sub', organisation: 'org_id', roles: 'roles' },
    });
    const audience = ['https://tools.example/mcp', 'api://toolcrib'];
    const scopes = ['api://toolcrib/mcp', 'offline_access', 'offline_access'];
    const { auth } = await parse({ auth: { jwt: { ...JWT, audience, scopes } } });
    expect(auth.jwt).toMatchObject({ audience, scopes: ['api://toolcrib/mcp', 'offline_access'] });
  });

  it('lets people sign in to the console where it is a client of the provider', async () => {
    const console = { clientId: 'crib', clientSecret: { file: 'secret' } };
    const { auth } = await parse({ auth: { jwt: { ...JWT, console } } });
    expect(auth.jwt?.console).toEqual({
      clientId: 'crib',
      clientSecret: { file: resolve('/secret') },
      scopes: ['openid'],
      name: 'id.example',
    });
    const own = {
      clientId: { env: 'CONSOLE_ID' },
      clientAuthentication: 'body',
      scopes: ['openid', 'profile', 'openid'],
      name: 'Acme account',
      authorizationParameters: { prompt: 'login' },
    };
    expect((await parse({ auth: { jwt: { ...JWT, console: own } } })).auth.jwt?.console).toEqual({
      ...own,
      scopes: ['openid', 'profile'],
    });
  });

  it.each([
    [{ console: {} }, '#/auth/jwt/console/clientId'],
    [{ console: { clientId: 'a', scopes: ['profile'] } }, '#/auth/jwt/console/scopes'],
    [{ console: { clientId: 'a', name: 'a\u202eb' } }, '#/auth/jwt/console/name'],
    [{ console: { clientId: 'a', name: '' } }, '#/auth/jwt/console/name'],
    [{ console: { clientId: 'a', redirectUri: 'x' } }, '#/auth/jwt/console/redirectUri'],
    [
      { console: { clientId: 'a', authorizationParameters: { response_mode: 'form_post' } } },
      '#/auth/jwt/console/authorizationParameters',
    ],
    [{ audience: [] }, '#/auth/jwt/audience'],
    [{ audience: [''] }, '#/auth/jwt/audience/0'],
    [{ scopes: 'mcp' }, '#/auth/jwt/scopes'],
    [{ scopes: ['mcp tools'] }, '#/auth/jwt/scopes/0'],
    [{ scopes: ['a', 'b"c'] }, '#/auth/jwt/scopes/1'],
    [{ scopes: ['back\\slash'] }, '#/auth/jwt/scopes/0'],
    [{ scopes: ['ü'] }, '#/auth/jwt/scopes/0'],
  ])('%j is refused', async (part, pointer) => {
    await expect(parse({ auth: { jwt: { ...JWT, ...part } } })).rejects.toMatchObject({
      code: 'configuration_invalid',
      pointer,
    });
  });
});

describe('the address that people know', () => {
  const publicUrl = 'https://tools.example.com';

  it.each([
    [publicUrl, publicUrl],
    [`${publicUrl}/`, publicUrl],
    ['https://TOOLS.example.com:443', publicUrl],
    ['http://10.0.0.7:8787', 'http://10.0.0.7:8787'],
    ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
  ])('%s is %s', async (given, origin) => {
    expect((await parse({ server: { publicUrl: given } })).server.publicUrl).toBe(origin);
  });

  it.each([
    ['tools.example.com', /absolute http/],
    ['ftp://tools.example.com', /absolute http/],
    ['https://user:pass@tools.example.com', /absolute http/],
    ['https://:pass@tools.example.com', /absolute http/],
    [`${publicUrl}/toolcrib`, /root of its host/],
    [`${publicUrl}/?a=b`, /root of its host/],
    [`${publicUrl}/#top`, /root of its host/],
    [`${publicUrl}/?`, /root of its host/],
  ])('%s is refused', async (given, message) => {
    const refused = parse({ server: { publicUrl: given } });
    await expect(refused).rejects.toMatchObject({
      code: 'configuration_invalid',
      pointer: '#/server/publicUrl',
      message: expect.stringMatching(message),
    });
  });

  it('is where links to approvals begin, unless they begin elsewhere', async () => {
    const url = async (approvals?: object) =>
      (await parse({ server: { publicUrl: `${publicUrl}/` }, policy: { approvals } })).policy.approvals?.url;
    expect(await url()).toBe(publicUrl);
    expect(await url({ write: 'ask' })).toBe(publicUrl);
    expect(await url({ url: 'https://approvals.example.com/x' })).toBe('https://approvals.example.com/x');
  });
});

describe('who may ask', () => {
  const server = (key: string, entry: string) => parse({ server: { [key]: ['a.example', entry] } });

  it.each([
    ['allowedHosts', 'https://tools.example.com/', 'tools.example.com'],
    ['allowedHosts', 'http://tools.example.com:8787/mcp', 'tools.example.com:8787'],
    ['allowedHosts', 'tools.example.com/', undefined],
    ['allowedHosts', '*.example.com', undefined],
    ['allowedHosts', 'tools.example.com, b.example', undefined],
  ])('%s refuses %s at its line, with what it should be', async (key, entry, meant) => {
    await expect(server(key, entry)).rejects.toMatchObject({
      code: 'configuration_invalid',
      pointer: `#/server/${key}/1`,
      message: expect.stringContaining(meant === undefined ? 'Must be a host' : `Did you mean "${meant}"?`),
    });
  });

  it.each([
    ['https://app.example.com/start', 'https://app.example.com'],
    ['https://app.example.com/?a', 'https://app.example.com'],
    ['app.example.com', undefined],
    ['*', undefined],
    ['https://*.example.com', undefined],
  ])('allowedOrigins refuses %s', async (entry, meant) => {
    const refused = parse({ server: { allowedOrigins: [entry] } });
    await expect(refused).rejects.toMatchObject({
      pointer: '#/server/allowedOrigins/0',
      message: expect.stringContaining(
        meant === undefined ? 'Must be an origin' : `Did you mean "${meant}"?`,
      ),
    });
  });

  it.each(['http://localhost', '127.0.0.1:8787', 'a b'])('host refuses %s', async (host) => {
    await expect(parse({ server: { host } })).rejects.toMatchObject({
      pointer: '#/server/host',
      message: expect.stringContaining('without scheme and port'),
    });
  });

  it.each(['::1', '[::1]', '0.0.0.0', 'tools.internal'])('host takes %s', async (host) => {
    expect((await parse({ server: { host } })).server.host).toBe(host);
  });

  it('takes hosts with ports, addresses, and origins of pages that are no web pages', async () => {
    const allowedHosts = ['tools.example.com', 'tools:8787', '[2001:db8::8]:1', '2001:db8::8', '10.0.0.1'];
    const allowedOrigins = ['https://a.example/', 'http://localhost:3000', 'vscode-webview://panel', 'null'];
    expect((await parse({ server: { allowedHosts, allowedOrigins } })).server).toMatchObject({
      allowedHosts,
      allowedOrigins,
    });
  });
});
