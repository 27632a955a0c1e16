import { describe, expect, it } from 'vitest';
import { loginRequest } from '../../../src/credentials/login/login-request.ts';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import type { TlsIdentity } from '../../../src/egress/egress.ts';
import type { Connection, LoginSettings, SecurityScheme } from '../../../src/operations/index.ts';
import { connection } from '../connections.ts';

const BASE = 'https://pets.example/api/';
const IDENTITY = { id: 'own' } as unknown as TlsIdentity;
const env = { PASSWORD: 'hunter2', NOBODY: '' };

async function outgoing(login: LoginSettings, changes: Partial<Connection> = {}, scheme?: SecurityScheme) {
  const announced: string[] = [];
  const need = {
    connection: connection({}, {}, { baseUrl: BASE, ...changes }),
    schemeName: 'auth',
    scheme,
    login,
    place: 'sources.pets.credentials.login',
    base: BASE,
  };
  const reader = createSecretReader(env, (secret) => announced.push(secret));
  const identities = { of: async ({ tls }: Pick<Connection, 'tls'>) => (tls ? IDENTITY : undefined) };
  const made = await loginRequest(need, reader, identities, new AbortController().signal);
  return { ...made, announced };
}

const names = (headers: readonly (readonly [string, string])[]) => headers.map(([name]) => name);

describe('what of a source goes along with a login', () => {
  const own = { headers: { 'X-Tenant': 'north' }, socketPath: '/run/pets.sock', tls: { ca: 'PEM' } };
  const form = { user: 'admin' };

  it.each([
    ['/auth', 'https://pets.example/api/auth'],
    ['https://pets.example/auth', 'https://pets.example/auth'],
  ])('all of it to its own origin (%s)', async (url, address) => {
    const { request } = await outgoing({ url, form }, own);
    expect(request).toMatchObject({ url: address, tls: IDENTITY, socketPath: '/run/pets.sock' });
    expect(names(request.headers)).toContain('X-Tenant');
  });

  it.each(['https://login.example/auth', 'https://pets.example:8443/auth'])(
    'nothing to another (%s)',
    async (url) => {
      const { request } = await outgoing({ url, form }, own);
      expect(request).not.toHaveProperty('tls');
      expect(request).not.toHaveProperty('socketPath');
      expect(names(request.headers)).toEqual(['Content-Type', 'Accept']);
    },
  );

  it('nothing that it does not have', async () => {
    const { request } = await outgoing({ url: '/auth', form });
    expect(request).not.toHaveProperty('tls');
    expect(request).not.toHaveProperty('socketPath');
  });

  it('every header counts as a credential, and each goes once, the login’s own first', async () => {
    const headers = { accept: 'text/plain', 'content-type': 'a/b', authorization: 'x' };
    const basic = { username: 'u', password: { env: 'PASSWORD' } } as const;
    const { request } = await outgoing(
      { url: '/auth', form, basic, headers: { Accept: 'b/c' } },
      { headers },
    );
    expect(names(request.headers)).toEqual(['Authorization', 'Accept', 'Content-Type']);
    expect(new Map(request.headers).get('Accept')).toBe('b/c');
    expect(request.credentialHeaders).toEqual(['authorization', 'accept', 'content-type']);
    expect(request).toMatchObject({ redirect: 'manual', cookies: 'keep' });
  });
});

describe('a login’s form', () => {
  const scheme: SecurityScheme = { type: 'oauth2', scopes: [], tokenUrl: '/token' };

  it.each<[string, LoginSettings, string]>([
    ['says its grant at a token endpoint', { form: { user: 'a' } }, 'grant_type=password&user=a'],
    ['but not twice', { form: { grant_type: 'custom', user: 'a' } }, 'grant_type=custom&user=a'],
    ['and not elsewhere', { url: '/auth', form: { user: 'a' } }, 'user=a'],
    ['is encoded, names as well', { url: '/auth', form: { 'a b': '1+2&ä' } }, 'a+b=1%2B2%26%C3%A4'],
  ])('%s', async (_what, login, body) => expect((await outgoing(login, {}, scheme)).request.body).toBe(body));
});

describe('what of a login is secret', () => {
  it.each<[string, LoginSettings, readonly string[]]>([
    ['what is read', { form: { user: 'admin', pass: { env: 'PASSWORD' } } }, ['hunter2']],
    ['not who logs in', { form: { user: { env: 'PASSWORD' }, code: 'x' } }, ['x']],
    ['a password that stands there itself', { form: { username: 'admin', password: 'sesame' } }, ['sesame']],
    ['within a body', { body: { of: [{ pin: { env: 'PASSWORD' } }], login: 'admin' } }, ['hunter2']],
    ['in a header', { headers: { 'X-Key': { env: 'PASSWORD' } } }, ['hunter2']],
  ])('%s', async (_what, login, secrets) =>
    expect((await outgoing({ url: '/auth', ...login })).secrets).toEqual(secrets),
  );

  it('is kept out of logs but for plain words: any word may stand in a configuration', async () => {
    const form = { kind: 'local', password: 'sesame', pass: { env: 'PASSWORD' } };
    expect((await outgoing({ url: '/auth', form })).announced).toEqual(['sesame', 'hunter2']);
  });

  it.each([
    [
      { env: 'PASSWORD', file: 'x' },
      { env: 'PASSWORD', file: 'x' },
    ],
    [{ env: 5 }, { env: 5 }],
    [{ of: 'PASSWORD' }, { of: 'PASSWORD' }],
    [{}, {}],
    [[{ env: 'PASSWORD' }], ['hunter2']],
    [null, null],
  ])('%j is read only where it is a reference', async (body, sent) => {
    const login = { url: '/auth', body: { value: body } } as unknown as LoginSettings;
    expect(JSON.parse((await outgoing(login)).request.body as string)).toEqual({ value: sent });
  });

  it('may be an empty password, and no empty name', async () => {
    const basic = (username: object | string, password: object) =>
      outgoing({ url: '/auth', basic: { username, password } } as LoginSettings);
    expect((await basic('u', { env: 'NOBODY' })).secrets).toEqual([]);
    await expect(basic({ env: 'NOBODY' }, { env: 'PASSWORD' })).rejects.toMatchObject({
      code: 'credentials_missing',
    });
  });
});
