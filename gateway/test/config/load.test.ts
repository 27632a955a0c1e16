import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoadOptions, loadConfiguration } from '../../src/config/index.ts';
import { isToolcribError, type ToolcribError } from '../../src/errors.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function load(text: string, options: Partial<LoadOptions> = {}) {
  const file = join(folder, 'toolcrib.yaml');
  await writeFile(file, text);
  return loadConfiguration({ file, cwd: folder, env: { HOME: '/home/ada' }, ...options });
}

async function refusal(text: string, options: Partial<LoadOptions> = {}): Promise<ToolcribError> {
  const outcome = await load(text, options).catch((error: unknown) => error);
  if (!isToolcribError(outcome)) throw new Error(`Expected a refusal, got ${JSON.stringify(outcome)}`);
  return outcome;
}

describe('a configuration file', () => {
  it('fills in what is absent', async () => {
    const configuration = await load('sources: { pets: { openapi: ./pets.yaml } }');
    expect(configuration).toMatchObject({
      name: 'toolcrib',
      topology: 'auto',
      file: join(folder, 'toolcrib.yaml'),
      baseDirectory: folder,
      stateDirectory: join('/home/ada', '.local', 'state', 'toolcrib'),
      egress: { allow: [] },
      lock: {
        mode: 'warn',
        file: join(folder, 'toolcrib.lock.json'),
        report: join(folder, 'toolcrib.report.json'),
      },
      output: { strict: false, schemas: true },
      server: { host: '127.0.0.1', port: 8787, maxBodyBytes: 4_194_304, drainMs: 10_000 },
      schemaProfile: 'portable',
      watch: true,
      cache: true,
      mcpServers: {},
    });
    expect(configuration.sources['pets']).toEqual({
      kind: 'openapi',
      settings: './pets.yaml',
      prefix: 'pets',
      access: [],
      include: [],
      exclude: [],
    });
  });

  it('carries everything that a source can say', async () => {
    const configuration = await load(
      `
sources:
  github:
    openapi: { document: ./github.json, overlay: ./fix.yaml }
    prefix: none
    baseUrl: http://127.0.0.1:9000/api
    serverVariables: { region: eu }
    headers: { X-Client: toolcrib, X-Team: { env: TEAM } }
    credentials:
      bearer: { env: GITHUB_TOKEN }
      schemes: { app: { apiKey: { file: ~/secrets/key } } }
    access:
      - { operation: repos/delete, access: dangerous }
    include: [{ tag: repos }, { path: /repos/**, method: get }]
    exclude: [{ tag: admin }]
    limits: { timeout: 2m, maxBytes: 1MiB, maxAttempts: 2, concurrency: 4, maxTextLength: 1000 }
  own: { self: {} }
`,
      { env: { HOME: '/home/ada', TEAM: 'crib' } },
    );
    expect(configuration.sources['github']).toEqual({
      kind: 'openapi',
      settings: { document: './github.json', overlay: './fix.yaml' },
      prefix: 'none',
      baseUrl: 'http://127.0.0.1:9000/api',
      serverVariables: { region: 'eu' },
      headers: { 'X-Client': 'toolcrib', 'X-Team': 'crib' },
      credentials: {
        bearer: { env: 'GITHUB_TOKEN' },
        schemes: { app: { apiKey: { file: join('/home/ada', 'secrets', 'key') } } },
      },
      access: [{ operation: 'repos/delete', access: 'dangerous' }],
      include: [{ tag: 'repos' }, { path: '/repos/**', method: 'get' }],
      exclude: [{ tag: 'admin' }],
      timeoutMs: 120_000,
      maxBytes: 1_048_576,
      maxAttempts: 2,
      concurrency: 4,
      maxTextLength: 1000,
    });
    expect(configuration.sources['own']).toMatchObject({ kind: 'self', settings: {}, prefix: 'own' });
    expect(configuration.egress.allow).toEqual(['http://127.0.0.1:9000']);
  });

  it('keeps what a document is shown for when it is read, its files found from any folder', async () => {
    const { sources } = await load(
      'sources: { a: { openapi: { document: "https://a.test/o", headers: { A: { env: NOT_SET }, B: { file: ~/key } } } } }',
      { env: { HOME: '/home/ada' } },
    );
    expect(sources['a']?.settings).toEqual({
      document: 'https://a.test/o',
      headers: { A: { env: 'NOT_SET' }, B: { file: join('/home/ada', 'key') } },
    });
  });

  it('is read as JSON too', async () => {
    const configuration = await load('{\n\t"name": "acme",\n\t"sources": {"a": {"openapi": "a.json"}}\n}');
    expect(configuration.name).toBe('acme');
  });

  it('keeps mcpServers as other clients write them', async () => {
    const { mcpServers } = await load(
      'mcpServers: { files: { command: npx, args: [server-files], env: { A: b } }, web: { url: "http://127.0.0.1:1/mcp" } }',
    );
    expect(mcpServers).toEqual({
      files: { command: 'npx', args: ['server-files'], env: { A: 'b' } },
      web: { url: 'http://127.0.0.1:1/mcp' },
    });
  });

  it.each([
    ['store: { env: NOT_SET }', 2, '#/store'],
    ['server:\n  token: { env: NOT_SET }', 3, '#/server/token'],
    ['server: { token: { file: ./NOT_SET } }', 2, '#/server/token'],
    [
      'sources: { a: { openapi: a.json, headers: { x-key: { env: NOT_SET } } } }',
      2,
      '#/sources/a/headers/x-key',
    ],
  ])('says where a secret is missing: %s', async (text, line, pointer) => {
    const error = await refusal(`name: shop\n${text}`, { env: {} });
    expect(error).toMatchObject({ code: 'credentials_missing', pointer });
    expect(error.location).toMatch(new RegExp(`\\.yaml:${line}$`));
    expect(error.message).toContain('NOT_SET');
  });

  it('reads the server token when it starts', async () => {
    const { server } = await load('server: { token: { env: CRIB_TOKEN } }', {
      env: { CRIB_TOKEN: 's3cret' },
    });
    expect(server.token).toBe('s3cret');
    const error = await refusal('server: { token: { env: CRIB_TOKEN } }', { env: {} });
    expect(error).toMatchObject({ code: 'credentials_missing' });
    expect(error.message).toContain('CRIB_TOKEN');
    const silent = await load('server: { token: { env: CRIB_TOKEN } }', {
      env: {},
      overrides: { listening: false },
    });
    expect(silent.server.token).toBeUndefined();
  });
});

describe('what a configuration must not say', () => {
  const cases: ReadonlyArray<[string, string, number, RegExp]> = [
    ['an unknown key', 'name: a\nsorces: {}\n', 2, /Unknown key "sorces"\. Did you mean "sources"\?/],
    [
      'a list in place of keys',
      'policy:\n  approvals:\n    - action: ask\n',
      2,
      /policy\.approvals.*Expected object, received array\. It takes write, delete, rules, /,
    ],
    [
      'an unknown key of a source',
      'sources:\n  a:\n    openapi: x\n    basURL: http://x.test\n',
      4,
      /Unknown key "basURL"\. Did you mean "baseUrl"\?/,
    ],
    [
      'a misspelt kind',
      'sources:\n  a:\n    opennapi: x\n',
      3,
      /Unknown key "opennapi"\. Did you mean "openapi"\?/,
    ],
    [
      'a key of the kind beside it',
      'sources:\n  a:\n    openapi: x\n    overlay: y\n',
      4,
      /Unknown key "overlay"\. It belongs within openapi: \{ document: …, overlay: … \}\./,
    ],
    [
      'the document of a kind beside it',
      'sources:\n  a:\n    document: x\n',
      3,
      /Unknown key "document"\. It belongs within openapi: \{ document: … \}\./,
    ],
    [
      'the option of the command line as a key',
      'egress:\n  allowPrivat: [127.0.0.1]\n',
      2,
      /Unknown key "allowPrivat"\. What --allow-private names stands in "allow"\./,
    ],
    [
      'no kind',
      'sources:\n  a:\n    prefix: none\n',
      2,
      /needs one of the kinds openapi, manifest, function, self/,
    ],
    [
      'an unknown key of a document',
      'sources:\n  a:\n    openapi:\n      documnt: x\n',
      3,
      /sources\.a\.openapi\.documnt \(line 4\): Unknown key "documnt"\. Did you mean "document"\?/,
    ],
    [
      'an unknown key of the topology',
      'sources: { a: { openapi: x } }\ntopology:\n  nme: flat\n',
      3,
      /Unknown key "nme"\. Did you mean "name"\?/,
    ],
    [
      'an unknown key of an approval rule',
      'sources: { a: { openapi: x } }\npolicy:\n  approvals:\n    rules:\n      - { sorce: a, action: ask }\n',
      5,
      /Unknown key "sorce"\. Did you mean "source"\?/,
    ],
    [
      'an unknown key of a budget',
      'sources: { a: { openapi: x } }\npolicy:\n  budgets:\n    - { sourc: a, per: principal, window: 1d, calls: 1 }\n',
      4,
      /Unknown key "sourc"\. Did you mean "source"\?/,
    ],
    [
      'an unknown key of untrusted output',
      'sources: { a: { openapi: x } }\noutput:\n  untrusted: { markdwn: keep }\n',
      3,
      /Unknown key "markdwn"\. Did you mean "markdown"\?/,
    ],
    ['two kinds', 'sources:\n  a: { openapi: x, self: {} }\n', 2, /names openapi and self/],
    ['settings for self', 'sources:\n  a:\n    self: { x: 1 }\n', 3, /./],
    [
      'a topology that there is not',
      'topology: grid\n',
      1,
      /no topology "grid" in this version; it has: auto, flat, hybrid, base, categories, search, discover/,
    ],
    [
      'an interpolated secret',
      'sources:\n  a:\n    openapi: x\n    credentials:\n      bearer: ${TOKEN}\n',
      5,
      /\{ env: NAME \}/,
    ],
    [
      'an unknown credential key',
      'sources:\n  a:\n    openapi: x\n    credentials:\n      barer: t\n',
      5,
      /Unknown key "barer"\. Did you mean "bearer"\?/,
    ],
    [
      'a scheme of the document among them',
      'sources:\n  a:\n    openapi: x\n    credentials:\n      shelter-key: { apiKey: t }\n',
      5,
      /"shelter-key"\. It takes bearer, .*schemes\. A scheme of the document stands below schemes: \{ shelter-key: … \}\./,
    ],
    [
      'a base URL that is no URL',
      'sources:\n  a:\n    openapi: x\n    baseUrl: example.test\n',
      4,
      /absolute http or https URL/,
    ],
    [
      'a base URL with a password',
      'sources:\n  a:\n    openapi: x\n    baseUrl: http://u:p@example.test\n',
      4,
      /absolute http or https URL/,
    ],
    [
      'a socket without a base URL',
      'sources:\n  a:\n    openapi: x\n    socketPath: /run/api.sock\n',
      4,
      /Set baseUrl, too/,
    ],
    [
      'a socket for https',
      'sources:\n  a:\n    openapi: x\n    baseUrl: https://localhost\n    socketPath: /run/api.sock\n',
      5,
      /Set baseUrl, too, to say host and path as the service knows them: http:/,
    ],
    [
      'a socket with TLS',
      'sources:\n  a:\n    openapi: x\n    baseUrl: http://localhost\n    tls: { ca: x }\n    socketPath: /run/api.sock\n',
      6,
      /No TLS goes through it/,
    ],
    [
      'a socket for accounts of their own',
      'sources:\n  a:\n    openapi: x\n    baseUrl: http://localhost\n    connections: records\n    socketPath: /run/api.sock\n',
      6,
      /one for all/,
    ],
    [
      'a socket beside what makes no requests',
      'sources:\n  a:\n    self: {}\n    baseUrl: http://localhost\n    socketPath: /run/api.sock\n',
      5,
      /Only sources of kind openapi and manifest/,
    ],
    [
      'a socket beside mcp',
      'sources:\n  a:\n    mcp: { command: x }\n    socketPath: /run/api.sock\n',
      4,
      /reached by a command or a url/,
    ],
    [
      'a hop-by-hop header',
      'sources:\n  a:\n    openapi: x\n    headers: { Host: evil.test }\n',
      4,
      /sources\.a\.headers\.Host .*Host belongs to the connection itself/,
    ],
    [
      'one that a document would be asked for with',
      'sources:\n  a:\n    openapi: { document: https://a.test/o, headers: { Expect: x } }\n',
      3,
      /Expect belongs to the connection itself/,
    ],
    [
      'one that an MCP server would be sent',
      'sources:\n  a:\n    mcp: { url: https://a.test/, headers: { Proxy-Authorization: x } }\n',
      3,
      /Proxy-Authorization belongs to the connection itself/,
    ],
    [
      'a rule that matches everything',
      'sources:\n  a:\n    openapi: x\n    exclude: [{}]\n',
      4,
      /at least one of/,
    ],
    ['a source name with a slash', 'sources:\n  a/b: { openapi: x }\n', 2, /A source name is/],
    ['an unsafe source name', 'sources:\n  constructor: { openapi: x }\n', 2, /A source name is/],
    ['a duration without a unit', 'server:\n  drain: "30"\n', 2, /Write a duration such as 30s/],
    ['a port out of range', 'server:\n  port: 70000\n', 2, /65535/],
    ['a duplicate key', 'name: a\nname: b\n', 2, /this key stands there twice\.$/],
    [
      'a line indented too far',
      'name: a\n  store: none\n',
      1,
      /the line below this one is indented too far, or/,
    ],
    [
      'a variable as the command line names it',
      'sources:\n  a:\n    openapi: x\n    credentials: { bearer: env:TOKEN }\n',
      4,
      /Write \{ env: NAME \} to read an environment variable/,
    ],
    ['a source that is a path', 'sources:\n  a: ./a.yaml\n', 2, /such as \{ openapi: \.\/shop\.yaml \}/],
    ['broken YAML', 'name: [a\nsources: {}\n', 2, /no valid YAML/],
    ['an mcpServers entry without command or url', 'mcpServers:\n  x: { args: [] }\n', 2, /./],
    ['a list', '- a\n', 1, /Expected object/],
    ['a store that is none', 'name: a\nstore: mysql://x\n', 2, /sqlite:PATH or a postgres/],
    [
      'two budgets of one name',
      'policy:\n  budgets:\n    - { name: a, calls: 1 }\n    - { name: a, calls: 2 }\n',
      4,
      /Budgets 1 and 2/,
    ],
    [
      'a level of something else than a category',
      'policy:\n  defaults:\n    user:\n      source:lever: read-only\n',
      4,
      /Levels are set for a category.* or for "\*"/,
    ],
    [
      'a misspelt key of a server',
      'mcpServers:\n  x:\n    comand: y\n',
      3,
      /"comand"\. Did you mean "command"/,
    ],
  ];
  it.each(cases)('%s', async (_what, text, line, message) => {
    const error = await refusal(text);
    expect(error.code).toBe('configuration_invalid');
    expect(error.message).toMatch(message);
    if (line > 0) expect(error.location).toBe(`${join(folder, 'toolcrib.yaml')}:${line}`);
  });

  it('names every problem at once', async () => {
    const error = await refusal('nme: x\nserver: { port: -1 }\nlock: { mode: never }\n');
    expect(error.details?.['problems']).toHaveLength(3);
    expect(error.message).toMatch(/3 problems/);
  });

  it('gives a pointer that survives slashes in keys', async () => {
    const error = await refusal('sources: { "a/b": { openapi: x } }');
    expect(error.pointer).toBe('#/sources/a~1b');
  });

  it('a file that is not there', async () => {
    const error = await refusal('', { file: join(folder, 'absent.yaml') });
    expect(error.code).toBe('source_unreadable');
  });

  it('a file as Windows PowerShell writes it', async () => {
    const file = join(folder, 'powershell.yaml');
    await writeFile(file, '\uFEFFname: acme\n', 'utf16le');
    const error = await refusal('', { file });
    expect(error).toMatchObject({ code: 'configuration_invalid', message: 'The configuration is UTF-16.' });
    expect(error.next).toContain('UTF-8');
  });
});

describe('overrides of the command line', () => {
  const two = 'sources: { a: { openapi: a.json }, b: { openapi: b.json } }';

  it('a base URL leads to its host, past the socket of the source', async () => {
    const text = 'sources: { a: { openapi: a.json, baseUrl: http://localhost, socketPath: ./api.sock } }';
    const { a } = (await load(text)).sources;
    expect(a).toMatchObject({ baseUrl: 'http://localhost', socketPath: join(folder, 'api.sock') });
    const overrides = { baseUrls: [{ url: 'http://127.0.0.1:2375' }] };
    const { sources, egress } = await load(text, { overrides });
    expect(sources['a']).toMatchObject({ baseUrl: 'http://127.0.0.1:2375' });
    expect(sources['a']).not.toHaveProperty('socketPath');
    expect(egress.allow).toEqual(['http://127.0.0.1:2375']);
  });

  it('win over the file', async () => {
    const configuration = await load(
      'server: { port: 1, token: { env: NOT_SET } }\nsources: { a: { openapi: a.json } }',
      {
        env: { T: 'tok' },
        overrides: {
          port: 2,
          host: '0.0.0.0',
          token: { env: 'T' },
          watch: false,
          lockDirectory: '/locks',
          allowPrivate: ['10.0.0.5:8080'],
          baseUrls: [{ url: 'http://127.0.0.1:7000/x' }],
          credentials: [
            { settings: { bearer: { env: 'T' } } },
            { scheme: 'key', settings: { apiKey: { env: 'K' } } },
          ],
          headers: [['X-A', '1']],
        },
      },
    );
    expect(configuration.server).toMatchObject({ port: 2, host: '0.0.0.0', token: 'tok' });
    expect(configuration.watch).toBe(false);
    expect(configuration.lock.file).toBe(join('/locks', 'toolcrib.lock.json'));
    expect(configuration.egress.allow).toEqual(['10.0.0.5:8080', 'http://127.0.0.1:7000']);
    expect(configuration.sources['a']).toMatchObject({
      baseUrl: 'http://127.0.0.1:7000/x',
      credentials: { bearer: { env: 'T' }, schemes: { key: { apiKey: { env: 'K' } } } },
      headers: { 'X-A': '1' },
    });
  });

  it('need a name where several sources could be meant', async () => {
    expect(await refusal(two, { overrides: { baseUrls: [{ url: 'http://x.test' }] } })).toMatchObject({
      code: 'usage',
    });
    const configuration = await load(two, {
      overrides: { baseUrls: [{ source: 'b', url: 'http://x.test' }] },
    });
    expect(configuration.sources['b']?.baseUrl).toBe('http://x.test');
    expect(configuration.sources['a']?.baseUrl).toBeUndefined();
    expect(
      await refusal(two, { overrides: { baseUrls: [{ source: 'c', url: 'http://x.test' }] } }),
    ).toMatchObject({ code: 'source_unknown' });
  });

  it('set no header of the connection', async () => {
    const overrides = { headers: [['Host', 'evil.test']] as const };
    expect(await refusal('sources: { a: { openapi: a.json } }', { overrides })).toMatchObject({
      code: 'configuration_invalid',
    });
  });

  it('list every source in the topology that they name, also one that has its own', async () => {
    const two = 'sources: { a: { openapi: a.json, topology: hybrid }, b: { openapi: b.json } }';
    const { topology, sources } = await load(two, { overrides: { topology: 'categories_only' } });
    expect([topology, sources['a']?.topology, sources['b']?.topology]).toEqual([
      'categories',
      'categories',
      undefined,
    ]);
  });

  it('refuse a topology that there is not', async () => {
    expect(await refusal('name: a', { overrides: { topology: 'grid' } })).toMatchObject({ code: 'usage' });
  });
});
