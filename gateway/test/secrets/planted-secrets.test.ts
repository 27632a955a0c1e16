import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfigurationInput, createGateway, type Gateway } from '../../src/index.ts';
import { type NangoDouble, startNango } from '../doubles/nango.ts';
import { ECHO_PATHS, type EchoService, startEchoService } from './echo-service.ts';
import { hunt, type Secrets, type Trace, traceFolder, traceOutput } from './secret-hunt.ts';

/** Each of its own shape: marks that are escaped, letters beyond ASCII, a colon within a password. */
const SECRETS = {
  bearer: 'plant-bearer.Zx9/Qw+8=7~k2Vb5',
  secretFile: 'plantFileToken4Hq7Wm2Zp9Xc6Rt3',
  basicPassword: 'plant:pass"wörd/9+Kd7Lm3',
  basicKey: 'plantBasicKey8Gh4Jk2Nb6Vc',
  headerKey: 'plant-header-key&<7Ty6Ui5>',
  queryKey: 'plant query/key+3Er4Rt5?&=',
  cookieKey: 'plantCookieKey;"2Sd3Df4',
  fixedHeader: 'plant-fixed-header-5Gt6Hy7Ju8',
  clientSecret: 'plant/client+secret=1Qa2Ws3',
  brokenClientSecret: 'plant%broken+client&secret-6Yh7',
  oauthToken: 'plant.oauth.token-9Ol8Ik7Uj6_Yh5',
  refreshToken: 'plant-refresh-token-4Rf5Tg6Yh',
  nangoKey: 'plant-nango-secret-key-7Uj8Ik9Ol',
  wrongNangoKey: 'plant-wrong-nango-key-1Az2Sx3Dc',
  nangoToken: 'plantNangoAccessToken2Wx3Ec4Rv',
  nangoApiKey: 'plant-nango-api/key+5Tb6Yn7',
  rawIdToken: 'raw-id-token-of-planted',
  serverToken: 'plant-server-token-8Mk9Jn0Hb',
  wrongServerToken: 'plant-wrong-server-token-3Vf4',
  argument: 'plant-argument-password-6Bg7',
  loginPassword: 'plant login"päss/word+4Wq8Ez1',
  loginToken: 'plant.login.session-6Tz9Pu2Lo',
} satisfies Secrets;

const ENVIRONMENT: Readonly<Record<string, string>> = {
  PLANT_BEARER: SECRETS.bearer,
  PLANT_PASSWORD: SECRETS.basicPassword,
  PLANT_BASIC_KEY: SECRETS.basicKey,
  PLANT_HEADER_KEY: SECRETS.headerKey,
  PLANT_QUERY_KEY: SECRETS.queryKey,
  PLANT_COOKIE_KEY: SECRETS.cookieKey,
  PLANT_FIXED: SECRETS.fixedHeader,
  PLANT_CLIENT_SECRET: SECRETS.clientSecret,
  PLANT_BROKEN_SECRET: SECRETS.brokenClientSecret,
  PLANT_REFRESH: SECRETS.refreshToken,
  NANGO_SECRET_KEY: SECRETS.nangoKey,
  PLANT_WRONG_NANGO: SECRETS.wrongNangoKey,
  PLANT_SERVER_TOKEN: SECRETS.serverToken,
  PLANT_LOGIN: SECRETS.loginPassword,
};

let folder: string;
let echo: EchoService;
let nango: NangoDouble;
let gateway: Gateway;
let base: string;
let open = false;
const output = traceOutput();
const answers: Trace[] = [];
const kept = (where: string, value: unknown) =>
  answers.push({ where, bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) });

/** Answers that a document asks for one scheme, the same operations for all. */
function documentFor(scheme: object): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Echo', version: '1' },
    security: [{ planted: [] }],
    components: { securitySchemes: { planted: scheme } },
    paths: Object.fromEntries(
      ECHO_PATHS.map((path) => [
        path,
        { get: { operationId: path.slice(1), responses: { 200: { description: 'ok' } } } },
      ]),
    ),
  };
}

/** A source for each way to hold a credential. */
function sourceTable(): Record<string, { readonly scheme: object; readonly source: object }> {
  const tokenUrl = `${echo.url}/token`;
  const scope = Buffer.from(SECRETS.oauthToken).toString('base64url');
  const wanted = Buffer.from(SECRETS.loginToken).toString('base64url');
  const oauth = { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } };
  const bearer = { type: 'http', scheme: 'bearer' };
  const basic = { type: 'http', scheme: 'basic' };
  const keyIn = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
  const nangoAt = (more: object) => ({ nango: { integration: 'echo', baseUrl: nango.url, ...more } });
  const login = (user: string, want?: string) => ({
    login: { url: '/login', body: { user, secret: { env: 'PLANT_LOGIN' }, ...(want && { want }) } },
  });
  const withCredentials = (scheme: object, credentials: object) => ({ scheme, source: { credentials } });
  return {
    bearer: withCredentials(bearer, { bearer: { env: 'PLANT_BEARER' } }),
    fromfile: withCredentials(bearer, { bearer: { file: './token.txt' } }),
    basic: withCredentials(basic, { basic: { username: 'ann', password: { env: 'PLANT_PASSWORD' } } }),
    basickey: withCredentials(basic, { basic: { username: { env: 'PLANT_BASIC_KEY' }, password: '' } }),
    header: withCredentials(keyIn('header', 'X-Api-Key'), { apiKey: { env: 'PLANT_HEADER_KEY' } }),
    query: withCredentials(keyIn('query', 'api_key'), { apiKey: { env: 'PLANT_QUERY_KEY' } }),
    cookie: withCredentials(keyIn('cookie', 'sid'), { apiKey: { env: 'PLANT_COOKIE_KEY' } }),
    fixed: {
      scheme: keyIn('header', 'X-Fixed-Key'),
      source: { headers: { 'X-Fixed-Key': { env: 'PLANT_FIXED' } } },
    },
    oauth: withCredentials(oauth, {
      oauth2: { clientId: 'crib', clientSecret: { env: 'PLANT_CLIENT_SECRET' }, scopes: [scope] },
    }),
    refreshed: withCredentials(oauth, {
      oauth2: {
        clientId: 'crib',
        clientSecret: { env: 'PLANT_CLIENT_SECRET' },
        refreshToken: { env: 'PLANT_REFRESH' },
        scopes: [scope],
      },
    }),
    brokenoauth: withCredentials(oauth, {
      oauth2: {
        clientId: 'broken',
        clientSecret: { env: 'PLANT_BROKEN_SECRET' },
        refreshToken: { env: 'PLANT_REFRESH' },
        tokenUrl,
      },
    }),
    login: withCredentials(bearer, login('ann', wanted)),
    logincookie: withCredentials(keyIn('cookie', 'sid'), login('bob', wanted)),
    brokenlogin: withCredentials(bearer, login('broken')),
    formlogin: withCredentials(bearer, {
      login: { url: '/login', form: { user: 'broken', password: { env: 'PLANT_LOGIN' } } },
    }),
    nangotoken: withCredentials(bearer, nangoAt({ connection: 'planted' })),
    nangokey: withCredentials(basic, nangoAt({ connection: 'planted-key' })),
    nangolapsed: withCredentials(bearer, nangoAt({ connection: 'lapsed' })),
    nangomissing: withCredentials(bearer, nangoAt({ connection: 'nobody' })),
    nangorefused: withCredentials(
      bearer,
      nangoAt({ connection: 'planted', secretKey: { env: 'PLANT_WRONG_NANGO' } }),
    ),
    nangogone: withCredentials(bearer, {
      nango: { integration: 'echo', connection: 'planted', baseUrl: 'http://127.0.0.1:9' },
    }),
  };
}

beforeAll(async () => {
  Object.assign(process.env, ENVIRONMENT);
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-planted-'));
  echo = await startEchoService();
  nango = await startNango({ secretKey: SECRETS.nangoKey });
  const token = { type: 'OAUTH2', access_token: SECRETS.nangoToken };
  nango.add({ id: 'planted', integration: 'echo', credentials: token });
  nango.add({
    id: 'planted-key',
    integration: 'echo',
    credentials: { type: 'API_KEY', apiKey: SECRETS.nangoApiKey },
  });
  nango.add({ id: 'lapsed', integration: 'echo', credentials: token }).breakRefresh(424);
  const input = join(folder, 'input');
  await mkdir(input);
  await writeFile(join(input, 'token.txt'), SECRETS.secretFile);
  const sources: Record<string, object> = {};
  for (const [name, { scheme, source }] of Object.entries(sourceTable())) {
    const openapi = join(input, `${name}.json`);
    await writeFile(openapi, JSON.stringify(documentFor(scheme)));
    sources[name] = {
      openapi,
      baseUrl: echo.url,
      limits: { timeout: 1500, maxAttempts: 1, maxTextLength: 2000 },
      ...source,
    };
  }
  gateway = await createGateway(
    {
      stateDirectory: join(folder, 'state'),
      store: `sqlite:${join(folder, 'state', 'planted.db')}`,
      sources,
      server: { port: 0, token: { env: 'PLANT_SERVER_TOKEN' } },
      cache: true,
      lock: {
        mode: 'warn',
        file: join(folder, 'state', 'lock.json'),
        report: join(folder, 'state', 'report.md'),
      },
    } as ConfigurationInput,
    { baseDirectory: input },
  );
  open = true;
  base = new URL((await gateway.listen()).url).origin;
});

afterAll(async () => {
  output.restore();
  for (const name of Object.keys(ENVIRONMENT)) delete process.env[name];
  if (open) await gateway.close();
  await nango?.close();
  await echo?.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = async (path: string, init: RequestInit = {}, token: string = SECRETS.serverToken) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(`${base}${path}`, { ...init, headers });
  const text = await response.text();
  kept(`${init.method ?? 'GET'} ${path}`, `${JSON.stringify([...response.headers])}\n${text}`);
  return { status: response.status, text };
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(path, { method: 'POST', body: JSON.stringify(body), headers });

const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

async function openSession(): Promise<string> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'hunter', version: '1' },
  };
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      ...MCP_HEADERS,
      authorization: `Bearer ${SECRETS.serverToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  kept('initialize', await response.text());
  return response.headers.get('mcp-session-id') ?? '';
}

const expectNothing = (traces: readonly Trace[], secrets: Secrets = SECRETS) =>
  expect(hunt(traces, secrets)).toEqual([]);

describe('planted secrets', () => {
  it('go through calls that succeed and calls that fail in every way', { timeout: 120_000 }, async () => {
    const tools = gateway.view().tools.map(({ tool }) => tool.name);
    expect(tools).toHaveLength(ECHO_PATHS.length * Object.keys(sourceTable()).length);
    const outcomes = new Map<string, number>();
    const call = async (tool: string) => {
      const result = await gateway.call({ tool });
      kept(`call ${tool}`, result);
      const outcome = result.kind === 'completed' ? (result.error?.code ?? 'completed') : result.kind;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    };
    // what waits for its deadline does so at one time, and does not crowd out the others
    const isSilent = (tool: string) => tool.endsWith('_silent');
    const answered = tools.filter((tool) => !isSilent(tool));
    for (let start = 0; start < answered.length; start += 16)
      await Promise.all(answered.slice(start, start + 16).map(call));
    await Promise.all(tools.filter(isSilent).map(call));
    for (const outcome of [
      'completed',
      'upstream_status',
      'upstream_failed',
      'deadline_exceeded',
      'credentials_refused',
      'connection_missing',
      'reconnect_required',
      'upstream_unreachable',
    ]) {
      expect([...outcomes.keys()], JSON.stringify([...outcomes])).toContain(outcome);
    }
  });

  it('reached the service: otherwise the hunt proves nothing', () => {
    const wire: Trace[] = [{ where: 'the wire', bytes: Buffer.from(echo.heard.join('\n')) }];
    const sent = [
      'bearer',
      'secretFile',
      'basicPassword',
      'basicKey',
      'headerKey',
      'queryKey',
      'fixedHeader',
      'clientSecret',
      'brokenClientSecret',
      'oauthToken',
      'refreshToken',
      'nangoToken',
      'nangoApiKey',
      'loginPassword',
      'loginToken',
    ] as const;
    for (const name of sent) expect(hunt(wire, { [name]: SECRETS[name] })).not.toEqual([]);
  });

  it('are asked for over MCP and the HTTP API too', { timeout: 120_000 }, async () => {
    const session = await openSession();
    const rpc = (method: string, params: object) =>
      post('/mcp', { jsonrpc: '2.0', id: 2, method, params }, { ...MCP_HEADERS, 'mcp-session-id': session });
    await rpc('tools/list', {});
    for (const source of Object.keys(sourceTable())) {
      for (const path of ['whole', 'refused', 'binary']) {
        await post(`/api/v1/tools/${source}_${path}/call`, { arguments: {} });
        const { status, text } = await rpc('tools/call', { name: `${source}_${path}`, arguments: {} });
        expect(`${status} ${text.slice(0, 200)}`).toMatch(/^200 .*"result"/s);
      }
      const dry = await gateway.call({ tool: `${source}_whole`, dryRun: true });
      kept(`dry run ${source}`, dry);
    }
    for (const path of [
      'config',
      'tools',
      'events',
      'sources',
      'catalog',
      'catalog/report',
      'openapi.json',
    ]) {
      await ask(`/api/v1/${path}`);
    }
    for (const path of ['/metrics', '/healthz', '/readyz', '/api/skills/config', '/api/v1/usage'])
      await ask(path);
  });

  it('are not repeated by refusals of our own', async () => {
    const { status } = await ask('/api/v1/tools', {}, SECRETS.wrongServerToken);
    expect(status).toBe(401);
    await ask(`/api/v1/tools?token=${SECRETS.wrongServerToken}`, {}, SECRETS.wrongServerToken);
    await post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'initialize' },
      { authorization: `Basic ${SECRETS.wrongServerToken}` },
    );
    const result = await gateway.call({ tool: 'bearer_whole', arguments: { password: SECRETS.argument } });
    expect(result.kind === 'completed' && result.error?.code).toBe('arguments_invalid');
    kept('events', await gateway.events());
  });

  it('stand in no answer, in no encoding', () => {
    expect(answers.length).toBeGreaterThan(300);
    expectNothing(answers);
  });

  it('stand in nothing that was written: store, artifacts, cache, lock, report, logs', {
    timeout: 60_000,
  }, async () => {
    kept('diagnostics', gateway.diagnostics());
    await gateway.close();
    open = false;
    const files = await traceFolder(join(folder, 'state'));
    const names = files.map(({ where }) => where).join('\n');
    expect(names).toMatch(/artifacts\//);
    expect(names).toMatch(/cache\//);
    expect(names).toMatch(/planted\.db table events/);
    expectNothing(files);
    expectNothing(output.traces());
  });

  it('nor do the links on which a lapsed account is connected again, but in the answer to the caller', async () => {
    const tokens = Object.fromEntries(nango.sessions.map(({ token }, index) => [`session ${index}`, token]));
    expect(Object.keys(tokens).length).toBeGreaterThan(0);
    expectNothing([...(await traceFolder(join(folder, 'state'))), ...output.traces()], tokens);
    const told = answers.filter(({ where }) => where.startsWith('call nangolapsed_'));
    expect(hunt(told, tokens)).not.toEqual([]);
  });
});

describe('the hunt itself', () => {
  it.each([
    ['raw', (secret: string) => secret],
    ['base64 of a pair', (secret: string) => Buffer.from(`user:${secret}`).toString('base64')],
    ['percent', encodeURIComponent],
    ['JSON', (secret: string) => JSON.stringify({ secret })],
    ['hex', (secret: string) => Buffer.from(secret).toString('hex')],
    ['its second half', (secret: string) => `…${secret.slice(-14)}`],
  ])('finds %s', (_, encode) => {
    const bytes = Buffer.from(`before ${encode(SECRETS.bearer)} after`);
    expect(hunt([{ where: 'x', bytes }], { bearer: SECRETS.bearer })).not.toEqual([]);
  });
});
