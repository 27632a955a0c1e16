import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentialProvider } from '../../src/credentials/index.ts';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import type { Connection, CredentialSettings, SecurityScheme } from '../../src/operations/index.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';
import { REFUSED_PORT } from '../refused-port.ts';
import { connection, header, request } from './connections.ts';
import { type IdentityProvider, issueTokens, sendJson, startIdentityProvider } from './identity-provider.ts';

let provider: IdentityProvider;
let egress: Egress;

beforeEach(async () => {
  provider = await startIdentityProvider();
  egress = createEgress({ allow: [provider.origin] });
});
afterEach(async () => {
  await egress.close();
  await provider.close();
});

const SECRET = 's3cret/+ä';
const client = { clientId: 'crib:1', clientSecret: SECRET };

function subject(
  oauth2: Partial<NonNullable<CredentialSettings['oauth2']>> = {},
  { scheme, now = Date.now }: { scheme?: SecurityScheme; now?: () => number } = {},
) {
  const redactor = createRedactor();
  const credentials = createCredentialProvider({ egress, env: {}, now, redactor });
  const schemes = {
    auth: scheme ?? { type: 'oauth2', tokenUrl: `${provider.origin}/token`, scopes: [] },
  } as const;
  const pets = connection(schemes, { oauth2: { ...client, ...oauth2 } });
  return {
    pets,
    redactor,
    credentials,
    authorize: (
      scopes: readonly string[] = [],
      { signal = new AbortController().signal, as = pets }: { signal?: AbortSignal; as?: Connection } = {},
    ) =>
      credentials
        .authorize(request(), as, [{ auth: scopes }], signal)
        .then((it) => header(it, 'authorization')),
  };
}

const form = (index = 0) => Object.fromEntries(new URLSearchParams(provider.received[index]!.body));

describe('client credentials (RFC 6749 §4.4)', () => {
  it('sends a form, the client in Basic with its parts form-encoded', async () => {
    provider.on('/token', issueTokens());
    expect(await subject({ audience: 'https://api' }).authorize(['read', 'write'])).toBe('Bearer token-1');
    const [{ method, headers }] = provider.received as [(typeof provider.received)[0]];
    expect(method).toBe('POST');
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(headers['accept']).toBe('application/json');
    expect(Buffer.from(headers['authorization']!.slice(6), 'base64').toString()).toBe(
      'crib%3A1:s3cret%2F%2B%C3%A4',
    );
    expect(form()).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'https://api',
    });
  });

  it('sends the client in the body where that is configured, and without a secret always', async () => {
    provider.on('/token', issueTokens());
    await subject({ clientAuthentication: 'body' }).authorize();
    expect(form()).toEqual({ grant_type: 'client_credentials', client_id: 'crib:1', client_secret: SECRET });
    expect(provider.received[0]!.headers['authorization']).toBeUndefined();
    const credentials = createCredentialProvider({ egress, env: {} });
    const schemes = { auth: { type: 'oauth2', tokenUrl: `${provider.origin}/token`, scopes: [] } } as const;
    const pets = connection(schemes, { oauth2: { clientId: 'open' } });
    await credentials.authorize(request(), pets, [{ auth: [] }], new AbortController().signal);
    expect(form(1)).toEqual({ grant_type: 'client_credentials', client_id: 'open' });
  });

  // LemonLDAP::NG 2.16.1 answers 401 invalid_client, Glewlwyd 2.7.5 403 with an empty body
  it('says what to try where a provider does not decode Basic', async () => {
    provider.on('/token', (_, response) => sendJson(response, 401, { error: 'invalid_client' }));
    const refused = {
      code: 'credentials_refused',
      next: expect.stringContaining('clientAuthentication: body'),
    };
    await expect(subject().authorize()).rejects.toMatchObject(refused);
    await expect(subject({ clientAuthentication: 'body' }).authorize()).rejects.toMatchObject({
      next: expect.not.stringContaining('clientAuthentication'),
    });
  });

  it('lets the configuration override token URL and scopes', async () => {
    provider.on('/other', issueTokens());
    await subject({ tokenUrl: `${provider.origin}/other`, scopes: ['all'] }).authorize(['read']);
    expect(form()['scope']).toBe('all');
  });

  it('needs a token URL from somewhere', async () => {
    const scheme = { type: 'oauth2', scopes: [] } as const;
    await expect(subject({}, { scheme }).authorize()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('sources.pets.credentials.oauth2.tokenUrl'),
    });
  });
});

describe('the cache', () => {
  it.each<[string, unknown, number, number]>([
    ['used until a minute before its end', 3600, 3539, 1],
    ['not in its last minute', 3600, 3541, 2],
    ['digits written as text', '3600', 3539, 1],
    ['digits written as text', '3600', 3541, 2],
    ['of a short life the first half', 30, 14, 1],
    ['of a short life not the second', 30, 16, 2],
    ['without a lifetime for a few minutes', undefined, 200, 1],
    ['without a lifetime not for long', undefined, 300, 2],
    ['that has ended already', 0, 0, 2],
    ...['', ' ', '1h', '-1', [], [5], {}, true, false, null, -1, 1e300, '9223372036854775807'].map(
      (nonsense) => ['nonsense is no lifetime', nonsense, 200, 1] as [string, unknown, number, number],
    ),
    ['nonsense lasts no longer either', 1e300, 300, 2],
  ])('%s: expires_in %s, after %s s, %s request(s)', async (_, expires_in, after, requests) => {
    provider.on('/token', issueTokens({ expires_in }));
    let time = 1_700_000_000_000;
    const { authorize } = subject({}, { now: () => time });
    await authorize();
    time += after * 1000;
    await authorize();
    expect(provider.received).toHaveLength(requests);
  });

  it('keeps tokens apart by connection, scopes and client', async () => {
    provider.on('/token', issueTokens());
    const { authorize, pets } = subject();
    const other: Connection = { ...pets, name: 'other' };
    const renewed: Connection = { ...pets, credentials: { oauth2: { ...client, clientSecret: 'renewed' } } };
    const all = [
      authorize(),
      authorize(['read']),
      authorize([], { as: other }),
      authorize([], { as: renewed }),
    ];
    expect(new Set(await Promise.all(all)).size).toBe(4);
  });

  it('forgets a refused token, of this connection only', async () => {
    provider.on('/token', issueTokens());
    const { authorize, credentials, pets } = subject();
    const other: Connection = { ...pets, name: 'pets-2' };
    expect(credentials.refused(pets)).toBe(false);
    expect(await authorize()).toBe('Bearer token-1');
    expect(await authorize([], { as: other })).toBe('Bearer token-2');
    expect(credentials.refused(pets)).toBe(true);
    expect(credentials.refused(pets)).toBe(false);
    expect(await authorize()).toBe('Bearer token-3');
    expect(await authorize([], { as: other })).toBe('Bearer token-2');
  });
});

describe('calls at the same time', () => {
  /** Answers wait until `open` is called. */
  function gate() {
    const opened = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const issue = issueTokens();
    provider.on('/token', async (received, response) => {
      arrived.resolve();
      await opened.promise;
      await issue(received, response);
    });
    return { open: opened.resolve, arrived: arrived.promise };
  }

  it('share one request', async () => {
    const { open, arrived } = gate();
    const { authorize } = subject();
    const calls = Array.from({ length: 20 }, () => authorize());
    await arrived;
    open();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['Bearer token-1']));
    expect(provider.received).toHaveLength(1);
  });

  it('do not suffer from one that goes away', async () => {
    const { open, arrived } = gate();
    const { authorize } = subject();
    const controller = new AbortController();
    const leaving = authorize([], { signal: controller.signal });
    const staying = authorize();
    await arrived;
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    open();
    expect(await staying).toBe('Bearer token-1');
    expect(provider.received).toHaveLength(1);
  });

  it('that all go away end the request; the next call starts anew', async () => {
    const closed = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    provider.on('/token', (_, response) => {
      response.on('close', () => closed.resolve());
      arrived.resolve();
    });
    const { authorize } = subject();
    const controller = new AbortController();
    const leaving = authorize([], { signal: controller.signal });
    await arrived.promise;
    controller.abort(new DOMException('too late', 'TimeoutError'));
    await expect(leaving).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await closed.promise;
    provider.on('/token', issueTokens());
    expect(await authorize()).toBe('Bearer token-1');
  });

  it('all learn of a failure, which is not kept', async () => {
    provider.on('/token', (_, response) => sendJson(response, 503, { error: 'temporarily_unavailable' }));
    const { authorize } = subject();
    const outcomes = await Promise.allSettled([authorize(), authorize()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(provider.received).toHaveLength(1);
    provider.on('/token', issueTokens());
    expect(await authorize()).toBe('Bearer token-1');
  });
});

describe('refresh token (RFC 6749 §6)', () => {
  it('that the provider replaces is not lost when the only caller goes away meanwhile', async () => {
    const arrived = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    let valid = 'refresh-0';
    provider.on('/token', async ({ body }, response) => {
      if (new URLSearchParams(body).get('refresh_token') !== valid)
        return sendJson(response, 400, { error: 'invalid_grant' });
      valid = `${valid}+`;
      arrived.resolve();
      await opened.promise;
      sendJson(response, 200, { access_token: `for ${valid}`, token_type: 'bearer', refresh_token: valid });
    });
    const { authorize } = subject({ refreshToken: 'refresh-0' });
    const controller = new AbortController();
    const leaving = authorize([], { signal: controller.signal });
    await arrived.promise;
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    const next = authorize();
    opened.resolve();
    expect(await next).toBe('Bearer for refresh-0++');
  });

  it('is sent, and replaced by the one that the provider gives instead', async () => {
    provider.on('/token', issueTokens({ expires_in: 3600, refresh_token: 'rotated-refresh' }));
    const { authorize, credentials, pets } = subject({ refreshToken: 'first-refresh' });
    await authorize(['read']);
    credentials.refused(pets);
    await authorize(['read']);
    expect(form(0)).toEqual({ grant_type: 'refresh_token', refresh_token: 'first-refresh', scope: 'read' });
    expect(form(1)['refresh_token']).toBe('rotated-refresh');
  });

  it('goes to the refresh URL of the document', async () => {
    provider.on('/refresh', issueTokens());
    const scheme = {
      type: 'oauth2',
      tokenUrl: `${provider.origin}/token`,
      refreshUrl: `${provider.origin}/refresh`,
      scopes: [],
    } as const;
    expect(await subject({ refreshToken: 'first-refresh' }, { scheme }).authorize()).toBe('Bearer token-1');
  });

  it('is exchanged by one request at a time, so that rotation loses none', async () => {
    let count = 0;
    const valid = new Set(['refresh-0']);
    provider.on('/token', ({ body }, response) => {
      const shown = new URLSearchParams(body).get('refresh_token')!;
      if (!valid.delete(shown)) return sendJson(response, 400, { error: 'invalid_grant' });
      valid.add(`refresh-${++count}`);
      sendJson(response, 200, {
        access_token: `token-${count}`,
        token_type: 'bearer',
        refresh_token: `refresh-${count}`,
      });
    });
    const { authorize } = subject({ refreshToken: 'refresh-0' });
    const all = await Promise.all([authorize(['a']), authorize(['b']), authorize(['c'])]);
    expect(all).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
  });
});

describe('credentials_refused', () => {
  it.each<[string, number, unknown, string]>([
    [
      'the error and its description',
      401,
      { error: 'invalid_client', error_description: 'Unknown client' },
      'answered 401: invalid_client: Unknown client',
    ],
    [
      'an error with status 200',
      200,
      { error: 'bad_verification_code' },
      'answered 200: bad_verification_code',
    ],
    ['an answer without a token', 200, {}, 'no access token in the answer'],
    ['an empty token', 200, { access_token: '' }, 'no access token in the answer'],
    ['an answer that is no object', 500, 'oops', 'answered 500: no access token'],
    ['a token of another type', 200, { access_token: 'x', token_type: 'mac' }, 'type mac'],
    ['control characters, taken out', 400, { error: 'a\u001b[31m\nb' }, 'answered 400: a [31m b'],
  ])('shows %s', async (_, status, body, message) => {
    provider.on('/token', (__, response) => sendJson(response, status, body));
    const { authorize } = subject();
    await expect(authorize()).rejects.toMatchObject({
      code: 'credentials_refused',
      message: expect.stringContaining(message),
    });
  });

  it('never shows a secret that the provider repeats', async () => {
    const echo = `client ${client.clientId} with ${SECRET} and ${encodeURIComponent(SECRET)}`;
    provider.on('/token', (_, response) =>
      sendJson(response, 400, { error: `no ${SECRET}`, error_description: echo }),
    );
    const error = await subject()
      .authorize()
      .catch((thrown) => thrown);
    expect(error.message).toContain('client crib:1 with');
    expect(error.message).not.toContain('s3cret');
    expect(error.details.oauth).toBe('no [redacted]');
    expect(JSON.stringify(error)).not.toContain('s3cret');
  });

  it('does not follow a redirect', async () => {
    provider.on('/token', (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end());
    provider.on('/elsewhere', issueTokens());
    await expect(subject().authorize()).rejects.toMatchObject({ code: 'credentials_refused' });
    expect(provider.received.map(({ path }) => path)).toEqual(['/token']);
  });
});

describe('a provider that cannot be reached', () => {
  it('because nobody listens', async () => {
    const origin = `http://127.0.0.1:${REFUSED_PORT}`;
    const open = createEgress({ allow: [origin] });
    const credentials = createCredentialProvider({ egress: open, env: {} });
    const pets = connection(
      { auth: { type: 'oauth2', tokenUrl: `${origin}/token`, scopes: [] } },
      { oauth2: client },
    );
    await expect(
      credentials.authorize(request(), pets, [{ auth: [] }], new AbortController().signal),
    ).rejects.toMatchObject({ code: 'upstream_unreachable' });
    await open.close();
  });

  // as Starman 0.4016 under LemonLDAP::NG does a second after the last request, at the moment of the next one
  it('does not say that nothing was sent where the provider hangs up on the request', async () => {
    provider.on('/token', (_, response) => void response.destroy());
    await expect(subject().authorize()).rejects.toMatchObject({
      code: 'upstream_unreachable',
      next: expect.stringContaining('sign in anew'),
    });
  });

  it('because the egress door does not let it', async () => {
    const closedDoor = createEgress({});
    const credentials = createCredentialProvider({ egress: closedDoor, env: {} });
    const { pets } = subject();
    await expect(
      credentials.authorize(request(), pets, [{ auth: [] }], new AbortController().signal),
    ).rejects.toMatchObject({ code: 'egress_blocked' });
    expect(provider.received).toEqual([]);
    await closedDoor.close();
  });
});

describe('an address that the document writes relative to its server', () => {
  const relative: readonly [string, SecurityScheme][] = [
    ['/v1/token', { type: 'oauth2', tokenUrl: 'token', scopes: [] }],
    ['/token', { type: 'oauth2', tokenUrl: '/token', scopes: [] }],
    [
      '/v1/.well-known/openid-configuration',
      { type: 'openIdConnect', url: '.well-known/openid-configuration' },
    ],
    ['/.well-known/openid-configuration', { type: 'openIdConnect', url: '/' }],
  ];

  it.each(relative)('leads to %s, whatever is called', async (path, scheme) => {
    provider.on(path, issueTokens());
    const { credentials, pets } = subject({}, { scheme });
    const called = { ...request(), url: `${provider.origin}/v1/users/me/items` };
    const asked = async (as: Connection, base?: string) => {
      const sent = base === undefined ? called : { ...called, base };
      await credentials
        .authorize(sent, as, [{ auth: [] }], new AbortController().signal)
        .catch(() => undefined);
      credentials.refused(as);
      return provider.received.at(-1)?.path;
    };
    expect(await asked(pets, `${provider.origin}/v1/`)).toBe(path);
    expect(await asked({ ...pets, name: 'other', baseUrl: `${provider.origin}/v1/` })).toBe(path);
    expect(provider.received).toHaveLength(2);
  });
});

describe('OpenID Connect discovery', () => {
  const openId = (path = '/.well-known/openid-configuration') =>
    ({ type: 'openIdConnect', url: `${provider.origin}${path}` }) as const;
  const publish = (document: Record<string, unknown>, path = '/.well-known/openid-configuration') =>
    provider.on(path, (_, response) => sendJson(response, 200, document));

  it('finds the token endpoint, once for many calls', async () => {
    publish({ issuer: provider.origin, token_endpoint: `${provider.origin}/token` });
    provider.on('/token', issueTokens());
    const { authorize } = subject({}, { scheme: openId() });
    expect(await authorize(['a'])).toBe('Bearer token-1');
    expect(await authorize(['b'])).toBe('Bearer token-2');
    expect(provider.received.map(({ path }) => path)).toEqual([
      '/.well-known/openid-configuration',
      '/token',
      '/token',
    ]);
  });

  it('understands the address of the issuer, with a path too', async () => {
    publish(
      { issuer: `${provider.origin}/realms/x/`, token_endpoint: `${provider.origin}/token` },
      '/realms/x/.well-known/openid-configuration',
    );
    provider.on('/token', issueTokens());
    expect(await subject({}, { scheme: openId('/realms/x/') }).authorize()).toBe('Bearer token-1');
  });

  it.each<[string, (origin: string) => Record<string, unknown>]>([
    ['another issuer', (origin) => ({ issuer: 'https://evil.example', token_endpoint: `${origin}/token` })],
    [
      'an issuer with a slash more, which is another one',
      (origin) => ({ issuer: `${origin}//`, token_endpoint: `${origin}/token` }),
    ],
    ['no issuer', (origin) => ({ token_endpoint: `${origin}/token` })],
    ['no token endpoint', (origin) => ({ issuer: origin })],
    ['a token endpoint that is no URL', (origin) => ({ issuer: origin, token_endpoint: '/token' })],
    [
      'a token endpoint of another kind',
      (origin) => ({ issuer: origin, token_endpoint: 'file:///etc/passwd' }),
    ],
  ])('refuses a document with %s', async (_, document) => {
    publish(document(provider.origin));
    provider.on('/token', issueTokens());
    await expect(subject({}, { scheme: openId() }).authorize()).rejects.toMatchObject({
      code: 'credentials_refused',
    });
    expect(provider.received.some(({ path }) => path === '/token')).toBe(false);
  });

  it('is left out where the configuration names the token URL', async () => {
    provider.on('/token', issueTokens());
    const { authorize } = subject({ tokenUrl: `${provider.origin}/token` }, { scheme: openId('/absent') });
    expect(await authorize()).toBe('Bearer token-1');
  });
});

it('every secret and token becomes known to the redactor', async () => {
  provider.on('/token', issueTokens({ expires_in: 60, refresh_token: 'rotated-refresh' }));
  const { authorize, redactor } = subject({ refreshToken: 'first-refresh' });
  await authorize();
  expect(redactor.redact(`${SECRET} first-refresh token-1 rotated-refresh crib:1`)).toBe(
    '[redacted] [redacted] [redacted] [redacted] crib:1',
  );
});
