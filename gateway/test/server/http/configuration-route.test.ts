import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfiguration, parseConfiguration } from '../../../src/config/index.ts';
import { createGateway } from '../../../src/gateway.ts';
import { shownConfiguration } from '../../../src/server/http/shown-configuration.ts';
import { sessionGateway } from './sessions/session-gateway.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-configuration-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Every way in which a secret gets into a configuration; none of these texts may come out. */
const SECRETS = {
  token: 'server-secret-1',
  database: 'database-secret-2',
  literal: 'literal-secret-3',
  header: 'header-secret-4',
  variable: 'variable-secret-5',
  argument: 'argument-secret-6',
  option: 'option-secret-7',
  query: 'query-secret-8',
  webhook: `whsec_${'c2VjcmV0LW5pbmU5'.repeat(2)}`,
  model: 'model-secret-10',
  resolved: 'resolved-secret-11',
};

const parsed = () =>
  parseConfiguration(
    {
      stateDirectory: folder,
      store: `postgres://crib:${SECRETS.database}@127.0.0.1/crib`,
      server: { token: { env: 'SERVER_SECRET' }, port: 8787 },
      sources: {
        shop: {
          openapi: 'shop.json',
          credentials: { bearer: { env: 'SHOP_TOKEN' } },
          headers: { 'X-Tenant': SECRETS.header, 'X-Ref': { env: 'SHOP_HEADER' } },
        },
        desk: { openapi: 'desk.json', credentials: { schemes: { key: { apiKey: SECRETS.literal } } } },
        tickets: { openapi: 'tickets.json', credentials: { bearer: { file: 'ticket-token' } } },
      },
      mcpServers: {
        notes: {
          command: 'notes-server',
          args: ['--api-key', SECRETS.argument, `--token=${SECRETS.option}`, '--verbose', 'notes'],
          env: { NOTES_TOKEN: SECRETS.variable, NOTES_KEY: '${NOTES_KEY}' },
        },
        search: {
          url: `https://search.example/mcp?token=${SECRETS.query}`,
          headers: { Authorization: 'Bearer ${SEARCH_TOKEN}' },
        },
      },
      chat: { baseUrl: 'https://model.example/v1', model: 'm', apiKey: SECRETS.model },
      events: { webhooks: [{ name: 'hook', url: 'https://hook.example/', secret: SECRETS.webhook }] },
    } as never,
    {
      baseDirectory: folder,
      env: {
        SERVER_SECRET: SECRETS.token,
        SHOP_HEADER: SECRETS.resolved,
        NOTES_KEY: 'notes-key-value',
        SEARCH_TOKEN: 'search-token-value',
      },
    },
  );

describe('a configuration as it is shown', () => {
  test('holds no secret, however it was written', async () => {
    const text = JSON.stringify(shownConfiguration(await parsed()));
    for (const secret of [...Object.values(SECRETS), 'notes-key-value', 'search-token-value']) {
      expect(text).not.toContain(secret);
    }
  });

  test('says where they come from, and everything else as it counts', async () => {
    expect(shownConfiguration(await parsed())).toMatchObject({
      name: 'toolcrib',
      server: { port: 8787, host: '127.0.0.1', token: '(secret)', sessions: { idleMs: 43_200_000 } },
      store: 'postgres://[redacted]@127.0.0.1/crib',
      sources: {
        shop: {
          kind: 'openapi',
          credentials: { bearer: 'env:SHOP_TOKEN' },
          headers: { 'X-Tenant': '(secret)', 'X-Ref': '(secret)' },
        },
        desk: { credentials: { schemes: { key: { apiKey: '(secret)' } } } },
        tickets: { credentials: { bearer: `file:${join(folder, 'ticket-token')}` } },
      },
      mcpServers: {
        notes: {
          command: 'notes-server',
          args: ['--api-key', '(secret)', '--token=(secret)', '--verbose', 'notes'],
          env: { NOTES_TOKEN: '(secret)', NOTES_KEY: '${NOTES_KEY}' },
        },
        search: { headers: { Authorization: 'Bearer ${SEARCH_TOKEN}' } },
      },
      watch: true,
    });
  });
});

describe('GET /api/v1/configuration', () => {
  test('is for the operator', async () => {
    await using team = await sessionGateway('team');
    const refused = await team.as(team.annKey)('GET', '/api/v1/configuration');
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.objectContaining({
        code: 'admin_needed',
        next: expect.stringContaining('The operator does it'),
      }),
    ]);
    expect((await team.as(undefined)('GET', '/api/v1/configuration')).status).toBe(401);
    const { body } = await (await team.owner()).get('/api/v1/configuration');
    expect(body).toMatchObject({
      file: null,
      watched: false,
      configuration: { auth: { mode: 'team' }, server: { token: '(secret)' } },
      live: expect.arrayContaining(['sources', 'policy']),
      afterRestart: [],
    });
    expect(body.live).not.toContain('server');
    expect(JSON.stringify(body)).not.toContain('the-token-of-the-server');
  });

  test('shows what counts now, and what waits for a restart', async () => {
    const file = join(folder, 'toolcrib.yaml');
    const read = async (text: string) => {
      await writeFile(file, text);
      return loadConfiguration({ file, env: {}, cwd: folder });
    };
    const gateway = await createGateway(
      await read('stateDirectory: ./state\nstore: none\nname: before\nsources: { own: { self: {} } }\n'),
    );
    const ask = async () => {
      const response = await gateway.fetch(new Request('http://127.0.0.1/api/v1/configuration'));
      return response.json();
    };
    expect(await ask()).toMatchObject({ file, watched: true, afterRestart: [] });
    await gateway.reconfigure(
      await read(
        'stateDirectory: ./state\nstore: none\nname: after\noutput: { strict: true }\nsources: { own: { self: {} } }\n',
      ),
    );
    expect(await ask()).toMatchObject({
      configuration: { name: 'before', output: { strict: true } },
      afterRestart: ['name'],
    });
    await gateway.close();
  });
});
