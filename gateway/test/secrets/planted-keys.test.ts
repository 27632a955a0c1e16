import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfigurationInput, createGateway, type Gateway } from '../../src/index.ts';
import { bootstrap } from '../../src/principals/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type NangoDouble, startNango } from '../doubles/nango.ts';
import { type EchoService, startEchoService } from './echo-service.ts';
import { hunt, type Trace, traceFolder, traceOutput } from './secret-hunt.ts';

const NANGO_KEY = 'team-nango-secret-key-8Uj7Yh6Tg';
const SERVER_TOKEN = 'team-server-token-2Ws3Ed4Rf5';
const TOKEN_OF = { acme: 'acmeAccessToken5Tg6Yh7Uj8', globex: 'globexAccessToken1Qa2Ws3Ed' };
const LITERAL = 'literal-secret-in-a-record-7Ik8';
const REFRESHED = (token: string) => `${token}.1`;

let folder: string;
let echo: EchoService;
let nango: NangoDouble;
let gateway: Gateway;
let base: string;
let keySet: Server;
let isOpen = false;
const output = traceOutput();
const answers: Trace[] = [];
/** Everything that opens something, by name; filled as it comes to be. */
const secrets: Record<string, string> = {
  nangoKey: NANGO_KEY,
  serverToken: SERVER_TOKEN,
  acmeToken: TOKEN_OF.acme,
  globexToken: TOKEN_OF.globex,
  literal: LITERAL,
};

async function ask(
  method: string,
  path: string,
  bearer: string | undefined,
  body?: unknown,
  once = false,
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const headers = JSON.stringify([...response.headers]);
  if (!once)
    answers.push({ where: `${method} ${path} (${response.status})`, bytes: Buffer.from(headers + text) });
  return { status: response.status, json: text === '' ? {} : JSON.parse(text) };
}

const call = (bearer: string | undefined, tool: string) =>
  ask('POST', `/api/v1/tools/${tool}/call`, bearer, { arguments: {} });

beforeAll(async () => {
  Object.assign(process.env, { NANGO_SECRET_KEY: NANGO_KEY, PLANT_TEAM_TOKEN: SERVER_TOKEN });
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-planted-keys-'));
  const state = join(folder, 'state');
  const input = join(folder, 'input');
  await mkdir(input);
  await mkdir(state);
  echo = await startEchoService();
  nango = await startNango({ secretKey: NANGO_KEY });

  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  keySet = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => keySet.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(keySet.address() as AddressInfo).port}`;
  const sign = (subject: string, organisation: string) =>
    new SignJWT({ org_id: organisation })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience('toolcrib')
      .setSubject(subject)
      .setExpirationTime('1h')
      .sign(privateKey);

  const store = `sqlite:${join(state, 'team.db')}`;
  const opened = await openStore(store);
  const { key } = await bootstrap(opened, {
    defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
    organisation: { id: 'acme', name: 'Acme' },
    user: { name: 'Ada', subject: 'ada' },
  });
  await opened.close();
  secrets['acmeKey'] = key.key;
  secrets['acmeJwt'] = await sign('ada', 'acme');
  secrets['strangerJwt'] = await sign('nobody', 'acme');

  const document = {
    openapi: '3.1.0',
    info: { title: 'Echo', version: '1' },
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(
      ['whole', 'refused', 'long', 'silent'].map((name) => [
        `/${name}`,
        { get: { operationId: name, responses: { 200: { description: 'ok' } } } },
      ]),
    ),
  };
  await writeFile(join(input, 'echo.json'), JSON.stringify(document));
  gateway = await createGateway(
    {
      stateDirectory: state,
      store,
      auth: { mode: 'team', jwt: { issuer, audience: 'toolcrib' } },
      policy: { defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } } },
      sources: {
        echo: {
          openapi: './echo.json',
          baseUrl: echo.url,
          connections: 'records',
          credentials: { nango: { integration: 'echo', baseUrl: nango.url } },
          limits: { timeout: 2500, maxAttempts: 1, maxTextLength: 2000 },
        },
      },
      server: { port: 0, token: { env: 'PLANT_TEAM_TOKEN' } },
    } as ConfigurationInput,
    { baseDirectory: input },
  );
  isOpen = true;
  base = new URL((await gateway.listen()).url).origin;
});

afterAll(async () => {
  output.restore();
  delete process.env['NANGO_SECRET_KEY'];
  delete process.env['PLANT_TEAM_TOKEN'];
  if (isOpen) await gateway.close();
  await new Promise((resolve) => keySet?.close(resolve));
  await nango?.close();
  await echo?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A connection that Nango keeps for an organisation, and the record of it. */
async function connect(organisation: 'acme' | 'globex'): Promise<void> {
  nango.add({
    id: `${organisation}:echo`,
    integration: 'echo',
    credentials: { type: 'OAUTH2', access_token: TOKEN_OF[organisation] },
  });
  secrets[`${organisation}Refreshed`] = REFRESHED(TOKEN_OF[organisation]);
  const { status } = await ask('POST', '/api/v1/connections', SERVER_TOKEN, {
    organisation,
    source: 'echo',
    name: 'Shared',
    status: 'connected',
    credentials: { nango: { integration: 'echo', connection: `${organisation}:echo` } },
  });
  expect(status).toBe(201);
}

describe('the keys of a team', () => {
  it('are made, used, refused and revoked', async () => {
    await ask('POST', '/api/v1/orgs', SERVER_TOKEN, { id: 'globex', name: 'Globex' });
    const orgs = (await ask('GET', '/api/v1/orgs', SERVER_TOKEN)).json;
    const globex = (Object.values(orgs).flat() as { id: string; name: string }[]).find(
      ({ name }) => name === 'Globex',
    );
    expect(globex).toBeDefined();
    const { json: user } = await ask('POST', '/api/v1/users', SERVER_TOKEN, {
      organisation: globex!.id,
      name: 'Eve',
    });
    for (const name of ['globexKey', 'globexRevoked']) {
      const { status, json } = await ask(
        'POST',
        '/api/v1/keys',
        SERVER_TOKEN,
        { user: user['id'], name },
        true,
      );
      expect(status).toBe(201);
      secrets[name] = json['key'] as string;
      if (name !== 'globexRevoked') continue;
      const { id } = json['record'] as { id: string };
      expect((await ask('DELETE', `/api/v1/keys/${id}`, SERVER_TOKEN)).status).toBeLessThan(300);
    }
    await connect('acme');
    await connect('globex');
  });

  it('open their own organisation’s account only, whoever calls at the same time', {
    timeout: 60_000,
  }, async () => {
    const who = ['acmeKey', 'globexKey', 'acmeJwt'];
    const calls = Array.from({ length: 30 }, async (_, index) => {
      const { status, json } = await call(secrets[who[index % 3]!], 'echo_whole');
      expect(status, JSON.stringify(json)).toBe(200);
      expect(JSON.stringify(json)).toContain('Bearer [redacted]');
    });
    await Promise.all(calls);
    const wire = echo.heard.join('\n');
    expect(wire).toContain(TOKEN_OF.acme);
    expect(wire).toContain(TOKEN_OF.globex);
  });

  it('fail in many ways', { timeout: 60_000 }, async () => {
    await Promise.all(
      ['acmeKey', 'globexKey', 'acmeJwt'].map(async (name) => {
        for (const tool of ['echo_refused', 'echo_long', 'echo_silent']) await call(secrets[name], tool);
      }),
    );
    const wrong = `${secrets['acmeKey']!.slice(0, -1)}${secrets['acmeKey']!.endsWith('A') ? 'B' : 'A'}`;
    expect((await call(secrets['strangerJwt'], 'echo_whole')).status).toBe(403);
    for (const bearer of [secrets['globexRevoked'], wrong, undefined]) {
      expect((await call(bearer, 'echo_whole')).status).toBe(401);
    }
    await ask('GET', `/api/v1/tools?key=${secrets['acmeKey']}`, secrets['acmeKey']);
  });

  it('and secrets are not taken into records', async () => {
    for (const bearer of [SERVER_TOKEN, secrets['acmeKey']]) {
      const { status } = await ask('POST', '/api/v1/connections', bearer, {
        organisation: 'acme',
        source: 'echo',
        name: 'Own',
        credentials: { bearer: LITERAL },
      });
      expect(status).toBe(400);
    }
  });

  it('stand in no answer but the one that made them', async () => {
    for (const path of [
      'keys',
      'users',
      'connections',
      'events',
      'usage',
      'access',
      'config',
      'tools',
      'catalog/report',
      'sources',
    ]) {
      await ask('GET', `/api/v1/${path}`, secrets['acmeKey']);
      await ask('GET', `/api/v1/${path}`, SERVER_TOKEN);
    }
    await ask('GET', '/api/skills/config', secrets['acmeKey']);
    expect(hunt(answers, secrets)).toEqual([]);
  });

  it('stand in nothing that was written', async () => {
    await gateway.close();
    isOpen = false;
    const files = await traceFolder(join(folder, 'state'));
    expect(files.map(({ where }) => where).join('\n')).toMatch(/team\.db table api_keys/);
    expect(hunt(files, secrets)).toEqual([]);
    expect(hunt(output.traces(), secrets)).toEqual([]);
  });
});
