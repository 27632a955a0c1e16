import { describe, expect, test } from 'vitest';
import { namedDestinations } from '../../../src/config/allowed-destinations.ts';
import { parseConfiguration } from '../../../src/config/index.ts';
import { type UpstreamSettings, upstreamDefinitions } from '../../../src/config/settings/upstreams.ts';

const parse = (value: object, env: Record<string, string> = {}) =>
  parseConfiguration(value, { env: { HOME: '/home/ada', ...env }, baseDirectory: '/srv/crib' });
const definitionsOf = async (value: object, env?: Record<string, string>) =>
  upstreamDefinitions((await parse(value, env)).sources);
const sourceOf = async (mcp: object) => (await definitionsOf({ sources: { files: { mcp } } }))[0]!;
const serverOf = async (entry: object, env?: Record<string, string>) =>
  (await definitionsOf({ mcpServers: { files: entry } }, env))[0]!;

describe('sources with mcp:', () => {
  test('a command gets defaults; nothing of our environment is passed on', async () => {
    expect(await sourceOf({ command: 'files-server' })).toEqual({
      name: 'files',
      transport: {
        kind: 'stdio',
        command: 'files-server',
        args: [],
        env: {},
        inherit: [],
        cwd: '/srv/crib',
        isolation: { mode: 'none', network: true, read: [], write: [] },
      },
      era: 'auto',
      share: 'one',
      startTimeoutMs: 30_000,
      idleMs: 600_000,
      hangMs: 60_000,
      restart: true,
    });
  });

  test('paths are relative to the configuration, secrets stay references', async () => {
    const { transport } = await sourceOf({
      command: './bin/server',
      cwd: 'data',
      env: { TOKEN: { file: 'token' }, MODE: 'quiet' },
      inherit: ['LANG'],
      isolation: { mode: 'bubblewrap', network: false, read: ['~/docs'], write: ['out'] },
    });
    expect(transport).toMatchObject({
      command: '/srv/crib/bin/server',
      cwd: '/srv/crib/data',
      env: { TOKEN: { file: '/srv/crib/token' }, MODE: 'quiet' },
      isolation: { mode: 'bubblewrap', network: false, read: ['/home/ada/docs'], write: ['/srv/crib/out'] },
    });
  });

  test.each([
    ['baseUrl', 'https://example.com', /address within: mcp: \{ url/],
    ['serverVariables', { region: 'eu' }, /nothing to fill in/],
    ['credentials', { bearer: { env: 'KEY' } }, /headers: … \} or mcp: .* oauth/],
    ['headers', { 'X-Key': { env: 'KEY' } }, /within: mcp: \{ …, headers: … \}/],
  ])('%s beside mcp would be lost', async (key, value, message) => {
    await expect(
      parse({ sources: { files: { mcp: { command: 'x' }, [key]: value } } }),
    ).rejects.toMatchObject({
      code: 'configuration_invalid',
      pointer: `#/sources/files/${key}`,
      message: expect.stringMatching(message),
    });
  });

  test('an address with times, headers and OAuth', async () => {
    const definition = await sourceOf({
      url: 'https://example.com/mcp',
      type: 'streamable-http',
      headers: { 'X-Key': { env: 'KEY' } },
      oauth: { clientId: 'id', scopes: ['a'], tokenFile: 'tokens.json' },
      idle: 0,
      startTimeout: '5s',
      share: 'principal',
      restart: false,
    });
    expect(definition).toMatchObject({
      transport: {
        kind: 'http',
        url: 'https://example.com/mcp',
        headers: { 'X-Key': { env: 'KEY' } },
        oauth: { clientId: 'id', scopes: ['a'], tokenFile: '/srv/crib/tokens.json' },
      },
      idleMs: 0,
      hangMs: 30_000,
      startTimeoutMs: 5000,
      share: 'principal',
      restart: false,
    });
  });

  test('naming an address allows it', async () => {
    const { egress } = await parse({ sources: { a: { mcp: { url: 'http://127.0.0.1:9/mcp' } } } });
    expect(egress.allow).toEqual(['http://127.0.0.1:9']);
  });

  test.each<[string, object, RegExp]>([
    ['neither command nor url', {}, /either a command or a url/],
    ['both', { command: 'a', url: 'http://x/' }, /either a command or a url/],
    ['headers for a process', { command: 'a', headers: {} }, /Means nothing beside "command"/],
    ['env for an address', { url: 'http://x/', env: {} }, /Means nothing beside "url"/],
    ['an unknown key', { command: 'a', enviroment: {} }, /Unknown key "enviroment"/],
    ['interpolation', { command: 'a', env: { A: '${' + 'A}' } }, /\{ env: NAME \}/],
    ['an unknown isolation', { command: 'a', isolation: 'docker' }, /isolation/],
  ])('%s is refused', async (_what, mcp, message) => {
    await expect(sourceOf(mcp)).rejects.toMatchObject({ code: 'configuration_invalid', message });
  });
});

describe('mcpServers as other clients write it', () => {
  test('each is a source of its name with the shared settings at their defaults', async () => {
    const { sources } = await parse({
      sources: { api: { openapi: 'a.json' } },
      mcpServers: { 'my files!': { command: 'npx', args: ['-y', 'x'], alwaysAllow: ['a'] } },
    });
    expect(Object.keys(sources)).toEqual(['api', 'my_files']);
    expect(sources['my_files']).toMatchObject({ kind: 'mcp', prefix: 'my_files', access: [] });
    expect((sources['my_files']!.settings as UpstreamSettings).patienceMs).toBe(3000);
  });

  test.each([
    [{ type: 'http' }, 'http'],
    [{}, 'http'],
    [{ type: 'streamableHttp' }, 'http'],
    [{ type: 'sse' }, 'sse'],
  ])('an address with %j is reached by %s', async (more, kind) => {
    expect((await serverOf({ url: 'https://example.com/', ...more })).transport).toMatchObject({ kind });
  });

  test('a whole variable is read when it is needed, one inside other text now', async () => {
    const { transport } = await serverOf(
      {
        command: 'a',
        args: ['--key=${KEY}'],
        env: { A: '${KEY}', B: '${env:KEY}', C: 'x-${KEY}', D: '${NO:-no}' },
      },
      { KEY: 'k' },
    );
    expect(transport).toMatchObject({
      args: ['--key=k'],
      env: { A: { env: 'KEY' }, B: { env: 'KEY' }, C: 'x-k', D: 'no' },
    });
    const header = { url: 'https://example.com/', headers: { Authorization: 'Bearer ${KEY}' } };
    expect((await serverOf(header, { KEY: 'k' })).transport).toMatchObject({
      headers: { Authorization: 'Bearer k' },
    });
  });

  test('a variable inside other text that is not set stays, and is told of its server', async () => {
    const program = {
      command: '${NO:-a}',
      args: ['b', '--key=${KEY}'],
      env: { A: '${KEY}', B: 'x-${env:OTHER}' },
    };
    const { transport, unset } = await serverOf(program, {});
    expect(transport).toMatchObject({
      command: 'a',
      args: ['b', '--key=${KEY}'],
      env: { A: { env: 'KEY' } },
    });
    expect(unset).toEqual([
      { place: 'args[1]', variable: 'KEY' },
      { place: 'env.B', variable: 'OTHER' },
    ]);
    expect(await serverOf(program, { KEY: '', OTHER: 'o' })).not.toHaveProperty('unset');
  });

  test('an address with a variable that is not set is no destination, and no fault of the file', async () => {
    const entries = { a: { url: '${BASE}/mcp' }, b: { url: 'https://${HOST}.example/mcp' } };
    const configuration = await parse({ mcpServers: entries }, {});
    expect(upstreamDefinitions(configuration.sources).map(({ unset }) => unset)).toEqual([
      [{ place: 'url', variable: 'BASE' }],
      [{ place: 'url', variable: 'HOST' }],
    ]);
    expect(namedDestinations(configuration)).toEqual([]);
    await expect(
      parse({ mcpServers: entries }, { BASE: 'ftp://a.example', HOST: 'h' }),
    ).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: /mcpServers\.a: its url is no http/,
    });
  });

  test.each([
    [{ command: 'a', enviroment: {} }, 'Unknown key "enviroment". Did you mean "env"?'],
    [{ command: 'a', environment: {} }, 'Did you mean "env"?'],
    [{ cmd: 'a' }, 'Did you mean "command"?'],
    [{ url: 'http://127.0.0.1:9/', haeders: {} }, 'Did you mean "headers"?'],
  ])('a misspelt key is named: %j', async (entry, message) => {
    await expect(definitionsOf({ mcpServers: { files: entry } })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['access', [{ operation: 'delete_file', access: 'dangerous' }], 'NAME: { mcp: { … }, access: … }'],
    ['include', [{ operation: 'read_file' }], 'NAME: { mcp: { … }, include: … }'],
    ['exclude', [{ operation: 'delete_file' }], 'NAME: { mcp: { … }, exclude: … }'],
    ['limits', { timeout: '4s' }, 'NAME: { mcp: { … }, limits: … }'],
    ['permissions', { rules: [] }, 'NAME: { mcp: { … }, permissions: … }'],
    ['features', { a: { tags: ['a'], enabled: false } }, 'NAME: { mcp: { … }, features: … }'],
    ['category', 'files', 'NAME: { mcp: { … }, category: … }'],
    ['connections', 'records', 'NAME: { mcp: { … }, connections: … }'],
    ['isolation', 'bubblewrap', 'NAME: { mcp: { …, isolation: … } }'],
    ['share', 'principal', 'NAME: { mcp: { …, share: … } }'],
  ])('what would guard a source is not lost: %s', async (key, value, place) => {
    await expect(
      definitionsOf({ mcpServers: { files: { command: 'a', [key]: value } } }),
    ).rejects.toMatchObject({
      code: 'configuration_invalid',
      pointer: `#/mcpServers/files/${key}`,
      message: expect.stringContaining(place),
    });
  });

  test('what other clients write stays', async () => {
    const keys =
      'alwaysAllow autoApprove autoStart bearer_token_env_var comment description dev envVars ' +
      'gallery icon id name oauth startup_timeout_sec timeout tools transport transportType ' +
      'trust version workingDirectory _comment auth authProviderType httpUrl http_headers serverUrl sandbox tags';
    const entry = { command: 'a', ...Object.fromEntries(keys.split(' ').map((key) => [key, 'x'])) };
    expect(await definitionsOf({ mcpServers: { files: entry } })).toHaveLength(1);
  });

  test('a disabled entry is no source, nor is one without a tool that counts', async () => {
    const entries = {
      a: { command: 'a', disabled: true },
      b: { command: 'b', enabled: false },
      c: { command: 'c', includeTools: [] },
      d: { command: 'd', tools: ['x'], disabledTools: ['x'] },
      e: { command: 'e', excludeTools: ['*'] },
    };
    expect(await definitionsOf({ mcpServers: entries })).toEqual([]);
  });

  test.each([
    [{ disabled: 'true' }, /Write true or false/],
    [{ enabled: 0 }, /Write true or false/],
    [{ disable: true }, /Did you mean "disabled"/],
    [{ disbaled: true }, /Did you mean "disabled"/],
  ])('%j starts nothing that was to be off', async (entry, expected) => {
    await expect(parse({ mcpServers: { a: { command: 'a', ...entry } } })).rejects.toThrow(expected);
  });

  test.each<[string, object, readonly string[], readonly string[]]>([
    ['Gemini CLI', { includeTools: ['a', 'b(x)'], excludeTools: ['c'] }, ['a', 'b'], ['c']],
    [
      'Codex',
      { enabled_tools: ['a'], disabled_tools: ['b'], tools: { a: { approval_mode: 'auto' } } },
      ['a'],
      ['b'],
    ],
    ['Windsurf', { disabledTools: ['a', 'a'] }, [], ['a']],
    ['Copilot CLI', { tools: ['a'] }, ['a'], []],
    ['Copilot CLI, all', { tools: ['*'] }, [], []],
    [
      'several lists',
      { includeTools: ['a', 'b'], tools: ['b', 'c'], excludeTools: ['d'], disabledTools: ['e'] },
      ['b'],
      ['d', 'e'],
    ],
    ['an API of models', { allowed_tools: ['a', 'b'], allowedTools: ['b'] }, ['b'], []],
    ['none', { includeTools: undefined, tools: [{ name: 'a' }] }, [], []],
  ])('lists of tools as %s writes them', async (_client, lists, included, excluded) => {
    const { sources } = await parse({ mcpServers: { a: { command: 'a', ...lists } } });
    const selectors = (names: readonly string[]) => names.map((operation) => ({ operation }));
    expect(sources['a']).toMatchObject({ include: selectors(included), exclude: selectors(excluded) });
  });

  test.each([
    [{ includeTools: 'a' }, /includeTools/],
    [{ excludeTools: [1] }, /excludeTools/],
    [{ disabled_tools: 'a' }, /disabled_tools is no list of names of tools/],
    [{ enabledTools: [''] }, /enabledTools is no list of names of tools/],
    [{ allowed_tools: { read_only: true } }, /allowed_tools is no list of names of tools/],
    [{ includedTools: ['a'] }, /Did you mean "includeTools"/],
  ])('%j is refused: nothing that was left out comes back by a slip', async (lists, expected) => {
    await expect(parse({ mcpServers: { a: { command: 'a', ...lists } } })).rejects.toThrow(expected);
  });

  test.each<[string, object, RegExp]>([
    [
      'another client’s variables',
      { command: 'a', args: ['${workspaceFolder}/x'] },
      /workspaceFolder\} is not understood/,
    ],
    [
      'another client’s inputs',
      { command: 'a', env: { A: '${input:key}' } },
      /\$\{input:key\} is not understood/,
    ],
    ['nothing', {}, /^mcpServers\.files: Name either a command or a url\.$/],
    ['one that is two', { command: 'a', url: 'http://a.test' }, /names a command and a url/],
    ['an env file', { command: 'a', envFile: '.env' }, /envFile is not read/],
    ['an address of another kind', { url: 'ws://example.com/' }, /no http or https URL/],
  ])('%s cannot be run, which is said', async (_what, entry, message) => {
    await expect(serverOf(entry, {})).rejects.toMatchObject({
      message,
    });
  });

  test('two sources of one name are refused', async () => {
    await expect(
      parse({ sources: { files: { openapi: 'a' } }, mcpServers: { files: { command: 'a' } } }),
    ).rejects.toMatchObject({ code: 'configuration_invalid', pointer: '#/mcpServers/files' });
  });
});
