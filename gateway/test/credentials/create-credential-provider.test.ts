import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentialProvider } from '../../src/credentials/index.ts';
import type { Connection, SecurityAlternative, SecurityScheme } from '../../src/operations/index.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';
import { connection, header, NO_EGRESS, request } from './connections.ts';

const { signal } = new AbortController();

const schemes = {
  bearerAuth: { type: 'http', scheme: 'bearer' },
  basicAuth: { type: 'http', scheme: 'Basic' },
  githubToken: { type: 'http', scheme: 'token' },
  digestAuth: { type: 'http', scheme: 'digest' },
  keyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  keyQuery: { type: 'apiKey', in: 'query', name: 'api key' },
  keyCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  csrfCookie: { type: 'apiKey', in: 'cookie', name: 'csrf' },
  keyToken: { type: 'apiKey', in: 'header', name: 'Authorization', prefix: 'Token' },
  keyAuthorization: { type: 'apiKey', in: 'header', name: 'Authorization' },
  oauth: { type: 'oauth2', scopes: [] },
  client: { type: 'mutualTLS' },
} satisfies Record<string, SecurityScheme>;

type Env = Record<string, string | undefined>;

const authorize = (
  credentials: Connection['credentials'],
  security: readonly SecurityAlternative[],
  {
    env = {},
    outgoing = request(),
    ...changes
  }: Partial<Connection> & { env?: Env; outgoing?: ReturnType<typeof request> } = {},
) =>
  createCredentialProvider({ egress: NO_EGRESS, env }).authorize(
    outgoing,
    connection(schemes, credentials, changes),
    security,
    signal,
  );

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('an API key where basic authentication is asked for', () => {
  it('is the user name for a provider, with an empty password', async () => {
    const sent = await authorize({ apiKey: 'k3y' }, [{ basicAuth: [] }], {
      provider: 'lever',
      baseUrl: new URL(request().url).origin,
    });
    expect(header(sent, 'authorization')).toBe(basic('k3y:'));
  });

  it('is not taken for one elsewhere', async () => {
    await expect(authorize({ apiKey: 'k3y' }, [{ basicAuth: [] }])).rejects.toMatchObject({
      code: 'credentials_missing',
    });
  });
});

describe('where a credential goes', () => {
  it.each<[string, Connection['credentials'], string, string, string]>([
    ['bearer', { bearer: 't0k3n' }, 'bearerAuth', 'authorization', 'Bearer t0k3n'],
    [
      'bearer written with its scheme',
      { bearer: 'Bearer t0k3n' },
      'bearerAuth',
      'authorization',
      'Bearer t0k3n',
    ],
    ['another http scheme', { bearer: 't0k3n' }, 'githubToken', 'authorization', 'token t0k3n'],
    [
      'basic',
      { basic: { username: 'ann', password: 'pä:ss' } },
      'basicAuth',
      'authorization',
      basic('ann:pä:ss'),
    ],
    [
      'basic with an empty password',
      { basic: { username: 'key', password: '' } },
      'basicAuth',
      'authorization',
      basic('key:'),
    ],
    ['an API key in a header', { apiKey: 'k3y' }, 'keyHeader', 'x-api-key', 'k3y'],
    [
      'an API key in Authorization',
      { apiKey: 'ApiKey k3y' },
      'keyAuthorization',
      'authorization',
      'ApiKey k3y',
    ],
    [
      'a bearer token in Authorization',
      { bearer: 't0k3n' },
      'keyAuthorization',
      'authorization',
      'Bearer t0k3n',
    ],
    ['an API key after its word', { apiKey: 'k3y' }, 'keyToken', 'authorization', 'Token k3y'],
    ['a token after that word', { bearer: 'k3y' }, 'keyToken', 'authorization', 'Token k3y'],
    ['with its word already', { apiKey: 'Token k3y' }, 'keyToken', 'authorization', 'Token k3y'],
    ['after a word of the operator', { apiKey: 'JWT k3y' }, 'keyToken', 'authorization', 'JWT k3y'],
    ['an API key in a cookie', { apiKey: 'k3y' }, 'keyCookie', 'cookie', 'sid=k3y'],
    ['a ready access token for OAuth 2', { bearer: 't0k3n' }, 'oauth', 'authorization', 'Bearer t0k3n'],
    [
      'a scheme by its name',
      { schemes: { keyHeader: { apiKey: 'own' } }, apiKey: 'general' },
      'keyHeader',
      'x-api-key',
      'own',
    ],
    [
      'any single secret under the name',
      { schemes: { keyHeader: { bearer: 'own' } } },
      'keyHeader',
      'x-api-key',
      'own',
    ],
    [
      'user:password under the name',
      { schemes: { basicAuth: { bearer: 'ann:pw' } } },
      'basicAuth',
      'authorization',
      basic('ann:pw'),
    ],
    [
      'a scheme that the document does not define',
      { schemes: { ghost: { bearer: 't' } } },
      'ghost',
      'authorization',
      'Bearer t',
    ],
  ])('%s', async (_, credentials, scheme, name, value) => {
    const authorized = await authorize(credentials, [{ [scheme]: [] }]);
    expect(header(authorized, name)).toBe(value);
    expect(authorized.credentialHeaders).toEqual([name]);
    expect(header(authorized, 'accept')).toBe('*/*');
  });

  it('an API key in the query, the other parameters untouched', async () => {
    const outgoing = request({ url: 'https://api.example.org/pets?a=%2F+b&empty=' });
    const { url, credentialHeaders } = await authorize({ apiKey: 'k/3 y&' }, [{ keyQuery: [] }], {
      outgoing,
    });
    expect(url).toBe('https://api.example.org/pets?a=%2F+b&empty=&api%20key=k%2F3%20y%26');
    expect(credentialHeaders).toBeUndefined();
  });

  it('all schemes of a combination, cookies in one header', async () => {
    const credentials = {
      bearer: 't0k3n',
      schemes: { keyCookie: { apiKey: 'a' }, csrfCookie: { apiKey: 'b;"é' } },
    };
    const outgoing = request({ headers: [['cookie', 'theme=dark; sid=old']] });
    const authorized = await authorize(credentials, [{ bearerAuth: [], keyCookie: [], csrfCookie: [] }], {
      outgoing,
    });
    expect(header(authorized, 'cookie')).toBe('theme=dark; sid=a; csrf=b%3B%22%C3%A9');
    expect(header(authorized, 'authorization')).toBe('Bearer t0k3n');
    expect(authorized.credentialHeaders).toEqual(['authorization', 'cookie']);
  });
});

describe('what arguments put in the place of a credential', () => {
  it.each<[string, string, Partial<ReturnType<typeof request>>]>([
    [
      'a header, in any case',
      'keyHeader',
      {
        headers: [
          ['x-API-key', 'forged'],
          ['X-Api-Key', 'forged'],
        ],
      },
    ],
    [
      'a query parameter, however written',
      'keyQuery',
      { url: 'https://api.example.org/p?api+key=forged&a=1&api%20key=forged' },
    ],
    [
      'a cookie',
      'keyCookie',
      {
        headers: [
          ['Cookie', 'sid=forged; a=1'],
          ['cookie', 'sid=forged'],
        ],
      },
    ],
    ['Authorization', 'bearerAuth', { headers: [['authorization', 'Bearer forged']] }],
  ])('%s is replaced', async (_, scheme, changes) => {
    const authorized = await authorize({ apiKey: 'real', bearer: 'real' }, [{ [scheme]: [] }], {
      outgoing: request(changes),
    });
    expect(JSON.stringify(authorized)).not.toContain('forged');
    expect(JSON.stringify(authorized)).toContain('real');
  });

  it('the given request stays as it was', async () => {
    const outgoing = Object.freeze(request());
    await authorize({ bearer: 't' }, [{ bearerAuth: [] }], { outgoing });
    expect(outgoing).toEqual(request());
  });
});

describe('which alternative', () => {
  const sent = async (
    credentials: Connection['credentials'],
    security: SecurityAlternative[],
    env: Env = {},
  ) => {
    const authorized = await authorize(credentials, security, { env });
    return (authorized.credentialHeaders ?? []).concat(authorized.url.includes('?') ? ['query'] : []);
  };

  it.each<[string, Connection['credentials'], SecurityAlternative[], string[]]>([
    ['none asked for: nothing is sent', { bearer: 't' }, [], []],
    [
      'the first that is configured',
      { apiKey: 'k', bearer: 't' },
      [{ bearerAuth: [] }, { keyHeader: [] }],
      ['authorization'],
    ],
    [
      'a later one, if the first is not',
      { apiKey: 'k' },
      [{ bearerAuth: [] }, { keyHeader: [] }],
      ['x-api-key'],
    ],
    [
      'half a combination is not enough',
      { apiKey: 'k' },
      [{ bearerAuth: [], keyHeader: [] }, { keyQuery: [] }],
      ['query'],
    ],
    [
      'a header before the cookie of a session that one key would stand in for',
      { apiKey: 'k' },
      [{ keyCookie: [] }, { keyToken: [] }, {}],
      ['authorization'],
    ],
    ['the cookie, where the key goes nowhere else', { apiKey: 'k' }, [{ keyCookie: [] }, {}], ['cookie']],
    [
      'the first all the same, where the other is a token',
      { apiKey: 'k', bearer: 't' },
      [{ keyCookie: [] }, { bearerAuth: [] }],
      ['cookie'],
    ],
    [
      'the first all the same, where each key is given by name',
      { schemes: { keyCookie: { apiKey: 'k' }, keyHeader: { apiKey: 'l' } } },
      [{ keyCookie: [] }, { keyHeader: [] }],
      ['cookie'],
    ],
    ['anonymous, if nothing is configured', undefined, [{ bearerAuth: [] }, {}], []],
    ['anonymous comes last wherever it stands', { bearer: 't' }, [{}, { bearerAuth: [] }], ['authorization']],
    ['`none` sends nothing', 'none', [{ bearerAuth: [] }], []],
    ['past a client certificate', { bearer: 't' }, [{ client: [] }, { bearerAuth: [] }], ['authorization']],
    ['past a challenge', { bearer: 't' }, [{ digestAuth: [] }, { bearerAuth: [] }], ['authorization']],
  ])('%s', async (_, credentials, security, expected) => {
    expect(await sent(credentials, security)).toEqual(expected);
  });

  it('a fixed header of the connection satisfies its scheme', async () => {
    const authorized = await authorize(undefined, [{ bearerAuth: [] }], {
      headers: { authorization: 'Custom x' },
    });
    expect(header(authorized, 'Authorization')).toBe('Custom x');
    expect(authorized.credentialHeaders).toEqual(['authorization']);
  });

  it.each<[string, string, string, string]>([
    ['TOOLCRIB_PETS_BEARER_AUTH', 'bearerAuth', 't0k3n', 'Bearer t0k3n'],
    ['TOOLCRIB_PETS_BASIC_AUTH', 'basicAuth', 'ann:p:w', basic('ann:p:w')],
    ['TOOLCRIB_PETS_OAUTH', 'oauth', 't0k3n', 'Bearer t0k3n'],
  ])('the variable %s', async (variable, scheme, value, expected) => {
    const authorized = await authorize(undefined, [{ [scheme]: [] }], { env: { [variable]: value } });
    expect(header(authorized, 'authorization')).toBe(expected);
  });

  it('the configuration goes before the environment', async () => {
    const env = { TOOLCRIB_PETS_BEARER_AUTH: 'environment' };
    const authorized = await authorize({ bearer: 'configured' }, [{ bearerAuth: [] }], { env });
    expect(header(authorized, 'authorization')).toBe('Bearer configured');
  });
});

describe('credentials_missing', () => {
  it.each<[string, SecurityAlternative[], string[]]>([
    [
      'http bearer',
      [{ bearerAuth: [] }],
      ['scheme bearerAuth (http bearer)', 'sources.pets.credentials.bearer', 'TOOLCRIB_PETS_BEARER_AUTH'],
    ],
    [
      'http basic',
      [{ basicAuth: [] }],
      ['(http Basic)', 'sources.pets.credentials.basic', 'TOOLCRIB_PETS_BASIC_AUTH (as user:password)'],
    ],
    [
      'apiKey',
      [{ keyHeader: [] }],
      ['(apiKey in header X-Api-Key)', 'sources.pets.credentials.apiKey', 'TOOLCRIB_PETS_KEY_HEADER'],
    ],
    [
      'oauth2',
      [{ oauth: ['read'] }],
      ['(oauth2)', 'sources.pets.credentials.oauth2', 'sources.pets.credentials.bearer'],
    ],
    [
      'mutualTLS',
      [{ client: [] }],
      ['(mutualTLS)', 'set sources.pets.tls.certificate and sources.pets.tls.key'],
    ],
    ['digest', [{ digestAuth: [] }], ['(http digest)', 'challenge-response']],
    ['an undefined scheme', [{ ghost: [] }], ['not defined by the document', 'schemes.ghost.bearer']],
    [
      'each alternative',
      [{ bearerAuth: [] }, { keyHeader: [], keyQuery: [] }],
      ['bearerAuth', '; or: ', 'keyHeader', ' and ', 'keyQuery'],
    ],
  ])('names what would satisfy %s', async (_, security, parts) => {
    const error = await authorize(undefined, security).catch((thrown) => thrown);
    const next = expect.stringContaining('sources.pets.credentials to none');
    expect(error).toMatchObject({ code: 'credentials_missing', next });
    for (const part of parts) expect(error.message).toContain(part);
  });

  it.each<[string, Connection['credentials'], SecurityAlternative[], RegExp]>([
    [
      'of another type',
      { bearer: 'x' },
      [{ keyHeader: [] }],
      /KEY_HEADER\. What sources\.pets\.credentials has \(bearer\) fits none of this\.$/,
    ],
    [
      'for a scheme of another name',
      { schemes: { keyHeadr: { apiKey: 'x' } } },
      [{ keyHeader: [] }],
      / has \(schemes\.keyHeadr\) fits none of this\.$/,
    ],
    [
      'that fit one of two',
      { apiKey: 'x', basic: { username: 'a', password: 'b' } },
      [{ keyHeader: [], bearerAuth: [] }],
      / has \(basic\) fits none of this\.$/,
    ],
    ['that fit, but for another one', { apiKey: 'x' }, [{ keyHeader: [], bearerAuth: [] }], /BEARER_AUTH\.$/],
  ])('names credentials %s', async (_, credentials, security, message) => {
    const error = await authorize(credentials, security).catch((thrown) => thrown);
    expect(error.message).toMatch(message);
  });

  it('a variable that the configuration names and that is not set', async () => {
    await expect(authorize({ bearer: { env: 'PETS_TOKEN' } }, [{ bearerAuth: [] }])).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('PETS_TOKEN, named by sources.pets.credentials.bearer, is not set'),
    });
    await expect(
      authorize({ bearer: { env: 'PETS_TOKEN' } }, [{ bearerAuth: [] }], { env: { PETS_TOKEN: ' ' } }),
    ).rejects.toMatchObject({ code: 'credentials_missing', message: expect.stringContaining('is empty') });
  });

  it('names from the document that meet Object.prototype are only names', async () => {
    await expect(authorize({ schemes: {} }, [{ constructor: [] }])).rejects.toMatchObject({
      code: 'credentials_missing',
    });
  });
});

describe('secrets', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-credentials-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are read from a file at each call', async () => {
    const file = join(folder, 'token');
    await writeFile(file, 'first\n');
    expect(header(await authorize({ bearer: { file } }, [{ bearerAuth: [] }]), 'authorization')).toBe(
      'Bearer first',
    );
    await writeFile(file, 'second\n');
    expect(header(await authorize({ bearer: { file } }, [{ bearerAuth: [] }]), 'authorization')).toBe(
      'Bearer second',
    );
    await expect(
      authorize({ bearer: { file: join(folder, 'absent') } }, [{ bearerAuth: [] }]),
    ).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('cannot be read'),
    });
  });

  it('that a header cannot carry are refused without being shown', async () => {
    for (const bad of ['evil\r\nX-Injected: 1', 'nul\0', 'wide€']) {
      const error = await authorize({ bearer: bad }, [{ bearerAuth: [] }]).catch((thrown) => thrown);
      expect(error.code).toBe('configuration_invalid');
      expect(error.message).not.toContain(bad.slice(0, 3));
    }
    await expect(
      authorize({ basic: { username: 'a:b', password: 'c' } }, [{ basicAuth: [] }]),
    ).rejects.toMatchObject({ code: 'configuration_invalid' });
    await expect(
      authorize({ schemes: { basicAuth: { bearer: 'nocolon' } } }, [{ basicAuth: [] }]),
    ).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.not.stringContaining('nocolon'),
    });
  });

  it('become known to the redactor', async () => {
    const redactor = createRedactor();
    const provider = createCredentialProvider({ egress: NO_EGRESS, redactor, env: {} });
    const pets = connection(schemes, {
      basic: { username: 'ann', password: 'hunter22' },
      apiKey: 'k3y-value',
    });
    await provider.authorize(request(), pets, [{ basicAuth: [], keyHeader: [] }], signal);
    expect(redactor.redact(`ann sent hunter22, ${basic('ann:hunter22')} and k3y-value`)).toBe(
      'ann sent [redacted], Basic [redacted] and [redacted]',
    );
    const keyed = connection(schemes, { basic: { username: 'k3y-as-user', password: '' } });
    await provider.authorize(request(), keyed, [{ basicAuth: [] }], signal);
    expect(redactor.redact('k3y-as-user was sent')).toBe('[redacted] was sent');
  });
});

describe('what a service repeats of a credential', () => {
  const [user, password] = ['annabel', 'correct-horse'];
  it.each<[string, Connection['credentials'], string, string]>([
    ['of a pair the password', { basic: { username: user, password } }, 'basicAuth', password],
    [
      'a key in the place of the user',
      { basic: { username: password, password: '' } },
      'basicAuth',
      password,
    ],
    [
      'the password of user:password',
      { schemes: { basicAuth: { bearer: `${user}:${password}` } } },
      'basicAuth',
      password,
    ],
    ['a key before the colon', { schemes: { basicAuth: { bearer: `${password}:` } } }, 'basicAuth', password],
    ['a bearer token', { bearer: password }, 'bearerAuth', password],
    ['an API key in a query', { apiKey: password }, 'keyQuery', password],
    ['an API key in a cookie', { apiKey: password }, 'keyCookie', password],
  ])('is taken out of its answer: %s', async (_, credentials, scheme, secret) => {
    const provider = createCredentialProvider({ egress: NO_EGRESS, env: {} });
    const pets = connection(schemes, credentials);
    const sent = await provider.authorize(request(), pets, [{ [scheme]: [] }], signal);
    const body = Buffer.from(`${user} is no match for ${secret}`);
    const answer = { status: 200, url: sent.url, headers: {}, body };
    const clean = provider.concealAnswer!(answer, sent, pets);
    expect(Buffer.from(clean.body).toString()).toBe(`${user} is no match for [redacted]`);
  });
});

describe('where a credential may go', () => {
  const foreign = request({ url: 'https://evil.example/pets' });

  it('nowhere but to the base URL', async () => {
    const baseUrl = 'https://api.example.org/v1';
    await expect(
      authorize({ bearer: 't0k3n' }, [{ bearerAuth: [] }], { baseUrl, outgoing: foreign }),
    ).rejects.toMatchObject({ code: 'egress_blocked', message: expect.not.stringContaining('t0k3n') });
    expect(header(await authorize({ bearer: 't' }, [{ bearerAuth: [] }], { baseUrl }), 'authorization')).toBe(
      'Bearer t',
    );
    expect(await authorize({ bearer: 't' }, [], { baseUrl, outgoing: foreign })).toBe(foreign);
  });

  it('nowhere but to the origins that the hook names', async () => {
    const provider = createCredentialProvider({
      egress: NO_EGRESS,
      env: {},
      allowedOrigins: () => ['https://api.example.org'],
    });
    const pets = connection(schemes, { bearer: 't' });
    await expect(provider.authorize(foreign, pets, [{ bearerAuth: [] }], signal)).rejects.toMatchObject({
      code: 'egress_blocked',
    });
    await expect(provider.authorize(request(), pets, [{ bearerAuth: [] }], signal)).resolves.toBeDefined();
  });
});

it('a static credential gains nothing from a retry', () => {
  const provider = createCredentialProvider({ egress: NO_EGRESS, env: {} });
  expect(provider.refused(connection(schemes, { bearer: 't' }))).toBe(false);
});

it.skipIf(process.platform === 'win32')(
  'a token that a program printed and a service refused is asked for once more',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-printed-token-'));
    try {
      const count = join(folder, 'count');
      const print = `echo run >> '${count}'; echo "token-$(wc -l < '${count}' | tr -d ' ')"`;
      const reference = { command: ['sh', '-c', print] };
      const provider = createCredentialProvider({ egress: NO_EGRESS, env: { PATH: process.env['PATH'] } });
      const asked = connection(schemes, { bearer: reference, basic: { username: 'u', password: reference } });
      const send = (security: readonly SecurityAlternative[]) =>
        provider.authorize(request(), asked, security, signal);
      const first = await send([{ bearerAuth: [] }]);
      expect(header(first, 'authorization')).toBe('Bearer token-1');
      expect(provider.refused(asked, first)).toBe(true);
      expect(provider.refused(asked, first)).toBe(false);
      expect(header(await send([{ bearerAuth: [] }]), 'authorization')).toBe('Bearer token-2');
      // a password that is refused is wrong: services lock accounts that fail
      const second = await send([{ basicAuth: [] }]);
      expect(header(second, 'authorization')).toBe(basic('u:token-2'));
      expect(provider.refused(asked, second)).toBe(false);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
