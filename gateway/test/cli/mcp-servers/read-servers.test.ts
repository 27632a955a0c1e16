import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readServers } from '../../../src/cli/mcp-servers/read-servers.ts';

const place = { home: '/home/ada', cwd: '/home/ada/shop' };
const read = (value: unknown, file = '/home/ada/theirs.json') => readServers(value, file, place);
/** What an entry becomes, alone in a file of this name. */
const entry = async (theirs: unknown, file?: string) =>
  (await read({ mcpServers: { it: theirs } }, file)).servers['it'];
const reason = async (theirs: unknown, file?: string) =>
  (await read({ mcpServers: { it: theirs } }, file)).skipped[0]?.reason;
const notes = async (theirs: unknown, file?: string) =>
  (await read({ mcpServers: { it: theirs } }, file)).notes.map(({ note }) => note);
const input = '$' + '{input:api-key}';
const workspace = '$' + '{workspaceFolder}';

const program = { command: 'npx', args: ['-y', 'server'], env: { MODE: 'fast' } };

describe('an extension of Goose', () => {
  it('reads its secrets from variables of their names, and offers the tools that it names', async () => {
    const theirs = {
      type: 'stdio',
      cmd: 'srv',
      env_keys: ['SRV_TOKEN'],
      available_tools: ['read'],
      timeout: 300,
    };
    expect(await entry(theirs)).toEqual({
      type: 'stdio',
      command: 'srv',
      env: { SRV_TOKEN: '$' + '{SRV_TOKEN}' },
      includeTools: ['read'],
    });
    expect(await entry({ type: 'stdio', cmd: 'srv', available_tools: [] })).toEqual({
      type: 'stdio',
      command: 'srv',
    });
  });

  it('may be remote; one that Goose brings itself, or that is off, is left out', async () => {
    expect(await entry({ type: 'streamable_http', uri: 'https://it.example/mcp', envs: {} })).toEqual({
      type: 'http',
      url: 'https://it.example/mcp',
    });
    expect(await reason({ type: 'builtin', name: 'developer', enabled: true, bundled: true })).toContain(
      'neither',
    );
    expect(await reason({ type: 'stdio', cmd: 'srv', enabled: false })).toContain('switched off');
  });
});

describe('the places of servers in files of clients', () => {
  it.each([
    ['Claude, Cursor, Windsurf, Gemini CLI', { mcpServers: { it: program } }],
    ['VS Code mcp.json', { servers: { it: program }, inputs: [] }],
    ['VS Code settings.json', { 'editor.tabSize': 2, mcp: { servers: { it: program } } }],
    ['Zed', { context_servers: { it: { source: 'custom', enabled: true, ...program } } }],
    [
      'older Zed',
      {
        context_servers: { it: { command: { path: 'npx', args: ['-y', 'server'], env: { MODE: 'fast' } } } },
      },
    ],
    [
      'OpenCode',
      { mcp: { it: { type: 'local', command: ['npx', '-y', 'server'], environment: { MODE: 'fast' } } } },
    ],
    [
      'OpenCode 2',
      {
        mcp: {
          servers: { it: { type: 'local', command: ['npx', '-y', 'server'], environment: { MODE: 'fast' } } },
        },
      },
    ],
    ['Continue', { name: 'mine', mcpServers: [{ name: 'it', ...program }, { command: 'of no name' }] }],
    [
      'Goose',
      {
        extensions: {
          it: {
            type: 'stdio',
            name: 'It',
            cmd: 'npx',
            args: ['-y', 'server'],
            envs: { MODE: 'fast' },
            enabled: true,
          },
        },
      },
    ],
    [
      'codex mcp list --json',
      [{ name: 'it', enabled: true, transport: { type: 'stdio', ...program, cwd: null } }],
    ],
    [
      'Claude Code, of this folder',
      {
        mcpServers: {},
        projects: { '/home/ada/shop': { mcpServers: { it: { type: 'stdio', ...program } } } },
      },
    ],
  ])('%s', async (_client, value) => {
    const { servers, skipped } = await read(value);
    expect(skipped).toEqual([]);
    expect(servers).toEqual({ it: expect.objectContaining(program) });
    expect(
      Object.keys(servers['it']!)
        .filter((key) => key !== 'type')
        .sort(),
    ).toEqual(['args', 'command', 'env']);
  });

  it('an OpenCode server may be named servers', async () => {
    const { servers, skipped } = await read({
      mcp: { servers: { type: 'remote', url: 'https://a.example/mcp' } },
    });
    expect(skipped).toEqual([]);
    expect(servers).toEqual({ servers: { url: 'https://a.example/mcp' } });
  });

  it('settings of Gemini CLI beside mcpServers are none, but for what it switches off', async () => {
    const { servers, skipped } = await read({
      mcp: { allowed: ['on'], excluded: ['off'] },
      extensions: { disabled: ['one'], one: {} },
      mcpServers: { on: program, off: program },
    });
    expect(Object.keys(servers)).toEqual(['on']);
    expect(skipped).toEqual([{ name: 'off', reason: 'it is switched off there' }]);
  });

  it('names the folders for which Claude Code has servers, where this is none of them', async () => {
    const value = { projects: { '/home/ada/other': { mcpServers: { it: program } } } };
    await expect(read(value)).rejects.toMatchObject({ next: 'Import in one of them: /home/ada/other.' });
  });

  it.each([[{ a: 1 }], [[1]], ['text'], [null]])('%j has none', async (value) => {
    await expect(read(value)).rejects.toMatchObject({ code: 'source_invalid' });
  });
});

describe('addresses', () => {
  const url = 'https://a.example/mcp';
  it.each([
    ['url', { url }],
    ['serverUrl of Windsurf', { serverUrl: url }],
    ['httpUrl of Gemini CLI, before url', { httpUrl: url, url: 'https://a.example/sse' }],
    ['remote of OpenCode', { type: 'remote', url }],
  ])('%s', async (_what, theirs) => expect(await entry(theirs)).toEqual({ url }));

  it.each([
    ['sse', 'sse'],
    ['http', 'http'],
    ['streamable-http', 'streamable-http'],
    ['streamable_http', 'http'],
  ])('type %s', async (type, ours) => expect(await entry({ type, url })).toEqual({ type: ours, url }));

  it.each([
    ['sse', { type: 'sse', url }],
    ['streamable_http', { type: 'http', url }],
    ['auto', { url }],
  ])('transport %s, as Kimi Code and LangChain write it', async (transport, ours) =>
    expect(await entry({ transport, url })).toEqual(ours),
  );

  it('type, where both are written', async () =>
    expect(await entry({ type: 'http', transport: 'sse', url })).toEqual({ type: 'http', url }));

  it('a variable of fx for its token', async () =>
    expect(await entry({ type: 'http', url, bearer_token_env: 'TOKEN' })).toEqual({
      type: 'http',
      url,
      headers: { Authorization: 'Bearer $' + '{TOKEN}' },
    }));

  it('variables that Codex names for headers', async () => {
    const theirs = {
      url,
      bearer_token_env_var: 'TOKEN',
      http_headers: { 'X-Team': 'a' },
      env_http_headers: { 'X-Key': 'KEY' },
    };
    expect(await entry(theirs)).toEqual({
      url,
      headers: { 'X-Team': 'a', 'X-Key': '$' + '{KEY}', Authorization: 'Bearer $' + '{TOKEN}' },
    });
  });
});

describe('values', () => {
  it('numbers and switches of env are the text that a program is given; null is no variable', async () => {
    expect(await entry({ command: 'x', env: { PORT: 8080, DEBUG: true, OFF: false, NONE: null } })).toEqual({
      command: 'x',
      env: { PORT: '8080', DEBUG: 'true', OFF: 'false' },
    });
  });

  it.each<[string, unknown, object, string?]>([
    [
      'an input of VS Code is a variable of the name under env',
      { command: 'x', env: { API_KEY: input } },
      { command: 'x', env: { API_KEY: '$' + '{API_KEY}' } },
    ],
    [
      'or of its own name',
      { url: 'https://a.example', headers: { Authorization: `Bearer ${input}` } },
      { url: 'https://a.example', headers: { Authorization: 'Bearer $' + '{API_KEY}' } },
    ],
    [
      'env of VS Code and Cursor stays',
      { command: 'x', env: { A: '$' + '{env:B}' } },
      { command: 'x', env: { A: '$' + '{env:B}' } },
    ],
    [
      'the folder of a project',
      { command: 'x', args: [`${workspace}/a.js`] },
      { command: 'x', args: ['/home/ada/shop/a.js'] },
      '/home/ada/shop/.vscode/mcp.json',
    ],
    [
      'the folder of .mcp.json',
      { command: 'x', cwd: workspace },
      { command: 'x', cwd: '/home/ada/shop' },
      '/home/ada/shop/.mcp.json',
    ],
    [
      "the project's folder of Claude Code",
      {
        command: 'x',
        args: ['$' + '{CLAUDE_PROJECT_DIR:-.}/a.js'],
        env: { P: '$' + '{CLAUDE_PROJECT_DIR}' },
      },
      { command: 'x', args: ['/home/ada/shop/a.js'], env: { P: '/home/ada/shop' } },
      '/home/ada/shop/.mcp.json',
    ],
    ['the home folder', { command: '$' + '{userHome}/bin/x' }, { command: '/home/ada/bin/x' }],
    [
      'variables of OpenCode',
      { type: 'local', command: ['x'], environment: { A: '{env:B}' } },
      { command: 'x', env: { A: '$' + '{B}' } },
    ],
    [
      'variables of Gemini CLI',
      { command: 'x', env: { A: '$B', C: '$' + '{D}' } },
      { command: 'x', env: { A: '$' + '{B}', C: '$' + '{D}' } },
      '/home/ada/.gemini/settings.json',
    ],
    [
      'variables that Codex passes on',
      { command: 'x', env_vars: ['A', { name: 'B', source: 'local' }] },
      { command: 'x', env: { A: '$' + '{A}', B: '$' + '{B}' } },
    ],
  ])('%s', async (_what, theirs, ours, file) => expect(await entry(theirs, file)).toEqual(ours));

  it('says which variable to set for an input', async () => {
    expect(await notes({ command: 'x', env: { KEY: input } })).toEqual([
      `$${'{KEY}'} stands where ${input} stood`,
    ]);
  });

  it('says that $VAR is text for clients that do not know it', async () => {
    expect(await entry({ command: 'x', env: { KEY: '$SECRET' } })).toEqual({
      command: 'x',
      env: { KEY: '$SECRET' },
    });
    expect(await notes({ command: 'x', env: { KEY: '$SECRET' } })).toEqual([
      `$SECRET is taken as text; write $${'{SECRET}'} where the variable is meant`,
    ]);
  });

  it('says which keys mean nothing here', async () => {
    const theirs = { command: 'x', timeout: 5, trust: true, source: 'custom', enabled: true };
    expect(await entry(theirs)).toEqual({ command: 'x' });
    expect(await notes(theirs)).toEqual([
      'left behind: timeout, trust (a source has startTimeout and limits for it)',
    ]);
    expect(await notes({ command: 'x', trust: true })).toEqual(['left behind: trust']);
  });

  it.each<[string, object, object]>([
    [
      'Gemini CLI',
      { includeTools: ['a', 'b(x)'], excludeTools: ['c'] },
      { includeTools: ['a', 'b'], excludeTools: ['c'] },
    ],
    ['Codex', { enabled_tools: ['a'], disabled_tools: ['b'] }, { includeTools: ['a'], excludeTools: ['b'] }],
    ['Windsurf', { disabledTools: ['a'] }, { excludeTools: ['a'] }],
    ['Copilot CLI', { tools: ['*'] }, {}],
  ])('lists of tools of %s are taken over', async (_client, lists, ours) => {
    expect(await entry({ command: 'x', ...lists })).toEqual({ command: 'x', ...ours });
    expect(await notes({ command: 'x', ...lists })).toEqual([]);
  });
});

describe('paths that are relative', () => {
  const readAt = async (file: string, theirs: object, base = '/home/ada/other') => {
    const { servers, notes: said } = await readServers({ mcpServers: { it: theirs } }, file, {
      ...place,
      base,
    });
    return { entry: servers['it'], notes: said.map(({ note }) => note) };
  };
  const relative = { command: './bin/x', args: ['-y', './a.js', '@scope/b'], cwd: 'tools' };

  it.each(['/home/ada/shop/.gemini/settings.json', '/home/ada/shop/opencode.json'])(
    "are those of the project's folder where the client says so: %s",
    async (file) => {
      expect(await readAt(file, relative)).toEqual({
        entry: { command: '/home/ada/shop/tools/bin/x', args: relative.args, cwd: '/home/ada/shop/tools' },
        notes: [],
      });
      expect((await readAt(file, { command: 'x', args: ['../a'] })).entry).toMatchObject({
        cwd: '/home/ada/shop',
      });
      expect((await readAt(file, { command: 'x', args: ['a'] })).entry).toEqual({
        command: 'x',
        args: ['a'],
      });
    },
  );

  it.each([
    '/home/ada/shop/.mcp.json',
    '/home/ada/shop/.vscode/mcp.json',
    '/home/ada/shop/.codex/config.toml',
  ])('are named where it does not: %s', async (file) => {
    const { entry: ours, notes: said } = await readAt(file, relative);
    expect(ours).toEqual(relative);
    expect(said).toEqual([
      'cwd tools, command ./bin/x, args.1 ./a.js are relative paths, here from /home/ada/other: write whole ones, or cwd: /home/ada/shop, if that is where it starts',
    ]);
  });

  it("are named where they stand in a user's file, which has no folder", async () => {
    const { notes: said } = await readAt('/home/ada/.gemini/settings.json', { command: 'x', args: ['.'] });
    expect(said).toEqual(['args.0 . is a relative path, here from /home/ada/other: write a whole one']);
    const opencode = await readAt('/home/ada/.config/opencode/opencode.json', { command: './x' });
    expect(opencode.notes).toHaveLength(1);
  });

  it('mean the same here as there in the folder of the project, and below a whole folder', async () => {
    const file = '/home/ada/shop/.mcp.json';
    expect(await readAt(file, relative, '/home/ada/shop')).toEqual({ entry: relative, notes: [] });
    const whole = { command: 'x', args: ['./a'], cwd: '/srv' };
    expect(await readAt(file, whole)).toEqual({ entry: whole, notes: [] });
    const byVariable = { command: 'x', args: ['$' + '{HERE}/a', '~/b'], cwd: '$' + '{HERE}' };
    expect(await readAt(file, byVariable)).toEqual({ entry: byVariable, notes: [] });
  });

  it('are also names of files that are there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-relative-'));
    await writeFile(join(folder, 'server.py'), '');
    const theirs = { command: 'python', args: ['server.py', 'other.py'] };
    expect((await readAt(join(folder, '.mcp.json'), theirs)).notes).toEqual([
      expect.stringMatching(/^args\.0 server\.py is a relative path/),
    ]);
    await rm(folder, { recursive: true });
  });
});

describe('what is left out, and why', () => {
  it.each<[string, unknown, RegExp, string?]>([
    ['switched off by disabled', { ...program, disabled: true }, /switched off/],
    ['no tool that counts', { ...program, enabled_tools: [] }, /none of its tools is switched on/],
    [
      'a list of tools that is none',
      { ...program, disabledTools: 'all' },
      /disabledTools is no list of names/,
    ],
    ['switched off by enabled', { type: 'local', command: ['x'], enabled: false }, /switched off/],
    ['no object', 'x', /no object/],
    ['nothing to start', { args: [] }, /neither a "command" nor a "url"/],
    ['an extension of Zed', { enabled: true, settings: {} }, /extension of its editor/],
    ['an env value that is a list', { command: 'x', env: { A: ['b'] } }, /^env\.A is no text$/],
    ['an unknown transport', { type: 'ws', url: 'wss://a.example' }, /type "ws" is none of/],
    ['an address of another kind', { url: 'ws://a.example' }, /no http or https/],
    ['a misspelt key', { comand: 'x' }, /Did you mean "command"/],
    ['an envFile', { ...program, envFile: '.env' }, /envFile is not read/],
    [
      'a folder that nobody knows',
      { command: 'x', cwd: workspace },
      /workspaceFolder\} is not understood; write the folder itself/,
    ],
    [
      "a user's own file has no workspace",
      { command: 'x', cwd: workspace },
      /write the folder itself/,
      '/home/ada/.cursor/mcp.json',
    ],
    [
      'the text of a file',
      { command: 'x', env: { A: '$' + '{file:/k}' } },
      /not understood; write the server under sources:/,
    ],
    [
      'a command of the editor',
      { command: 'x', env: { A: '$' + '{command:a.b}' } },
      /not understood; \$\{VAR\} and/,
    ],
  ])('%s', async (_what, theirs, expected, file) => expect(await reason(theirs, file)).toMatch(expected));
});
