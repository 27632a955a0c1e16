import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { createGateway, type Gateway, loadConfiguration } from '../src/index.ts';
import { type OwnerSession, ownerSession } from './server/http/owner-session.ts';

/** An API whose slow operation answers when it is let go. */
let release: (() => void) | undefined;
const api = createServer(async (request, response) => {
  if (request.url?.startsWith('/slow')) {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ path: request.url }));
});
let base: string;
let folder: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(() => api.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-desk-'));
  release = undefined;
  return () => rm(folder, { recursive: true, force: true });
});

const documentWith = (...operations: string[]) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Api', version: '1' },
    servers: [{ url: base }],
    paths: Object.fromEntries(
      operations.map((id) => [
        `/${id}`,
        { get: { operationId: id, summary: `Does ${id}`, responses: { 200: { description: 'ok' } } } },
      ]),
    ),
  });

const file = () => join(folder, 'toolcrib.yaml');
const state = () => join(folder, 'state');
const text = () => readFile(file(), 'utf8');
const load = () =>
  loadConfiguration({ file: file(), cwd: folder, env: {}, overrides: { stateDirectory: state() } });

const FILE = () => `# Our shop.
store: none
cache: false
watch: false   # the tests say when

sources:
  # pets first
  pets: { openapi: ./pets.json, baseUrl: "${base}" }
`;

interface Desk {
  readonly gateway: Gateway;
  readonly owner: OwnerSession;
  readonly names: () => string[];
}

async function running(use: (desk: Desk) => Promise<void>, written = FILE()): Promise<void> {
  await writeFile(join(folder, 'pets.json'), documentWith('list', 'slow'));
  await writeFile(file(), written);
  const gateway = await createGateway(await load(), { reload: load });
  try {
    const owner = await ownerSession((request) => gateway.fetch(request), state());
    await use({ gateway, owner, names: () => gateway.view().tools.map(({ name }) => name) });
  } finally {
    release?.();
    await gateway.close();
  }
}

const plain = (gateway: Gateway, method: string, path: string, body?: unknown) =>
  gateway.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }),
  );

describe('a source that is added', () => {
  it('is read for a try, which changes nothing, and then stands in the file and in every list', async () => {
    await running(async ({ gateway, owner, names }) => {
      await writeFile(join(folder, 'crm.json'), documentWith('deal'));
      const change = {
        name: 'crm',
        entry: { openapi: './crm.json', baseUrl: base, headers: { 'x-key': { env: 'DESK_TEST_NOT_SET' } } },
        keep: 'file',
      };
      const before = await text();
      const { headers: _headers, ...open } = change.entry;
      const [status, plan] = await owner.json('POST', '/api/v1/sources', {
        ...change,
        entry: open,
        dryRun: true,
      });
      expect([status, plan]).toMatchObject([
        200,
        {
          applied: false,
          yaml: `sources:\n  crm:\n    openapi: ./crm.json\n    baseUrl: ${base}\n`,
          file: {
            path: file(),
            line: 9,
            removed: [],
            added: ['  crm:', '    openapi: ./crm.json', `    baseUrl: ${base}`],
          },
          trial: {
            operations: 1,
            tools: [{ tool: 'crm_deal', operation: 'deal', access: 'read', method: 'GET', path: '/deal' }],
            baseUrl: base,
            taken: [],
          },
        },
      ]);
      expect([await text(), names()]).toEqual([before, ['pets_list', 'pets_slow']]);
      let told = 0;
      gateway.onChange((what) => {
        if (what === 'tools') told++;
      });
      const saved = await owner.json('POST', '/api/v1/sources', {
        ...change,
        entry: open,
        revision: plan.file.revision,
      });
      expect(saved).toMatchObject([200, { applied: true }]);
      expect(names()).toEqual(['crm_deal', 'pets_list', 'pets_slow']);
      expect(told).toBeGreaterThan(0);
      expect(await text()).toBe(`${before}  crm:\n    openapi: ./crm.json\n    baseUrl: ${base}\n`);
      expect(await gateway.call({ tool: 'crm_deal' })).toMatchObject({ structured: { path: '/deal' } });
      expect(await owner.json('GET', '/api/v1/sources/crm')).toMatchObject([
        200,
        {
          source: { health: 'ok', origin: 'file' },
          entry: { section: 'sources', name: 'crm', value: open, yaml: plan.yaml },
        },
      ]);
    });
  });

  it('lives for this run where it is not to be written, whatever the file says next', async () => {
    await running(async ({ gateway, owner, names }) => {
      await writeFile(join(folder, 'crm.json'), documentWith('deal'));
      const before = await text();
      const entry = { openapi: './crm.json', baseUrl: base };
      expect(await owner.json('POST', '/api/v1/sources', { name: 'crm', entry, keep: 'run' })).toMatchObject([
        200,
        { applied: true },
      ]);
      expect(names()).toContain('crm_deal');
      expect(await text()).toBe(before);
      await gateway.reconfigure(await load());
      expect(names()).toContain('crm_deal');
      expect(await gateway.call({ tool: 'crm_deal' })).toMatchObject({ structured: { path: '/deal' } });
      expect(await owner.json('DELETE', '/api/v1/sources/crm?keep=run')).toMatchObject([
        200,
        { applied: true },
      ]);
      expect(names()).not.toContain('crm_deal');
    });
  });

  it.each([
    ['no kind', { baseUrl: 'http://127.0.0.1:1' }, '#/sources/crm'],
    ['an unknown key', { openapi: './crm.json', bassUrl: 'x' }, '#/sources/crm/bassUrl'],
    ['a wrong value', { openapi: './crm.json', limits: { timeout: 'soon' } }, '#/sources/crm/limits/timeout'],
    [
      'a secret as text',
      { openapi: './a.json', credentials: { bearer: 'abc' } },
      '#/sources/crm/credentials/bearer',
    ],
  ])('is refused with the place of %s', async (_what, entry, pointer) => {
    await running(async ({ owner }) => {
      for (const keep of ['file', 'run']) {
        expect(
          await owner.json('POST', '/api/v1/sources', { name: 'crm', entry, keep, dryRun: true }),
        ).toMatchObject([400, { error: { code: 'configuration_invalid', pointer } }]);
      }
    });
  });

  it('does not overwrite a file that changed meanwhile, nor one that was not looked at', async () => {
    await running(async ({ owner, names }) => {
      await writeFile(join(folder, 'crm.json'), documentWith('deal'));
      const change = { name: 'crm', entry: { openapi: './crm.json' }, keep: 'file' };
      const [, plan] = await owner.json('POST', '/api/v1/sources', { ...change, dryRun: true });
      await writeFile(file(), `${FILE()}# a colleague was here\n`);
      for (const revision of [plan.file.revision, undefined]) {
        expect(await owner.json('POST', '/api/v1/sources', { ...change, revision })).toMatchObject([
          409,
          { error: { code: 'record_conflict' } },
        ]);
      }
      expect(await text()).toBe(`${FILE()}# a colleague was here\n`);
      expect(names()).not.toContain('crm_deal');
    });
  });

  it('takes no name that is taken, unless it is to be changed', async () => {
    await running(async ({ owner, names }) => {
      const change = {
        name: 'pets',
        entry: { openapi: './pets.json', baseUrl: base, exclude: [{ operation: 'slow' }] },
        keep: 'file',
      };
      expect(await owner.json('POST', '/api/v1/sources', { ...change, dryRun: true })).toMatchObject([
        409,
        { error: { code: 'record_conflict', pointer: '/name' } },
      ]);
      const [, plan] = await owner.json('POST', '/api/v1/sources', {
        ...change,
        replace: true,
        dryRun: true,
      });
      expect(plan).toMatchObject({ trial: { operations: 1, skippedCount: 1 }, file: { line: 8 } });
      const { revision } = plan.file;
      await owner.json('POST', '/api/v1/sources', { ...change, replace: true, revision });
      expect(names()).toEqual(['pets_list']);
      expect(await text()).toContain('# pets first\n  pets:\n    openapi: ./pets.json\n');
    });
  });

  it('says why it cannot be read, which variables it wants, and which address is refused', async () => {
    await running(async ({ owner }) => {
      const tried = async (entry: unknown) =>
        (await owner.json('POST', '/api/v1/sources', { name: 'crm', entry, keep: 'run', dryRun: true }))[1];
      expect(await tried({ openapi: './nowhere.json' })).toMatchObject({
        trial: { error: { code: 'source_unreadable', next: expect.any(String) }, operations: 0 },
      });
      await writeFile(join(folder, 'broken.json'), '{"openapi": "3.1.0", "paths": []}');
      expect(await tried({ openapi: './broken.json' })).toMatchObject({
        trial: { operations: 0, diagnostics: [{ severity: 'error', pointer: '#/paths' }] },
      });
      await writeFile(
        join(folder, 'crm.json'),
        documentWith('deal').replaceAll(base, 'http://10.1.2.3:9000/v1'),
      );
      const behind = { baseUrl: 'http://localhost/v1', socketPath: '/run/crm.sock' };
      const { trial } = await tried({ openapi: './crm.json', ...behind });
      expect(trial).toMatchObject({ baseUrl: 'http://localhost/v1' });
      expect(trial?.diagnostics.map(({ code }: { code: string }) => code)).not.toContain('base-url-blocked');
      const credentials = { bearer: { env: 'DESK_TEST_NOT_SET' } };
      expect(await tried({ openapi: './crm.json', credentials })).toMatchObject({
        environment: [{ name: 'DESK_TEST_NOT_SET', set: false }],
        trial: {
          baseUrl: 'http://10.1.2.3:9000/v1',
          diagnostics: [
            {
              code: 'base-url-blocked',
              severity: 'error',
              message: expect.stringContaining('"10.1.2.3:9000"'),
            },
          ],
        },
      });
    });
  });

  it('can be an entry of mcpServers, whose program is run for the try', async () => {
    await running(async ({ owner, names }) => {
      const program = join(folder, 'server.mjs');
      await writeFile(program, MCP_SERVER);
      const change = {
        section: 'mcpServers',
        name: 'greeter',
        entry: { command: process.execPath, args: [program] },
        keep: 'file',
      };
      const [, plan] = await owner.json('POST', '/api/v1/sources', { ...change, dryRun: true });
      expect(plan.trial).toMatchObject({ operations: 1, tools: [{ tool: 'greeter_greet' }] });
      expect(names()).not.toContain('greeter_greet');
      await owner.json('POST', '/api/v1/sources', { ...change, revision: plan.file.revision });
      expect(names()).toContain('greeter_greet');
      expect(await owner.json('GET', '/api/v1/sources/greeter')).toMatchObject([
        200,
        { source: { kind: 'mcp', place: process.execPath, upstream: { status: 'running' } } },
      ]);
      const [, removal] = await owner.json('DELETE', '/api/v1/sources/greeter?keep=file&dryRun=true');
      const { revision } = removal.file;
      await owner.json(
        'DELETE',
        `/api/v1/sources/greeter?keep=file&revision=${encodeURIComponent(revision)}`,
      );
      expect(names()).not.toContain('greeter_greet');
      expect(await text()).toBe(`${FILE()}mcpServers: {}\n`);
    });
  });
});

/** As little of MCP as lists one tool. */
const MCP_SERVER = `
import { createInterface } from 'node:readline';
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'greeter', version: '1' },
    });
  else if (method === 'tools/list')
    answer(id, { tools: [{ name: 'greet', description: 'Greets', inputSchema: { type: 'object' } }] });
  else process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
});
`;

describe('a source that is taken out', () => {
  it('lets calls under way end, and leaves the rest of the file', async () => {
    await running(async ({ gateway, owner, names }) => {
      await writeFile(join(folder, 'crm.json'), documentWith('deal'));
      const pending = gateway.call({ tool: 'pets_slow' });
      await expect.poll(() => release).toBeDefined();
      const [, plan] = await owner.json('DELETE', '/api/v1/sources/pets?keep=file&dryRun=true');
      expect(plan.file).toMatchObject({ line: 6, added: ['sources: {}'] });
      expect(names()).toContain('pets_slow');
      const { revision } = plan.file;
      const path = `/api/v1/sources/pets?keep=file&revision=${encodeURIComponent(revision)}`;
      expect(await owner.json('DELETE', path)).toMatchObject([200, { applied: true }]);
      expect(names()).toEqual([]);
      await expect(gateway.call({ tool: 'pets_list' })).rejects.toMatchObject({ code: 'tool_unknown' });
      release?.();
      expect(await pending).toMatchObject({ structured: { path: '/slow' } });
      expect(await text()).toMatch(/^# Our shop\.\n[\s\S]*# the tests say when\n\nsources: \{\}\n$/);
    });
  });

  it('is unknown where there is none', async () => {
    await running(async ({ owner }) => {
      expect(await owner.json('DELETE', '/api/v1/sources/nope?keep=run')).toMatchObject([
        404,
        { error: { code: 'source_unknown' } },
      ]);
    });
  });
});

describe('the file', () => {
  it('keeps its mode, and a link keeps pointing to it', async () => {
    await running(async ({ owner }) => {
      const real = join(folder, 'real.yaml');
      await writeFile(real, await text());
      await chmod(real, 0o640);
      await rm(file());
      await symlink(real, file());
      const change = { name: 'crm', entry: { openapi: './pets.json', prefix: 'crm' }, keep: 'file' };
      const [, plan] = await owner.json('POST', '/api/v1/sources', { ...change, dryRun: true });
      const { revision } = plan.file;
      expect(await owner.json('POST', '/api/v1/sources', { ...change, revision })).toMatchObject([200, {}]);
      expect((await lstat(file())).isSymbolicLink()).toBe(true);
      expect((await stat(real)).mode & 0o777).toBe(0o640);
      expect(await readFile(real, 'utf8')).toContain('crm:');
      expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    });
  });

  it('is absent for gateways without one: then only this run can be changed', async () => {
    await writeFile(join(folder, 'pets.json'), documentWith('list'));
    const { file: _file, ...configuration } = await writeFile(file(), FILE()).then(load);
    const gateway = await createGateway(configuration);
    try {
      const owner = await ownerSession((request) => gateway.fetch(request), state());
      const change = { name: 'crm', entry: { openapi: './pets.json' }, keep: 'file' };
      expect(await owner.json('POST', '/api/v1/sources', { ...change, dryRun: true })).toMatchObject([
        409,
        { error: { code: 'record_conflict' } },
      ]);
      const [, options] = await owner.json('GET', '/api/v1/source-options');
      expect(options).not.toHaveProperty('file');
    } finally {
      await gateway.close();
    }
  });
});

describe('who may', () => {
  const CHANGES = [
    [
      'POST',
      '/api/v1/sources',
      { name: 'crm', entry: { openapi: './pets.json' }, keep: 'run', dryRun: true },
    ],
    ['DELETE', '/api/v1/sources/pets?keep=run', undefined],
    ['POST', '/api/v1/source-documents?name=a.json', { openapi: '3.1.0' }],
    ['POST', '/api/v1/catalog/accept', {}],
    ['POST', '/api/v1/catalog/reject', { tool: 'pets_list' }],
  ] as const;

  test.each(CHANGES)('%s %s is for the session of the owner alone', async (method, path, body) => {
    await running(async ({ gateway, names }) => {
      expect((await plain(gateway, method, path, body)).status).toBe(403);
      expect(names()).toEqual(['pets_list', 'pets_slow']);
    });
    const token = 'a-token-of-the-server';
    await running(async ({ gateway }) => {
      const request = new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect((await gateway.fetch(request)).status).toBe(403);
    }, `${FILE()}server: { token: ${token} }\n`);
  });

  it("is never a tool of the gateway's own API", async () => {
    await running(async ({ gateway }) => {
      for (const tool of [
        'saveSource',
        'removeSource',
        'rejectCatalog',
        'acceptCatalog',
        'keepSourceDocument',
      ]) {
        const found = gateway.view().catalog.byTool(tool);
        if (found !== undefined) expect(found.facts.access).toBe('dangerous');
        const answer = await gateway
          .call({ tool, arguments: { body: { name: 'x', entry: {}, keep: 'run' } } })
          .catch((error) => error);
        expect(answer.code ?? answer.error?.code).toBe(
          found === undefined ? 'tool_unknown' : 'tool_forbidden',
        );
      }
    }, `${FILE()}  own: { self: {}, prefix: none }\n`);
  });
});

describe('how sources are', () => {
  it('tells what failed, since when, and what is still served', async () => {
    await running(async ({ gateway, owner, names }) => {
      await writeFile(join(folder, 'pets.json'), '{ "openapi": "3.1.0", ');
      expect(await owner.json('POST', '/api/v1/sources/pets/refresh')).toMatchObject([
        200,
        { health: 'stale', error: { code: 'source_invalid', next: expect.any(String) }, tools: 2 },
      ]);
      expect(names()).toEqual(['pets_list', 'pets_slow']);
      const [, { sources }] = await owner.json('GET', '/api/v1/sources');
      expect(sources).toMatchObject([
        { name: 'pets', health: 'stale', stale: { since: expect.any(String) }, readAt: expect.any(String) },
      ]);
      await writeFile(join(folder, 'pets.json'), documentWith('list'));
      expect(await owner.json('POST', '/api/v1/sources/pets/refresh')).toMatchObject([
        200,
        { health: 'ok', tools: 1, diagnostics: { error: 0 } },
      ]);
      expect((await plain(gateway, 'POST', '/api/v1/sources/nope/refresh')).status).toBe(404);
    });
  });

  it('says which credential its calls lack, which reading it does not need', async () => {
    const { paths, ...rest } = JSON.parse(documentWith('open', 'shut', 'shot'));
    for (const id of ['shut', 'shot']) paths[`/${id}`].get.security = [{ key: [] }];
    const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
    await writeFile(join(folder, 'shop.json'), JSON.stringify({ ...rest, paths, components }));
    const written = `${FILE()}  shop: { openapi: ./shop.json }\n`;
    await running(async ({ owner }) => {
      const [, { sources }] = await owner.json('GET', '/api/v1/sources');
      const [pets, shop] = sources;
      expect(pets).not.toHaveProperty('lacks');
      expect(shop).toMatchObject({
        health: 'ok',
        lacks: { calls: 2, of: 3, message: expect.stringMatching(/^Source shop needs a credential/) },
      });
      const [, report] = await owner.json('GET', '/api/v1/sources/shop');
      expect(report.source.lacks).toEqual(shop.lacks);
    }, written);
  });

  it('names a server that is switched off', async () => {
    await running(async ({ owner }) => {
      const [, { sources }] = await owner.json('GET', '/api/v1/sources');
      expect(sources[1]).toMatchObject({ name: 'off', kind: 'mcp', health: 'paused', tools: 0 });
    }, `${FILE()}mcpServers: { off: { command: nothing, disabled: true } }\n`);
  });
});

describe('a document that is uploaded', () => {
  it('is kept by its content, for its owner, and can be named', async () => {
    await running(async ({ owner }) => {
      const keep = async () =>
        (
          await owner.json(
            'POST',
            '/api/v1/source-documents?name=Shop%20API.openapi.json',
            documentWith('deal'),
          )
        )[1];
      const kept = await keep();
      expect(kept).toMatchObject({ name: 'Shop_API', bytes: documentWith('deal').length });
      expect(kept.path.startsWith(state())).toBe(true);
      expect((await stat(kept.path)).mode & 0o777).toBe(0o600);
      expect(await keep()).toEqual(kept);
      const entry = { openapi: kept.path, baseUrl: base };
      const [, plan] = await owner.json('POST', '/api/v1/sources', {
        name: 'shop',
        entry,
        keep: 'run',
        dryRun: true,
      });
      expect(plan.trial).toMatchObject({ tools: [{ tool: 'shop_deal' }] });
    });
  });

  it.each([
    ['an archive', new Uint8Array([0x50, 0x4b, 3, 4, 0xff])],
    ['another text', 'hello: world'],
    ['nothing', ''],
  ])('is refused where it is %s', async (_what, body) => {
    await running(async ({ owner }) => {
      const [status, answer] = await owner.json('POST', '/api/v1/source-documents?name=x.json', body);
      expect([status, answer]).toMatchObject([422, { error: { code: 'source_invalid' } }]);
    });
  });

  it('is refused above 32 MiB', async () => {
    await running(async ({ owner }) => {
      const body = `openapi: 3.1.0\n#${'x'.repeat(32 * 1024 * 1024)}`;
      const [status, answer] = await owner.json('POST', '/api/v1/source-documents?name=x.yaml', body);
      expect([status, answer]).toMatchObject([413, { error: { code: 'body_too_large' } }]);
    });
  });
});

describe('drift', () => {
  const drifted = () => `${FILE()}lock: { mode: quarantine }\n`;
  const change = (to: string) =>
    writeFile(join(folder, 'pets.json'), documentWith('list', 'slow').replace('Does list', to));

  it('is shown member by member, refused until it changes again, and accepted', async () => {
    await running(async ({ gateway, owner, names }) => {
      await owner.json('POST', '/api/v1/catalog/accept', {});
      await change('Sells everything');
      await owner.json('POST', '/api/v1/sources/pets/refresh');
      expect(names()).toEqual(['pets_slow']);
      const [, report] = await owner.json('GET', '/api/v1/sources/pets');
      expect(report).toMatchObject({
        source: { drift: { waiting: 1, rejected: 0 } },
        drift: [
          {
            tool: 'pets_list',
            kind: 'changed',
            withheld: true,
            differences: expect.arrayContaining([
              { path: 'description', before: '"Does list"', after: '"Sells everything"' },
            ]),
          },
        ],
      });
      const rejection = { tool: 'pets_list', reason: 'It should not sell' };
      expect(await owner.json('POST', '/api/v1/catalog/reject', rejection)).toEqual([
        200,
        { rejected: 'pets_list' },
      ]);
      const [, after] = await owner.json('GET', '/api/v1/sources/pets');
      expect(after).toMatchObject({
        source: { drift: { waiting: 0, rejected: 1 } },
        drift: [{ withheld: true, rejected: { reason: 'It should not sell' } }],
        diagnostics: [{ code: 'tool-rejected', severity: 'info' }],
      });
      // all that waits is accepted; what was refused waits for nobody
      expect(await owner.json('POST', '/api/v1/catalog/accept', {})).toEqual([200, { accepted: [] }]);
      expect(names()).toEqual(['pets_slow']);
      await change('Lists gently');
      await owner.json('POST', '/api/v1/sources/pets/refresh');
      expect((await owner.json('GET', '/api/v1/sources/pets'))[1].source.drift).toEqual({
        waiting: 1,
        rejected: 0,
      });
      expect(await owner.json('POST', '/api/v1/catalog/accept', { tool: 'pets_list' })).toEqual([
        200,
        { accepted: ['pets_list'] },
      ]);
      expect(names()).toEqual(['pets_list', 'pets_slow']);
      expect(await gateway.call({ tool: 'pets_list' })).toMatchObject({ structured: { path: '/list' } });
    }, drifted());
  });

  it('is refused in every mode, and by its name can be accepted after all', async () => {
    await running(async ({ owner, names }) => {
      await owner.json('POST', '/api/v1/catalog/accept', {});
      await change('Sells everything');
      await owner.json('POST', '/api/v1/sources/pets/refresh');
      expect(names()).toContain('pets_list');
      await owner.json('POST', '/api/v1/catalog/reject', { tool: 'pets_list' });
      expect(names()).toEqual(['pets_slow']);
      await owner.json('POST', '/api/v1/catalog/accept', { tool: 'pets_list' });
      expect(names()).toContain('pets_list');
      expect(await owner.json('POST', '/api/v1/catalog/reject', { tool: 'pets_list' })).toMatchObject([
        409,
        { error: { code: 'record_conflict' } },
      ]);
      expect(await owner.json('POST', '/api/v1/catalog/reject', { tool: 'nope' })).toMatchObject([
        404,
        { error: { code: 'tool_unknown' } },
      ]);
    }, `${FILE()}lock: { mode: warn }\n`);
  });
});
