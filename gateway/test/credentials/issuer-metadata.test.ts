import { describe, expect, it, onTestFinished } from 'vitest';
import { keySetUrlOf, readIssuerMetadata, signInEndpointsOf } from '../../src/credentials/issuer-metadata.ts';
import { createEgress } from '../../src/egress/index.ts';
import { type Answer, startLoopbackService } from '../doubles/loopback-service.ts';

/** An issuer that answers so at its well-known addresses, and 404 elsewhere. */
async function issuerWith(answers: (origin: string) => Record<string, Answer>, path = '') {
  const service = await startLoopbackService(
    '',
    ({ path: asked }): Answer => answers(service.url)[asked] ?? { status: 404, body: {} },
  );
  const egress = createEgress({ allow: [service.url] });
  onTestFinished(async () => {
    await egress.close();
    await service.close();
  });
  const issuer = `${service.url}${path}`;
  const read = (of = issuer) => readIssuerMetadata(egress, of, AbortSignal.timeout(5_000));
  return { issuer, read, asked: () => service.requests.map(({ path: asked }) => asked) };
}
const document = (issuer: string): Answer => ({ status: 200, body: { issuer, jwks_uri: `${issuer}/keys` } });

describe('metadata of an authorization server', () => {
  it.each([
    '/.well-known/oauth-authorization-server/realms/a',
    '/.well-known/openid-configuration/realms/a',
    '/realms/a/.well-known/openid-configuration',
  ])('are found at %s', async (place) => {
    const { issuer, read } = await issuerWith(
      (origin) => ({ [place]: document(`${origin}/realms/a`) }),
      '/realms/a',
    );
    expect(await read()).toMatchObject({ issuer });
  });

  it('of an issuer without a path are asked for twice at most', async () => {
    const { read, asked } = await issuerWith(() => ({}));
    expect(await read()).toBeUndefined();
    expect(asked()).toEqual(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']);
  });

  it('a slash at the end is no other issuer', async () => {
    const { issuer, read } = await issuerWith((origin) => ({
      '/.well-known/openid-configuration': document(`${origin}/`),
    }));
    expect(await read(issuer)).toMatchObject({ issuer: `${issuer}/` });
    expect(await read(`${issuer}/`)).toMatchObject({ issuer: `${issuer}/` });
  });

  it('pages for people and redirects to them are none', async () => {
    const { issuer, read } = await issuerWith((origin) => ({
      '/.well-known/oauth-authorization-server': { status: 302, headers: { location: `${origin}/login` } },
      '/.well-known/openid-configuration': document(origin),
    }));
    expect(await read()).toMatchObject({ issuer });
  });

  it('a document that names no issuer is something else, such as the keys themselves', async () => {
    const { issuer, read } = await issuerWith((origin) => ({
      '/.well-known/oauth-authorization-server': { status: 200, body: { keys: [] } },
      '/.well-known/openid-configuration': document(origin),
    }));
    expect(await read()).toMatchObject({ issuer });
    const none = await issuerWith(() => ({
      '/.well-known/openid-configuration': { status: 200, body: { keys: [] } },
    }));
    expect(await none.read()).toBeUndefined();
  });

  it('of another issuer are refused, and of one that fails', async () => {
    const other = await issuerWith(() => ({
      '/.well-known/oauth-authorization-server': document('https://other.example'),
    }));
    await expect(other.read()).rejects.toMatchObject({
      code: 'credentials_refused',
      message: `The metadata of the authorization server ${other.issuer} name another issuer, https://other.example.`,
      next: expect.stringContaining('exactly so'),
    });
    const odd = await issuerWith(() => ({
      '/.well-known/oauth-authorization-server': { status: 200, body: { issuer: ['x'] } },
    }));
    await expect(odd.read()).rejects.toMatchObject({
      message: expect.stringMatching(/name another issuer, none that can be read\.$/),
    });
    for (const status of [500, 503]) {
      const failing = await issuerWith(() => ({
        '/.well-known/oauth-authorization-server': { status, body: {} },
      }));
      await expect(failing.read()).rejects.toMatchObject({ code: 'credentials_refused' });
    }
  });

  it('an error in their words is none', async () => {
    const { read } = await issuerWith((origin) => ({
      '/.well-known/oauth-authorization-server': { status: 404, body: { issuer: origin } },
    }));
    expect(await read()).toBeUndefined();
  });

  it('another issuer is named without what would move the cursor', async () => {
    const { read } = await issuerWith(() => ({
      '/.well-known/oauth-authorization-server': { status: 200, body: { issuer: 'https://a\u001b[2Jb' } },
    }));
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('https://a [2Jb') });
  });

  it('are read through the door alone', async () => {
    const { read } = await issuerWith(() => ({}));
    await expect(read('http://169.254.169.254/')).rejects.toMatchObject({ code: 'egress_blocked' });
  });
});

describe('the keys that they name', () => {
  it.each([
    ['https://id.example', 'https://keys.example/a', 'https://keys.example/a'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/keys', 'http://127.0.0.1:8080/keys'],
    ['http://127.0.0.1:8080', 'https://keys.example/a', 'https://keys.example/a'],
    ['https://id.example', undefined, undefined],
  ])('%s: %s', (issuer, named, url) => {
    expect(keySetUrlOf(named === undefined ? {} : { jwks_uri: named }, issuer)).toBe(url);
  });

  it.each([
    'http://id.example/keys',
    '/keys',
    'file:///etc/passwd',
    'https://a:b@id.example/keys',
    'https://a@id.example/keys',
    'https://:b@id.example/keys',
    7,
    null,
  ])('%s is refused', (named) => {
    expect(() => keySetUrlOf({ jwks_uri: named }, 'https://id.example')).toThrow(
      expect.objectContaining({ code: 'credentials_refused' }),
    );
  });

  it('of an issuer in the clear are at no address of another kind', () => {
    expect(() => keySetUrlOf({ jwks_uri: 'file:///etc/passwd' }, 'http://127.0.0.1:8080')).toThrow(
      expect.objectContaining({ code: 'credentials_refused' }),
    );
  });
});

describe('where people sign in', () => {
  const METADATA = {
    authorization_endpoint: 'https://id.example/authorize?tenant=a',
    token_endpoint: 'https://tokens.example/token',
  };
  const ISSUER = 'https://id.example';

  it('and where the code becomes tokens', () => {
    expect(signInEndpointsOf(METADATA, ISSUER)).toEqual({
      authorizationUrl: 'https://id.example/authorize?tenant=a',
      tokenUrl: 'https://tokens.example/token',
      namesItself: false,
      authenticatesInBody: false,
    });
    const names = { ...METADATA, authorization_response_iss_parameter_supported: true };
    expect(signInEndpointsOf(names, ISSUER).namesItself).toBe(true);
    const denies = { ...METADATA, authorization_response_iss_parameter_supported: false };
    expect(signInEndpointsOf(denies, ISSUER).namesItself).toBe(false);
  });

  it.each([
    [undefined, false],
    [['client_secret_post'], true],
    [['private_key_jwt', 'client_secret_post'], true],
    [['client_secret_basic', 'client_secret_post'], false],
    [['none'], false],
    ['client_secret_post', false],
  ])('methods %j: the secret stands in the form: %s', (methods, inBody) => {
    const metadata = { ...METADATA, token_endpoint_auth_methods_supported: methods as never };
    expect(signInEndpointsOf(metadata, ISSUER).authenticatesInBody).toBe(inBody);
  });

  it.each([
    ['authorization_endpoint', undefined],
    ['authorization_endpoint', 'http://id.example/authorize'],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['token_endpoint', undefined],
    ['token_endpoint', '/token'],
    ['token_endpoint', 'https://a:b@id.example/token'],
  ])('%s %s is refused', (name, value) => {
    const { [name]: _, ...rest } = METADATA as Record<string, string>;
    const metadata = value === undefined ? rest : { ...rest, [name]: value };
    expect(() => signInEndpointsOf(metadata, ISSUER)).toThrow(
      expect.objectContaining({
        code: 'credentials_refused',
        message: expect.stringContaining(name),
      }),
    );
  });
});
