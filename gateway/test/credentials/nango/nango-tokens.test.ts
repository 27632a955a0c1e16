import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentialProvider } from '../../../src/credentials/index.ts';
import { createEgress, type Egress, EgressFailure } from '../../../src/egress/index.ts';
import { isToolcribError, type ToolcribError } from '../../../src/errors.ts';
import type {
  Connection,
  NangoCredential,
  SecurityAlternative,
  SecurityScheme,
} from '../../../src/operations/index.ts';
import { createRedactor } from '../../../src/telemetry/redactor.ts';
import { type NangoDouble, startNango } from '../../doubles/nango.ts';
import { connection, header, request } from '../connections.ts';

let nango: NangoDouble;
let egress: Egress;

beforeEach(async () => {
  nango = await startNango();
  egress = createEgress({ allow: [nango.url] });
});
afterEach(async () => {
  await egress.close();
  await nango.close();
});

const schemes = {
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  zoho: { type: 'http', scheme: 'Zoho-oauthtoken' },
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  authorizationKey: { type: 'apiKey', in: 'header', name: 'Authorization' },
  oauth: { type: 'oauth2', scopes: [] },
} satisfies Record<string, SecurityScheme>;

interface SubjectOptions {
  readonly settings?: Partial<NangoCredential>;
  readonly changes?: Partial<Connection>;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: () => number;
  readonly door?: Egress;
}

/** A source whose account `ann:ats` of integration `ats` is kept by the double. */
function subject({ settings = {}, changes = {}, env, now, door = egress }: SubjectOptions = {}) {
  const redactor = createRedactor();
  const credentials = createCredentialProvider({
    egress: door,
    env: env ?? { NANGO_SECRET_KEY: nango.secretKey },
    redactor,
    ...(now === undefined ? {} : { now }),
  });
  const account = connection(
    schemes,
    { nango: { integration: 'ats', connection: 'ann:ats', baseUrl: nango.url, ...settings } },
    changes,
  );
  const send = (
    security: readonly SecurityAlternative[] = [{ bearer: [] }],
    {
      as = account,
      signal = new AbortController().signal,
      deadline,
      url,
    }: { as?: Connection; signal?: AbortSignal; deadline?: number; url?: string } = {},
  ) => credentials.authorize(request(url === undefined ? {} : { url }), as, security, signal, deadline);
  return {
    account,
    credentials,
    redactor,
    send,
    authorization: async (...args: Parameters<typeof send>) => header(await send(...args), 'authorization'),
    failure: async (...args: Parameters<typeof send>): Promise<ToolcribError> => {
      const thrown: unknown = await send(...args).catch((error) => error);
      if (!isToolcribError(thrown)) throw new Error('It did not fail as it should.', { cause: thrown });
      return thrown;
    },
  };
}

const oauth = (token = 'access-token-1', more: object = {}) =>
  nango.add({
    id: 'ann:ats',
    integration: 'ats',
    credentials: { type: 'OAUTH2', access_token: token },
    ...more,
  });

const targets = () => nango.requests.map(({ method, target }) => `${method} ${target}`);

describe('what is asked', () => {
  it('is the current route, with the secret key as a bearer token', async () => {
    oauth();
    expect(await subject().authorization()).toBe('Bearer access-token-1');
    expect(targets()).toEqual(['GET /connections/ann%3Aats?provider_config_key=ats']);
    expect(nango.requests[0]?.headers.authorization).toBe(`Bearer ${nango.secretKey}`);
  });

  it('is the deprecated route where the configuration says so', async () => {
    nango.offer('deprecated');
    oauth();
    expect(await subject({ settings: { route: 'deprecated' } }).authorization()).toBe(
      'Bearer access-token-1',
    );
    expect(targets()).toEqual(['GET /connection/ann%3Aats?provider_config_key=ats']);
  });

  it('is never the deprecated route because the current one is missing', async () => {
    nango.offer('deprecated');
    oauth();
    const error = await subject().failure();
    expect(error.code).toBe('configuration_invalid');
    expect(error.next).toContain('an older Nango needs sources.pets.credentials.nango.route: deprecated');
    expect(error.next).toContain('Compare sources.pets.credentials.nango.baseUrl');
    expect(targets()).toHaveLength(1);
  });

  it('is a route that a newer Nango no longer has, which is said the other way round', async () => {
    nango.offer('current');
    oauth();
    const error = await subject({ settings: { route: 'deprecated' } }).failure();
    expect(error.code).toBe('configuration_invalid');
    expect(error.next).toContain('a newer Nango takes no sources.pets.credentials.nango.route: deprecated');
  });

  it('never includes refresh tokens', async () => {
    oauth();
    const { send, credentials, account } = subject();
    credentials.refused(account, await send());
    await send();
    expect(targets().join(' ')).not.toContain('refresh_token');
  });

  it('uses a key of its own where one is configured', async () => {
    oauth();
    const { authorization } = subject({
      settings: { secretKey: { env: 'OTHER_KEY' } },
      env: { OTHER_KEY: nango.secretKey },
    });
    expect(await authorization()).toBe('Bearer access-token-1');
  });
});

describe('what goes on the request', () => {
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  const OAUTH2 = { type: 'OAUTH2', access_token: 'tok-abc' };
  const OAUTH2_CC = { type: 'OAUTH2_CC', client_id: 'i', client_secret: 's', token: 'tok-cc' };
  const API_KEY = { type: 'API_KEY', apiKey: 'key-123' };
  const BASIC = { type: 'BASIC', username: 'ann', password: 'pw-12345' };
  const KEY_AS_USER = { type: 'BASIC', username: 'key-as-user', password: '' };
  const JWT = { type: 'JWT', token: 'jwt-token', privateKey: { id: 'x' } };
  const APP = { type: 'APP', access_token: 'app-token' };

  it.each<[string, { type: string }, SecurityAlternative[], string, string]>([
    ['OAUTH2 as bearer', OAUTH2, [{ bearer: [] }], 'authorization', 'Bearer tok-abc'],
    [
      'OAUTH2 with the word of the scheme',
      OAUTH2,
      [{ zoho: [] }],
      'authorization',
      'Zoho-oauthtoken tok-abc',
    ],
    ['OAUTH2 for an oauth2 scheme', OAUTH2, [{ oauth: ['read'] }], 'authorization', 'Bearer tok-abc'],
    ['OAUTH2 as a key', OAUTH2, [{ key: [] }], 'x-api-key', 'tok-abc'],
    [
      'OAUTH2 as a key in Authorization',
      OAUTH2,
      [{ authorizationKey: [] }],
      'authorization',
      'Bearer tok-abc',
    ],
    ['OAUTH2_CC, whose member is `token`', OAUTH2_CC, [{ bearer: [] }], 'authorization', 'Bearer tok-cc'],
    ['JWT', JWT, [{ bearer: [] }], 'authorization', 'Bearer jwt-token'],
    ['APP', APP, [{ bearer: [] }], 'authorization', 'Bearer app-token'],
    ['API_KEY as a key', API_KEY, [{ key: [] }], 'x-api-key', 'key-123'],
    ['API_KEY as a key in Authorization', API_KEY, [{ authorizationKey: [] }], 'authorization', 'key-123'],
    ['API_KEY as a basic user', API_KEY, [{ basic: [] }], 'authorization', basic('key-123:')],
    ['API_KEY as bearer', API_KEY, [{ bearer: [] }], 'authorization', 'Bearer key-123'],
    ['BASIC', BASIC, [{ basic: [] }], 'authorization', basic('ann:pw-12345')],
    ['BASIC with the key as user name', KEY_AS_USER, [{ basic: [] }], 'authorization', basic('key-as-user:')],
    [
      'the alternative that fits: a token is no basic user',
      OAUTH2,
      [{ basic: [] }, { bearer: [] }],
      'authorization',
      'Bearer tok-abc',
    ],
    [
      'the alternative that fits: a pair is no token',
      BASIC,
      [{ bearer: [] }, { basic: [] }],
      'authorization',
      basic('ann:pw-12345'),
    ],
  ])('%s', async (_, credentials, security, name, value) => {
    nango.add({ id: 'ann:ats', integration: 'ats', credentials });
    const { send } = subject();
    expect(header(await send(security), name)).toBe(value);
    expect(nango.requests).toHaveLength(1);
  });

  it.each<[string, { type: string }, SecurityAlternative[], RegExp]>([
    ['an access token as a basic user', OAUTH2, [{ basic: [] }], /OAUTH2 is no use for scheme basic/],
    ['a user with a password as a token', BASIC, [{ bearer: [] }], /BASIC is no use for scheme bearer/],
    ['OAUTH1', { type: 'OAUTH1', oauth_token: 'x' } as { type: string }, [{ bearer: [] }], /type OAUTH1/],
    ['an unauthenticated connection', { type: 'NONE' }, [{ bearer: [] }], /type NONE/],
    ['an empty token', { type: 'API_KEY' }, [{ key: [] }], /API_KEY credential .* is empty/],
  ])('never %s: credentials_refused', async (_, credentials, security, message) => {
    nango.add({ id: 'ann:ats', integration: 'ats', credentials });
    const error = await subject().failure(security);
    expect(error.code).toBe('credentials_refused');
    expect(error.message).toMatch(message);
  });

  it.each([
    [{ type: 'OAUTH1' }, /^Choose an integration of Nango/],
    [{ type: 'API_KEY' }, /^Connect the account in Nango anew/],
  ])('says what to do in Nango, not at the provider: %j', async (credentials, next) => {
    nango.add({ id: 'ann:ats', integration: 'ats', credentials });
    expect((await subject().failure([{ bearer: [] }])).next).toMatch(next);
  });
});

describe('the cache', () => {
  it.each<[string, number | null, number, number]>([
    ['two minutes at most', 3_600_000, 119_000, 1],
    ['not longer', 3_600_000, 121_000, 2],
    ['a token without an end no longer either', null, 121_000, 2],
    ['until a minute before the end', 150_000, 89_000, 1],
    ['not in the last minute', 150_000, 92_000, 2],
  ])(
    'keeps a token %s: lives %s ms, asked again after %s ms: %s request(s)',
    async (_, lifetimeMs, after, n) => {
      await nango.close();
      nango = await startNango({ refreshBufferMs: 0 });
      await egress.close();
      egress = createEgress({ allow: [nango.url] });
      oauth('tok-abc', { lifetimeMs });
      let time = Date.now();
      const { send } = subject({ now: () => time });
      await send();
      time += after;
      await send();
      expect(nango.requests).toHaveLength(n);
    },
  );

  it('asks once for calls at the same time', async () => {
    oauth();
    const opened = Promise.withResolvers<void>();
    nango.holdUntil(opened.promise);
    const { authorization } = subject();
    const calls = Array.from({ length: 20 }, () => authorization());
    await expect.poll(() => nango.requests.length).toBe(1);
    opened.resolve();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['Bearer access-token-1']));
    expect(nango.requests).toHaveLength(1);
  });

  it('lets one of them go away without harm to the others', async () => {
    oauth();
    const opened = Promise.withResolvers<void>();
    nango.holdUntil(opened.promise);
    const { authorization, failure } = subject();
    const controller = new AbortController();
    const leaving = failure(undefined, { signal: controller.signal });
    const staying = authorization();
    await expect.poll(() => nango.requests.length).toBe(1);
    controller.abort(new DOMException('too late', 'TimeoutError'));
    expect((await leaving).code).toBe('deadline_exceeded');
    opened.resolve();
    expect(await staying).toBe('Bearer access-token-1');
  });

  it('keeps connection records apart, whatever they have in common', async () => {
    nango.add({ id: 'org-a', integration: 'ats', credentials: { type: 'API_KEY', apiKey: 'key-of-a' } });
    nango.add({ id: 'org-b', integration: 'ats', credentials: { type: 'API_KEY', apiKey: 'key-of-b' } });
    const { account, authorization } = subject();
    const record = (id: string): Connection => ({
      ...account,
      name: `ats#${id}`,
      account: id,
      credentials: { nango: { integration: 'ats', connection: id, baseUrl: nango.url } },
    });
    const [a, b] = [record('org-a'), record('org-b')];
    const calls = Array.from({ length: 40 }, (_, index) => {
      const as = index % 2 === 0 ? a : b;
      return authorization([{ bearer: [] }], { as }).then((value) => [as.account, value]);
    });
    for (const [id, value] of await Promise.all(calls)) expect(value).toBe(`Bearer key-of-${id!.at(-1)}`);
    expect(nango.requests).toHaveLength(2);
  });
});

describe('a token that the provider refuses (401)', () => {
  it('is refreshed by force, once, and used', async () => {
    const held = oauth();
    const { send, authorization, credentials, account } = subject();
    expect(credentials.refused(account, await send())).toBe(true);
    expect(await authorization()).toBe('Bearer access-token-1.1');
    expect(targets()[1]).toContain('force_refresh=true');
    expect(held.refreshes).toBe(1);
  });

  it('is refreshed once for all who held it', async () => {
    const held = oauth();
    const { send, authorization, credentials, account } = subject();
    const requests = await Promise.all(Array.from({ length: 10 }, () => send()));
    const retried = await Promise.all(
      requests.map((sent) => (credentials.refused(account, sent) ? authorization() : undefined)),
    );
    expect(new Set(retried)).toEqual(new Set(['Bearer access-token-1.1']));
    expect(held.refreshes).toBe(1);
    expect(nango.requests).toHaveLength(2);
  });

  it('by one who comes late costs the new token nothing', async () => {
    const held = oauth();
    const { send, authorization, credentials, account } = subject();
    const late = await send();
    credentials.refused(account, await send());
    await send();
    expect(credentials.refused(account, late)).toBe(true);
    expect(await authorization()).toBe('Bearer access-token-1.1');
    expect(held.refreshes).toBe(1);
  });

  it('is not refreshed again and again: a fresh token that is refused was not the fault', async () => {
    const held = oauth();
    let time = Date.now();
    const { send, credentials, account } = subject({ now: () => time });
    credentials.refused(account, await send());
    expect(credentials.refused(account, await send())).toBe(false);
    expect(held.refreshes).toBe(1);
    time += 30_000;
    expect(credentials.refused(account, await send())).toBe(true);
    await send();
    expect(held.refreshes).toBe(2);
  });

  it('is forgotten where nobody says which request it was, of that connection alone', async () => {
    oauth();
    const { send, credentials, account } = subject();
    const other = { ...account, name: 'pets of bob' };
    await send();
    await send(undefined, { as: other });
    expect(nango.requests).toHaveLength(2);
    expect(credentials.refused(account)).toBe(true);
    expect(credentials.refused(account)).toBe(false);
    await send(undefined, { as: other });
    expect(nango.requests).toHaveLength(2);
    await send();
    expect(nango.requests).toHaveLength(3);
  });

  it('has ended already when Nango gives it out: refreshed by force before it is used', async () => {
    await nango.close();
    nango = await startNango({ refreshBufferMs: -Infinity });
    await egress.close();
    egress = createEgress({ allow: [nango.url] });
    oauth('tok', { lifetimeMs: -1000 });
    expect(await subject().authorization()).toBe('Bearer tok.1');
    expect(targets()[1]).toContain('force_refresh=true');
  });
});

describe.each(['current', 'old'] as const)('errors, in the %s shape', (shape) => {
  beforeEach(() => nango.speak(shape));

  it('401: the key, by its place and never itself', async () => {
    oauth();
    const { failure } = subject({ env: { NANGO_SECRET_KEY: 'wrong-key-4711' } });
    const error = await failure();
    expect(error).toMatchObject({ code: 'credentials_refused', status: 401 });
    expect(error.message).toContain('environment variable NANGO_SECRET_KEY');
    expect(error.message).toContain('sources.pets.credentials.nango.secretKey');
    expect(error.next).toContain('settings of Nango');
    expect(JSON.stringify(error) + error.message).not.toContain('wrong-key-4711');
  });

  it('404: the connection is missing', async () => {
    nango.add({ id: 'other', integration: 'ats', credentials: { type: 'API_KEY', apiKey: 'k' } });
    const error = await subject().failure();
    expect(error).toMatchObject({ code: 'connection_missing', status: 404 });
    expect(error.message).toContain('connection ann:ats of integration ats');
    expect(error.next).toContain('sources.pets.credentials.nango.connection');
  });

  it('400: an integration that Nango does not know is a matter of the configuration', async () => {
    const error = await subject().failure();
    expect(error).toMatchObject({ code: 'configuration_invalid', status: 400 });
    expect(error.next).toContain('sources.pets.credentials.nango.integration');
  });

  it.each([400, 424, 500] as const)('%s on a refresh: reconnect_required, with a link', async (status) => {
    oauth().breakRefresh(status);
    const error = await subject().failure();
    expect(error).toMatchObject({
      code: 'reconnect_required',
      status,
      details: {
        link: `https://connect.nango.dev/?session_token=${nango.sessions[0]!.token}`,
        expiresAt: expect.stringMatching(/^\d{4}-/),
      },
    });
    expect(error.message).not.toContain(nango.sessions[0]!.token);
    expect(nango.sessions[0]!.body).toEqual({ connection_id: 'ann:ats', integration_id: 'ats' });
  });

  it('a link that cannot be made costs only the link', async () => {
    oauth();
    const { failure } = subject();
    nango.answerNext(
      { status: 424, body: { error: { code: 'refresh', message: 'exhausted' } } },
      { status: 503 },
    );
    const error = await failure();
    expect(error.code).toBe('reconnect_required');
    expect(error.details?.['link']).toBeUndefined();
  });

  it('is not kept: connected again, the next call succeeds', async () => {
    const held = oauth();
    held.breakRefresh(424);
    const { failure, authorization } = subject();
    expect((await failure()).code).toBe('reconnect_required');
    held.mend();
    expect(await authorization()).toBe('Bearer access-token-1.1');
  });
});

describe('429', () => {
  it('is waited for within the deadline, by all who wait together', async () => {
    oauth();
    nango.refuse(1, '1');
    const started = performance.now();
    const { authorization } = subject();
    const calls = Array.from({ length: 5 }, () => authorization());
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['Bearer access-token-1']));
    expect(performance.now() - started).toBeGreaterThan(900);
    expect(nango.requests).toHaveLength(2);
  });

  it('beyond the deadline is rate_limited at once, and nobody asks until the time is over', async () => {
    oauth();
    nango.refuse(1, '30');
    let time = Date.now();
    const { failure, authorization } = subject({ now: () => time });
    for (let call = 0; call < 2; call++) {
      const error = await failure(undefined, { deadline: time + 5_000 });
      expect(error).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 30 } });
    }
    expect(nango.requests).toHaveLength(1);
    time += 31_000;
    expect(await authorization()).toBe('Bearer access-token-1');
  });

  it('that asks for no time at all is none to ask again at once, and over and over', async () => {
    oauth();
    nango.refuse(5, '0');
    const time = Date.now();
    const error = await subject({ now: () => time }).failure(undefined, { deadline: time + 2000 });
    expect(error).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 5 } });
    expect(nango.requests).toHaveLength(1);
  });

  it('however long it asks for, closes Nango for an hour: then one who asks tries again', async () => {
    oauth();
    nango.refuse(1, '2592000');
    let time = Date.now();
    const { failure, authorization } = subject({ now: () => time });
    const refused = () => failure(undefined, { deadline: time });
    expect((await refused()).code).toBe('rate_limited');
    time += 3_599_000;
    expect((await refused()).code).toBe('rate_limited');
    time += 2000;
    expect(await authorization()).toMatch(/^Bearer access-token-1/);
  });

  it('to a refresh by force leaves that to the next who asks', async () => {
    const held = oauth();
    let time = Date.now();
    const { send, failure, authorization, credentials, account } = subject({ now: () => time });
    credentials.refused(account, await send());
    nango.refuse(1, '30');
    expect((await failure(undefined, { deadline: time + 5_000 })).code).toBe('rate_limited');
    time += 31_000;
    expect(await authorization()).toBe('Bearer access-token-1.1');
    expect(held.refreshes).toBe(1);
  });

  it('counts for every connection of that Nango', async () => {
    oauth();
    nango.add({ id: 'bob:ats', integration: 'ats', credentials: { type: 'API_KEY', apiKey: 'key-bob' } });
    nango.refuse(1, '30');
    const { failure, account } = subject();
    const bob: Connection = {
      ...account,
      name: 'ats#bob',
      credentials: { nango: { integration: 'ats', connection: 'bob:ats', baseUrl: nango.url } },
    };
    const deadline = Date.now() + 1000;
    await failure(undefined, { deadline });
    expect((await failure(undefined, { as: bob, deadline })).code).toBe('rate_limited');
    expect(nango.requests).toHaveLength(1);
  });
});

describe('a Nango that is not there', () => {
  it('for a moment is asked once more', async () => {
    oauth();
    nango.answerNext({ status: 503 });
    expect(await subject().authorization()).toBe('Bearer access-token-1');
    nango.forget();
    nango.answerNext('drop');
    expect(await subject().authorization()).toBe('Bearer access-token-1');
    expect(nango.requests).toHaveLength(2);
  });

  it('but keeps silent is not waited for a second time', async () => {
    const asked: string[] = [];
    const silent: Egress = {
      ...egress,
      request: async ({ url }) => {
        asked.push(url);
        throw new EgressFailure('timeout', 'all', '127.0.0.1:3003 did not answer within 15 s');
      },
    };
    const error = await subject({ door: silent }).failure();
    expect(error).toMatchObject({
      code: 'upstream_unreachable',
      message: expect.stringContaining('within 15 s'),
    });
    expect(asked).toHaveLength(1);
  });

  it('but its web page is, or another service', async () => {
    nango.answerNext({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' });
    expect(await subject().failure()).toMatchObject({
      code: 'upstream_failed',
      message: `Nango at ${nango.url} answered with no JSON (text/html) for connection ann:ats of integration ats.`,
      next: expect.stringContaining('Compare sources.pets.credentials.nango.baseUrl'),
    });
  });

  it('for longer is upstream_unreachable', async () => {
    await nango.close();
    expect((await subject().failure()).code).toBe('upstream_unreachable');
  });

  it('and answers 500 is upstream_failed; what is no connection too', async () => {
    nango.answerNext({ status: 500, body: { error: { code: 'server_error', message: 'database' } } });
    expect(await subject().failure()).toMatchObject({ code: 'upstream_failed', status: 500 });
    nango.answerNext({ status: 200, body: { hello: 'world' } });
    expect((await subject().failure()).code).toBe('upstream_failed');
  });

  it('and redirects gets no key', async () => {
    const elsewhere = await startNango();
    nango.answerNext({ status: 307, headers: { location: `${elsewhere.url}/connections/x` } });
    const error = await subject().failure();
    expect(error.code).toBe('credentials_refused');
    expect(error.message).toContain(
      `redirects to ${elsewhere.url} (307), which a credential does not follow`,
    );
    expect(error.next).toContain('nothing was sent there');
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('behind a closed egress door is egress_blocked', async () => {
    await egress.close();
    egress = createEgress({});
    expect((await subject().failure()).code).toBe('egress_blocked');
    expect(nango.requests).toEqual([]);
  });
});

describe('what is missing', () => {
  it('the key', async () => {
    const error = await subject({ env: {} }).failure();
    expect(error.code).toBe('credentials_missing');
    expect(error.message).toContain('NANGO_SECRET_KEY');
    expect(nango.requests).toEqual([]);
  });

  it('the connection: it is to be connected first', async () => {
    const { account, failure } = subject();
    const as: Connection = {
      ...account,
      credentials: { nango: { integration: 'ats', baseUrl: nango.url } },
    };
    expect((await failure(undefined, { as })).code).toBe('connection_missing');
  });

  it('a stored connection never falls back to what the operator set for himself', async () => {
    const { failure } = subject({ env: { TOOLCRIB_PETS_BEARER: 'operators-token' } });
    const record = connection({ bearer: schemes.bearer }, {}, { account: 'c1', name: 'pets#c1' });
    const withHeader = { ...record, headers: { Authorization: 'Bearer operators-token' } };
    for (const as of [record, withHeader]) {
      const error = await failure(undefined, { as });
      expect(error.code).toBe('connection_missing');
      expect(error.message).toContain('Connection c1 of source pets');
    }
  });
});

describe('data centres', () => {
  const zoho = 'https://recruit.zoho.eu/recruit/v2/Candidates';

  it.each<[string, string, string | undefined, string]>([
    ['the region and the host agree', 'eu', 'eu', zoho],
    ['no region is named, the host agrees', 'eu', undefined, zoho],
    ['the host is none of theirs', 'com.cn', 'cn', 'https://proxy.example.org/x'],
    ['us is com', 'com', 'us', 'https://recruit.zoho.com/recruit/v2/x'],
  ])('a token is sent where %s', async (_, extension, region, url) => {
    oauth('tok-eu', { config: { extension } });
    const { authorization } = subject({ changes: region === undefined ? {} : { region } });
    expect(await authorization([{ zoho: [] }], { url })).toBe('Zoho-oauthtoken tok-eu');
  });

  it.each<[string, string, string | undefined, string, string]>([
    ['another region', 'eu', 'us', zoho, 'region is us'],
    ['the default region', 'com', undefined, zoho, 'zoho.eu'],
    ['an unknown data centre', 'example', 'us', zoho, 'region is us'],
  ])('never to %s', async (_, extension, region, url, words) => {
    oauth('tok-eu', { config: { extension } });
    const { failure } = subject({ changes: region === undefined ? {} : { region } });
    const error = await failure([{ zoho: [] }], { url });
    expect(error.code).toBe('configuration_invalid');
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('tok-eu');
  });
});

it('every secret becomes known to the redactor, nothing of `raw` is kept', async () => {
  oauth('live-token-xyz');
  const { send, redactor } = subject();
  await send();
  expect(redactor.redact(`${nango.secretKey} live-token-xyz`)).toBe('[redacted] [redacted]');
});
