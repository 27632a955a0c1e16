import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ArmDouble, startArm } from './arm.ts';
import { CHAT } from './connectors/chat.ts';
import { MAIL } from './connectors/mail.ts';

let arm: ArmDouble;
const clock = { now: Date.parse('2026-03-04T05:06:07Z') };
beforeAll(async () => {
  arm = await startArm({ now: () => clock.now });
});
afterEach(() => {
  arm.forget();
  arm.putConnection({ name: 'mail', api: 'mail' });
});
afterAll(() => arm.close());

interface Asked {
  readonly method?: string;
  readonly token?: string;
  readonly version?: string;
  readonly query?: string;
  readonly body?: unknown;
}

async function ask(path: string, { method = 'GET', token, version, query = '', body }: Asked = {}) {
  const url = `${arm.url}${path}?api-version=${version ?? '2016-06-01'}${query}`;
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token ?? arm.token()}`, 'x-ms-client-request-id': 'mine' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by the tests
    body: (text === '' ? undefined : JSON.parse(text)) as any,
  };
}

const base = () => `/subscriptions/${arm.subscription}`;
const connections = () => `${base()}/resourceGroups/${arm.resourceGroup}/providers/Microsoft.Web/connections`;
const apis = () => `${base()}/providers/Microsoft.Web/locations/westus/managedApis`;
const codeOf = (answer: { body: { error: { code: string } } }) => answer.body.error.code;

describe('tokens and rights', () => {
  it('refuses a call without a token, with a foreign one, an expired one and one it does not know', async () => {
    const bare = await fetch(`${arm.url}${connections()}?api-version=2016-06-01`);
    expect(bare.status).toBe(401);
    expect(bare.headers.get('www-authenticate')).toContain('authorization_uri=');
    const codes = ['nobody', arm.token({ lifetimeMs: -1 }), arm.token({ tenantId: 'other' })].map(
      async (token) => {
        const answer = await ask(connections(), { token });
        return [answer.status, codeOf(answer)];
      },
    );
    expect(await Promise.all(codes)).toEqual([
      [401, 'InvalidAuthenticationToken'],
      [401, 'ExpiredAuthenticationToken'],
      [401, 'InvalidAuthenticationTokenTenant'],
    ]);
  });

  it('lets a token end, and takes one back', async () => {
    const token = arm.token({ lifetimeMs: 1000 });
    expect((await ask(connections(), { token })).status).toBe(200);
    clock.now += 1000;
    expect(codeOf(await ask(connections(), { token }))).toBe('ExpiredAuthenticationToken');
    const taken = arm.token({ opaque: true });
    arm.refuseToken(taken);
    expect(codeOf(await ask(connections(), { token: taken }))).toBe('InvalidAuthenticationToken');
  });

  it('gives tokens with readable claims', () => {
    const claims = JSON.parse(Buffer.from(arm.token().split('.')[1]!, 'base64url').toString());
    expect(claims).toMatchObject({
      oid: expect.any(String),
      tid: expect.any(String),
      exp: clock.now / 1000 + 3600,
    });
  });

  it.each([
    ['Microsoft.Web/connections/read', () => connections(), {}],
    ['Microsoft.Web/connections/write', () => `${connections()}/x`, { method: 'PUT', body: {} }],
    ['Microsoft.Web/connections/delete', () => `${connections()}/x`, { method: 'DELETE' }],
    [
      'Microsoft.Web/connections/dynamicInvoke/action',
      () => `${connections()}/mail/dynamicInvoke`,
      { method: 'POST' },
    ],
    [
      'Microsoft.Web/connections/listConsentLinks/action',
      () => `${connections()}/mail/listConsentLinks`,
      { method: 'POST' },
    ],
    ['Microsoft.Web/locations/managedApis/read', () => apis(), {}],
  ] as const)('answers AuthorizationFailed without %s', async (action, path, asked) => {
    arm.deny(action);
    const answer = await ask(path(), asked);
    arm.allow(action);
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({
      code: 'AuthorizationFailed',
      message: expect.stringContaining(action),
    });
    expect((await ask(path(), asked)).status).not.toBe(403);
  });
});

describe('resources', () => {
  it.each([
    [
      '/subscriptions/other/resourceGroups/x/providers/Microsoft.Web/connections',
      'SubscriptionNotFound',
      404,
    ],
    [
      `/subscriptions/SUB/resourceGroups/other/providers/Microsoft.Web/connections`,
      'ResourceGroupNotFound',
      404,
    ],
    [`CONNECTIONS/none`, 'ResourceNotFound', 404],
    [`APIS/none`, 'ApiNotFound', 404],
    [`/nothing`, 'InvalidResourceType', 404],
    [`CONNECTIONS/%E0%A4%A`, 'InvalidRequestUri', 400],
  ])('knows no %s', async (path, code, status) => {
    const known = path
      .replace('SUB', arm.subscription)
      .replace('CONNECTIONS', connections())
      .replace('APIS', apis());
    const answer = await ask(known);
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('wants an api-version that exists', async () => {
    const token = arm.token();
    const missing = await fetch(`${arm.url}${connections()}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await missing.json()).toMatchObject({ error: { code: 'MissingApiVersionParameter' } });
    expect(codeOf(await ask(connections(), { version: '2026-01-01' }))).toBe('InvalidApiVersionParameter');
  });

  it('lists connections with what a connection is, page by page when told so', async () => {
    const paged = await startArm({
      pageSize: 2,
      connections: ['a', 'b', 'c'].map((name) => ({ name, api: 'mail' })),
    });
    const names: string[] = [];
    let next: string | undefined = `${paged.url}${connections()}?api-version=2016-06-01`;
    let pages = 0;
    for (; next !== undefined; pages++) {
      const answer = await fetch(next, { headers: { authorization: `Bearer ${paged.token()}` } });
      const page = (await answer.json()) as { value: { name: string }[]; nextLink?: string };
      names.push(...page.value.map(({ name }) => name));
      next = page.nextLink;
    }
    await paged.close();
    expect([pages, names]).toEqual([2, ['a', 'b', 'c']]);
    const { value } = (await ask(connections())).body;
    expect(value).toMatchObject([
      {
        kind: 'V1',
        name: 'mail',
        type: 'Microsoft.Web/connections',
        properties: {
          overallStatus: 'Connected',
          connectionState: 'Enabled',
          api: { name: 'mail', category: 'Standard' },
        },
      },
    ]);
    expect(value[0].properties.connectionId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('shows other states of a connection', async () => {
    arm.changeConnection('mail', { status: 'Error', state: 'Disabled', shape: 'statuses-only' });
    const { properties } = (await ask(`${connections()}/mail`)).body;
    expect(properties).toMatchObject({
      connectionState: 'Disabled',
      statuses: [{ status: 'Error', target: 'token', error: { code: 'Unauthenticated' } }],
    });
    expect(properties).not.toHaveProperty('overallStatus');
  });

  it('makes, changes and deletes connections', async () => {
    const id = `${apis()}/chat`;
    const body = {
      location: 'westus',
      properties: { displayName: 'Talk', api: { id }, parameterValues: {} },
    };
    const made = await ask(`${connections()}/talk`, { method: 'PUT', body });
    expect([made.status, made.body.properties.overallStatus]).toEqual([201, 'Error']);
    expect((await ask(`${connections()}/talk`, { method: 'PUT', body })).status).toBe(200);
    const patched = await ask(`${connections()}/talk`, {
      method: 'PATCH',
      body: { properties: { displayName: 'T' } },
    });
    expect(patched.body.properties.displayName).toBe('T');
    expect((await ask(`${connections()}/talk`, { method: 'DELETE' })).status).toBe(200);
    expect((await ask(`${connections()}/talk`, { method: 'DELETE' })).status).toBe(204);
    const unknown = { ...body, properties: { api: { id: `${apis()}/none` } } };
    expect(codeOf(await ask(`${connections()}/x`, { method: 'PUT', body: unknown }))).toBe('ApiNotFound');
    const wrong = { ...body, properties: { api: { id }, parameterValues: { key: 'k' } } };
    expect(codeOf(await ask(`${connections()}/x`, { method: 'PUT', body: wrong }))).toBe(
      'ParameterNotDefined',
    );
    expect(codeOf(await ask(`${connections()}/x`, { method: 'PUT', body: {} }))).toBe(
      'InvalidRequestContent',
    );
  });

  it('takes keys and never gives them back', async () => {
    const body = {
      location: 'westus',
      properties: { api: { id: `${apis()}/filler1` }, parameterValues: { 'api-key': 'very secret' } },
    };
    const made = await ask(`${connections()}/keyed`, { method: 'PUT', body });
    expect(made.body.properties.overallStatus).toBe('Connected');
    expect(JSON.stringify(made.body)).not.toContain('very secret');
    const keys = await ask(`${connections()}/keyed/listConnectionKeys`, { method: 'POST' });
    arm.removeConnection('keyed');
    expect([keys.status, codeOf(keys)]).toEqual([403, 'AuthorizationFailed']);
  });

  it('lists many managed APIs, and gives each document in the shape it has', async () => {
    const { value } = (await ask(apis())).body;
    expect(value).toHaveLength(42);
    expect(value[0]).toMatchObject({
      name: 'mail',
      properties: {
        connectionParameters: { token: { type: 'oauthSetting' } },
        generalInformation: { tier: 'Standard' },
      },
    });
    const document = async (shape: 'root' | 'properties' | 'url' | 'original-url' | 'none') => {
      arm.putConnector({ ...CHAT, export: shape });
      return (await ask(`${apis()}/chat`, { query: '&export=true' })).body;
    };
    expect(await document('root')).toEqual(CHAT.swagger);
    expect((await document('properties')).properties.swagger).toEqual(CHAT.swagger);
    const url = (await document('url')).properties.apiDefinitionUrl;
    expect(new URL(url).origin).toBe(arm.sideUrl);
    expect(await (await fetch(url)).json()).toEqual(CHAT.swagger);
    expect((await document('original-url')).properties.apiDefinitions.originalSwaggerUrl).toBe(url);
    expect((await document('none')).properties).not.toHaveProperty('swagger');
    arm.putConnector(CHAT);
  });
});

describe('consent', () => {
  const link = async (more: object = {}) => {
    const one = { parameterName: 'token', redirectUrl: 'http://localhost:8080/done', ...more };
    return ask(`${connections()}/mail/listConsentLinks`, {
      method: 'POST',
      version: '2018-07-01-preview',
      body: { parameters: [one] },
    });
  };

  it('gives a link whose page signs the connection in, once', async () => {
    arm.changeConnection('mail', { status: 'Error' });
    const { value } = (await link()).body;
    expect(value).toMatchObject([{ status: 'Unauthenticated', displayName: null }]);
    const visit = await fetch(value[0].link, { redirect: 'manual' });
    expect(visit.status).toBe(302);
    const target = new URL(visit.headers.get('location')!);
    expect(target.origin + target.pathname).toBe('http://localhost:8080/done');
    expect((await ask(`${connections()}/mail`)).body.properties.overallStatus).toBe('Connected');
    expect((await fetch(value[0].link, { redirect: 'manual' })).status).toBe(410);
    const code = target.searchParams.get('code');
    const confirm = { method: 'POST', body: { objectId: 'o', tenantId: 't', code } };
    expect((await ask(`${connections()}/mail/confirmConsentCode`, confirm)).body.name).toBe('mail');
    expect((await ask(`${connections()}/mail/confirmConsentCode`, confirm)).status).toBe(400);
  });

  it('lets links expire, and refuses what it was not asked rightly', async () => {
    const [first] = (await link()).body.value;
    clock.now += 10 * 60_000;
    expect((await fetch(first.link, { redirect: 'manual' })).status).toBe(410);
    expect((await link({ objectId: 'somebody else' })).status).toBe(400);
    expect((await link({ redirectUrl: 'nowhere' })).status).toBe(400);
    expect((await link({ parameterName: 'key' })).status).toBe(400);
  });
});

describe('interference', () => {
  it('throttles, and says what is left', async () => {
    arm.throttle(1, 7);
    const first = await ask(connections());
    expect([first.status, first.headers.get('retry-after'), codeOf(first)]).toEqual([
      429,
      '7',
      'SubscriptionRequestsThrottled',
    ]);
    arm.remaining = 1;
    const { headers, status } = await ask(connections());
    expect(status).toBe(200);
    expect(headers.get('x-ms-ratelimit-remaining-subscription-reads')).toBe('0');
    expect(headers.get('x-ms-client-request-id')).toBe('mine');
    expect(headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('breaks one API and leaves the others alone', async () => {
    const exporting = (api: string) =>
      fetch(`${arm.url}${apis()}/${api}?api-version=2016-06-01&export=true`, {
        headers: { authorization: `Bearer ${arm.token()}` },
      });
    arm.breakApi('mail', 'error');
    expect((await exporting('mail')).status).toBe(500);
    expect((await exporting('chat')).status).toBe(200);
    arm.breakApi('mail', 'html');
    expect((await exporting('mail')).headers.get('content-type')).toBe('text/html');
    arm.breakApi('mail', 'not-json');
    await expect((await exporting('mail')).json()).rejects.toThrow();
    arm.breakApi('mail', 'drop');
    await expect(exporting('mail')).rejects.toThrow();
    arm.healApi('mail');
    expect((await exporting('mail')).status).toBe(200);
    expect(arm.requests.map(({ status }) => status)).toEqual([500, 200, 502, 200, 0, 200]);
  });

  it('holds an answer until it is let go, and counts exports under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    arm.interrupt({ when: ({ path }) => path.endsWith('/mail'), plan: { hold: promise } });
    const held = ask(`${apis()}/mail`, { query: '&export=true' });
    await expect.poll(() => arm.requests.length).toBe(1);
    expect((await ask(`${apis()}/chat`, { query: '&export=true' })).status).toBe(200);
    expect(arm.peakExports).toBe(2);
    resolve();
    expect((await held).body.info.title).toBe(MAIL.displayName);
  });
});
