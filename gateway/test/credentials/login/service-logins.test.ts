import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentialProvider } from '../../../src/credentials/index.ts';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import type {
  Connection,
  LoginSettings,
  SecurityAlternative,
  SecurityScheme,
} from '../../../src/operations/index.ts';
import { createRedactor } from '../../../src/telemetry/redactor.ts';
import { REFUSED_PORT } from '../../refused-port.ts';
import { connection, header, request } from '../connections.ts';
import { type IdentityProvider, sendJson, startIdentityProvider } from '../identity-provider.ts';

let service: IdentityProvider;
let egress: Egress;

beforeEach(async () => {
  service = await startIdentityProvider();
  egress = createEgress({ allow: [service.origin] });
});
afterEach(async () => {
  await egress.close();
  await service.close();
});

const PASSWORD = 'hunter2/+ä';
const BEARER: SecurityScheme = { type: 'http', scheme: 'bearer' };
const json = { username: 'admin', password: { env: 'PASSWORD' } };

interface Changes extends Partial<Connection> {
  readonly scheme?: SecurityScheme;
  readonly now?: () => number;
  readonly env?: Readonly<Record<string, string>>;
}

function subject(login: LoginSettings, { scheme = BEARER, now, env, ...changes }: Changes = {}) {
  const redactor = createRedactor();
  const credentials = createCredentialProvider({
    egress,
    env: env ?? { PASSWORD },
    redactor,
    ...(now === undefined ? {} : { now }),
  });
  const pets = connection({ auth: scheme }, { login }, { baseUrl: `${service.origin}/api/`, ...changes });
  const { signal } = new AbortController();
  const outgoing = () => request({ url: URL.parse('pets', pets.baseUrl)!.href });
  return {
    redactor,
    credentials,
    pets,
    authorize: (as = pets) => credentials.authorize(outgoing(), as, [{ auth: [] }], signal),
    ready: () => credentials.plan(outgoing(), pets, [{ auth: [] }], signal),
  };
}

/** Answers `session-1`, `session-2` … where `shape` puts it. */
function numbered(shape: (token: string) => unknown = (token) => ({ access_token: token })) {
  let count = 0;
  service.on('/api/auth', (_, response) => sendJson(response, 200, shape(`session-${++count}`)));
}

const authorization = async (asked: ReturnType<ReturnType<typeof subject>['authorize']>) =>
  header(await asked, 'authorization');

describe('what is sent', () => {
  it('is JSON below the base URL, with secrets read where they stand', async () => {
    numbered();
    const body = { ...json, remember: true, scope: { of: ['all', { env: 'AREA' }], depth: 2, note: null } };
    const { authorize, redactor } = subject({ url: '/auth', body }, { env: { PASSWORD, AREA: 'north' } });
    expect(await authorization(authorize())).toBe('Bearer session-1');
    const [got] = service.received;
    expect(got).toMatchObject({ method: 'POST', path: '/api/auth' });
    expect(got!.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
    expect(JSON.parse(got!.body)).toEqual({
      username: 'admin',
      password: PASSWORD,
      remember: true,
      scope: { of: ['all', 'north'], depth: 2, note: null },
    });
    expect(redactor.redact(`${PASSWORD} session-1`)).not.toMatch(/hunter2|session-1/);
    expect(redactor.redact('by admin')).toBe('by admin');
  });

  it('is a form', async () => {
    numbered();
    await subject({ url: '/auth', form: { user: 'a b', pass: { env: 'PASSWORD' } } }).authorize();
    expect(service.received[0]).toMatchObject({ body: 'user=a+b&pass=hunter2%2F%2B%C3%A4' });
  });

  it('is Basic', async () => {
    numbered();
    const login = { url: '/auth', basic: { username: 'admin', password: { env: 'PASSWORD' } } } as const;
    await subject({ ...login, method: 'GET' }).authorize();
    const [got] = service.received;
    expect(got).toMatchObject({ method: 'GET', body: '' });
    expect(got!.headers['content-type']).toBeUndefined();
    expect(Buffer.from(got!.headers['authorization']!.slice(6), 'base64').toString()).toBe(
      `admin:${PASSWORD}`,
    );
  });

  it('goes to the token endpoint of a password flow, where nobody says otherwise', async () => {
    service.on('/api/token', (_, response) => sendJson(response, 200, { access_token: 'granted' }));
    const scheme = { type: 'oauth2', scopes: [], tokenUrl: 'token', password: true } as const;
    const { authorize } = subject({ form: { username: 'u', password: { env: 'PASSWORD' } } }, { scheme });
    expect(await authorization(authorize())).toBe('Bearer granted');
    expect(service.received[0]!.body).toMatch(/^grant_type=password&username=u&password=/);
  });

  it('has the headers of the source where it goes to the same origin, and its own before them', async () => {
    numbered();
    const headers = { Accept: 'application/vnd.pets+json', 'X-Tenant': 'north' };
    const login = { url: '/auth', body: json, headers: { 'x-tenant': 'south' } };
    await subject(login, { headers }).authorize();
    expect(service.received[0]!.headers).toMatchObject({
      accept: 'application/vnd.pets+json',
      'x-tenant': 'south',
    });
  });

  it('leaves the headers of the source out elsewhere', async () => {
    numbered();
    const elsewhere = { headers: { 'X-Key': 'key' }, baseUrl: 'https://pets.example.org' };
    await subject({ url: `${service.origin}/api/auth`, body: json }, elsewhere).authorize();
    expect(service.received[0]!.headers['x-key']).toBeUndefined();
    expect(service.received[0]!.headers['accept']).toBe('application/json');
  });
});

describe('where the token stands', () => {
  it.each<[string, unknown, LoginSettings['token']]>([
    ['access_token', { access_token: 's' }, undefined],
    ['accessToken', { accessToken: 's' }, undefined],
    ['token', { token: 's' }, undefined],
    ['a place within', { data: [{ auth: 's' }] }, '/data/0/auth'],
    ['the whole body, a JSON string', 's', ''],
  ])('%s', async (_, body, token) => {
    service.on('/api/auth', (_request, response) => sendJson(response, 200, body));
    const { authorize } = subject({ url: '/auth', body: json, ...(token === undefined ? {} : { token }) });
    expect(await authorization(authorize())).toBe('Bearer s');
  });

  it('the whole body, plain text', async () => {
    service.on('/api/auth', (_, response) => void response.end('eyJ.plain\n'));
    expect(await authorization(subject({ url: '/auth', body: json, token: '' }).authorize())).toBe(
      'Bearer eyJ.plain',
    );
  });

  it('a header, as OpenStack has it', async () => {
    service.on('/api/auth', (_, response) => {
      response.writeHead(201, { 'X-Subject-Token': 'gAAAA', 'content-type': 'application/json' }).end('{}');
    });
    const scheme = { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } as const;
    const login = { url: '/auth', body: json, token: { header: 'x-subject-token' } };
    expect(header(await subject(login, { scheme }).authorize(), 'x-auth-token')).toBe('gAAAA');
  });

  it('a cookie that the scheme names, from a login that redirects', async () => {
    service.on('/api/auth', (_, response) => {
      const cookies = ['lang=en; Path=/', 'SID=old; Path=/', 'SID=s1; Path=/; HttpOnly'];
      response.writeHead(302, { location: 'https://elsewhere.example.org/', 'set-cookie': cookies }).end();
    });
    const scheme = { type: 'apiKey', in: 'cookie', name: 'SID' } as const;
    expect(header(await subject({ url: '/auth', form: { u: 'x' } }, { scheme }).authorize(), 'cookie')).toBe(
      'SID=s1',
    );
  });

  it.each<[string, SecurityScheme, Partial<LoginSettings>, string]>([
    ['another word of the scheme', { type: 'http', scheme: 'JWT' }, {}, 'JWT session-1'],
    ['a word of the configuration', BEARER, { tokenType: 'Token' }, 'Token session-1'],
    [
      'no word, as etcd has it',
      { type: 'apiKey', in: 'header', name: 'Authorization' },
      { tokenType: 'none' },
      'session-1',
    ],
    [
      'the word that an API key wants before it',
      { type: 'apiKey', in: 'header', name: 'Authorization', prefix: 'Token' },
      {},
      'Token session-1',
    ],
    [
      'an API key in Authorization',
      { type: 'apiKey', in: 'header', name: 'Authorization' },
      {},
      'Bearer session-1',
    ],
  ])('goes with %s', async (_, scheme, login, value) => {
    numbered();
    expect(await authorization(subject({ url: '/auth', body: json, ...login }, { scheme }).authorize())).toBe(
      value,
    );
  });

  it('is told, with the members there are, where there is none', async () => {
    service.on('/api/auth', (_, response) => sendJson(response, 200, { jwt: 'x', user: { id: 1 } }));
    await expect(subject({ url: '/auth', body: json }).authorize()).rejects.toMatchObject({
      code: 'credentials_refused',
      message: `The login at ${service.origin}/api/auth answered 200 and has no token at /access_token, /accessToken, /token. Its members: jwt, user.`,
      next: expect.stringContaining('login.token'),
    });
  });
});

/** A JWT that ends after `seconds`. */
function jwt(seconds: number, now: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp: now / 1000 + seconds })}.`;
}

describe('how long a token is used', () => {
  const start = 1_700_000_000_000;
  it.each<[string, (token: string) => unknown, Partial<LoginSettings>, number, number]>([
    ['as the answer says', (token) => ({ access_token: token, expires_in: 600 }), {}, 539, 1],
    ['as the answer says', (token) => ({ access_token: token, expires_in: 600 }), {}, 541, 2],
    ['as the token says', () => ({ token: jwt(600, start) }), {}, 539, 1],
    ['as the token says', () => ({ token: jwt(600, start) }), {}, 541, 2],
    ['as the configuration says', (token) => ({ token, expires_in: 9000 }), { lifetime: 600_000 }, 541, 2],
    ['as the configuration says', (token) => ({ token }), { lifetime: 48 * 3_600_000 }, 3600 * 47, 1],
    ['without a word until it is refused', (token) => ({ token }), {}, 3600 * 20, 1],
    ['but not for ever', (token) => ({ token }), {}, 3600 * 24, 2],
  ])('%s', async (_, shape, login, after, logins) => {
    numbered(shape);
    let time = start;
    const { authorize } = subject({ url: '/auth', body: json, ...login }, { now: () => time });
    await authorize();
    time += after * 1000;
    await authorize();
    expect(service.received).toHaveLength(logins);
  });

  it('is one login for calls that wait together', async () => {
    numbered();
    const { authorize } = subject({ url: '/auth', body: json });
    const all = await Promise.all([authorize(), authorize(), authorize()].map(authorization));
    expect(all).toEqual(['Bearer session-1', 'Bearer session-1', 'Bearer session-1']);
    expect(service.received).toHaveLength(1);
  });

  it('ends when the service refuses it: the next call logs in once more', async () => {
    numbered();
    const { authorize, credentials, pets } = subject({ url: '/auth', body: json });
    const [first, same] = await Promise.all([authorize(), authorize()]);
    expect(credentials.refused(pets, first)).toBe(true);
    expect(await authorization(authorize())).toBe('Bearer session-2');
    // the other call carried the old one: the new one stays
    expect(credentials.refused(pets, same)).toBe(true);
    expect(await authorization(authorize())).toBe('Bearer session-2');
  });

  it('is not fetched again and again by a service that refuses what it gives', async () => {
    numbered();
    let time = 1_700_000_000_000;
    const { authorize, credentials, pets } = subject({ url: '/auth', body: json }, { now: () => time });
    const refusedAgain = async () => credentials.refused(pets, await authorize());
    expect([await refusedAgain(), await refusedAgain(), await refusedAgain()]).toEqual([true, true, false]);
    expect(await refusedAgain()).toBe(false);
    expect(service.received).toHaveLength(3);
    time += 60_000;
    expect(await refusedAgain()).toBe(true);
    expect(await authorization(authorize())).toBe('Bearer session-4');
  });

  it('ends by an answer that its login describes, and that of no other request', async () => {
    numbered();
    const { authorize, credentials, pets } = subject({ url: '/auth', body: json, ended: [{ status: 440 }] });
    const answer = (status: number) => ({ status, headers: {}, body: Buffer.from(''), url: service.origin });
    const asked = await authorize();
    expect(credentials.saysEnded!(answer(440), asked)).toBe(true);
    expect(credentials.saysEnded!(answer(401), asked)).toBe(false);
    const keyed = { ...pets, credentials: { ...(pets.credentials as object), bearer: 'key-of-its-own' } };
    expect(credentials.saysEnded!(answer(440), await authorize(keyed))).toBe(false);
  });

  it('ends with all tokens of its connection', async () => {
    numbered();
    const { authorize, credentials, pets } = subject({ url: '/auth', body: json });
    await authorize();
    expect(credentials.refused(pets)).toBe(true);
    expect(credentials.refused(pets)).toBe(false);
    expect(await authorization(authorize())).toBe('Bearer session-2');
  });
});

describe('a refused login', () => {
  it('is told in the words of the service, without the password', async () => {
    service.on('/api/auth', (_, response) =>
      sendJson(response, 401, { message: `wrong password ${PASSWORD} for admin` }),
    );
    const failure = await subject({ url: '/auth', body: json })
      .authorize()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'credentials_refused', status: 401 });
    expect(failure).toHaveProperty('message', expect.stringContaining('wrong password'));
    expect(JSON.stringify(failure) + (failure as Error).message).not.toContain(PASSWORD);
  });

  it('is told without a password that stands in the configuration under any name', async () => {
    service.on('/api/auth', (request, response) => sendJson(response, 401, { message: request.body }));
    const { authorize, redactor } = subject({
      url: '/auth',
      body: { user: 'admin', kennwort: 'sesame-open' },
    });
    const { message } = (await authorize().catch((error: unknown) => error)) as Error;
    expect(message).toContain('"user":"admin"');
    expect(message).not.toContain('sesame-open');
    expect(redactor.redact('a sesame-open bun')).toBe('a sesame-open bun');
  });

  it('is not tried again for a minute, unless the password is another one', async () => {
    service.on('/api/auth', (_, response) => sendJson(response, 403, { detail: 'no' }));
    let time = 1_700_000_000_000;
    const env: Record<string, string> = { PASSWORD };
    const { authorize } = subject({ url: '/auth', body: json }, { now: () => time, env });
    const refused = () => expect(authorize()).rejects.toMatchObject({ code: 'credentials_refused' });
    await refused();
    time += 59_000;
    await refused();
    expect(service.received).toHaveLength(1);
    env['PASSWORD'] = 'another one';
    await refused();
    expect(service.received).toHaveLength(2);
    env['PASSWORD'] = PASSWORD;
    time += 1_000;
    await refused();
    expect(service.received).toHaveLength(3);
  });

  it.each([408, 429, 500, 503])(
    '%s says nothing of the password: the next call tries again',
    async (status) => {
      service.on('/api/auth', (_, response) => sendJson(response, status, { detail: 'later' }));
      const { authorize } = subject({ url: '/auth', body: json });
      const later = { code: 'upstream_unreachable', message: expect.stringContaining(`${status}: later`) };
      await expect(authorize()).rejects.toMatchObject(later);
      await expect(authorize()).rejects.toMatchObject(later);
      expect(service.received).toHaveLength(2);
    },
  );

  it('is none where nobody listens', async () => {
    const login = { url: `http://127.0.0.1:${REFUSED_PORT}/auth`, body: json };
    await egress.close();
    egress = createEgress({ allow: ['127.0.0.1'] });
    await expect(subject(login).authorize()).rejects.toMatchObject({ code: 'upstream_unreachable' });
  });
});

describe('before anybody is asked', () => {
  it('a secret that is not there is missed, and nothing is sent', async () => {
    const { ready } = subject({ url: '/auth', body: json }, { env: {} });
    await expect(ready()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('sources.pets.credentials.login.body.password'),
    });
    await subject({ url: '/auth', body: json }).ready();
    expect(service.received).toEqual([]);
  });

  it('an address has to be somewhere', async () => {
    await expect(subject({ body: json }).ready()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('sources.pets.credentials.login.url'),
    });
  });

  it('is offered where the document has a password flow and nothing is configured', async () => {
    const pets = connection({ auth: { type: 'oauth2', scopes: [], password: true } });
    const credentials = createCredentialProvider({ egress, env: {} });
    const asked = credentials.authorize(request(), pets, [{ auth: [] }], new AbortController().signal);
    await expect(asked).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('name and password: set sources.pets.credentials.login.form'),
    });
  });

  it('goes by a header rather than in the address, whichever the document names first', async () => {
    numbered();
    const schemes = { query: { type: 'apiKey', in: 'query', name: 'access_token' }, auth: BEARER } as const;
    const pets = connection(
      schemes,
      { login: { url: '/auth', body: json } },
      { baseUrl: `${service.origin}/api/` },
    );
    const credentials = createCredentialProvider({ egress, env: { PASSWORD } });
    const sent = async (security: readonly SecurityAlternative[]) => {
      const outgoing = request({ url: `${service.origin}/api/pets` });
      return credentials.authorize(outgoing, pets, security, new AbortController().signal);
    };
    const both = await sent([{ query: [] }, { auth: [] }]);
    expect([both.url, header(both, 'authorization')]).toEqual([
      `${service.origin}/api/pets`,
      'Bearer session-1',
    ]);
    expect((await sent([{ query: [] }])).url).toContain('access_token=session-');
  });

  it('is no pair for Basic', async () => {
    const scheme = { type: 'http', scheme: 'basic' } as const;
    await expect(subject({ url: '/auth', body: json }, { scheme }).authorize()).rejects.toMatchObject({
      code: 'credentials_missing',
    });
  });

  it('acts as nobody else', async () => {
    const acting = {
      account: 'c1',
      accountOwner: 'organisation',
      actingUser: 'u1',
      actingUserPlace: { in: 'token' },
    } as const;
    const { authorize, ready } = subject({ url: '/auth', body: json }, acting);
    await expect(authorize()).rejects.toMatchObject({ code: 'acting_user_missing' });
    await expect(ready()).rejects.toMatchObject({ code: 'acting_user_missing' });
  });
});

describe('of several ways to say who calls', () => {
  const KEY: SecurityScheme = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const COOKIE: SecurityScheme = { type: 'apiKey', in: 'cookie', name: 'SID' };
  const sent = async (alternatives: readonly string[][], credentials?: Connection['credentials']) => {
    numbered();
    const login: LoginSettings = { url: '/auth', body: { username: 'admin' } };
    const schemes = { key: KEY, cookie: COOKIE, jwt: BEARER };
    const { credentials: provider } = subject(login);
    const pets = connection(schemes, credentials ?? { login }, { baseUrl: `${service.origin}/api/` });
    const security = alternatives.map((names) => Object.fromEntries(names.map((name) => [name, []])));
    const { signal } = new AbortController();
    const asked = await provider.authorize(request({ url: pets.baseUrl! }), pets, security, signal);
    return { key: header(asked, 'x-key'), bearer: header(asked, 'authorization') };
  };

  it.each([
    ['a token before a key', [['key'], ['jwt'], ['cookie']], { bearer: 'Bearer session-1' }],
    ['a key where there is no other', [['key']], { key: 'session-1' }],
    [
      'a key that is wanted beside the token',
      [['key', 'jwt']],
      { key: 'session-1', bearer: 'Bearer session-2' },
    ],
  ])('takes %s', async (_what, alternatives, expected) => {
    expect(await sent(alternatives)).toEqual({ key: undefined, bearer: undefined, ...expected });
  });

  it('takes the key that its login is for by name', async () => {
    const login: LoginSettings = { url: '/auth', body: { username: 'admin' } };
    const schemes = { key: { login }, jwt: { login } };
    expect(await sent([['key'], ['jwt']], { schemes })).toEqual({ key: 'session-1', bearer: undefined });
  });
});
