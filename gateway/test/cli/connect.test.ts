import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();

async function given(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

describe('toolcrib connect and disconnect', () => {
  it('says how it is undone by a command that can be run as it stands', async () => {
    const env = { npm_command: 'exec' };
    const cwd = crib.path('undone');
    await mkdir(cwd);
    const { out } = await crib.run(['connect', 'cursor', '--project', '--name', 'mine', '--yes'], {
      env,
      cwd,
    });
    expect(out.split('\n').at(-2)).toBe('Undo with: npx toolcrib disconnect cursor --name mine --project');
  });

  it.each([
    ['claude-desktop', ['.config', 'Claude', 'claude_desktop_config.json'], 'mcpServers', false],
    ['claude-code', ['.claude.json'], 'mcpServers', true],
    ['vscode', ['.config', 'Code', 'User', 'mcp.json'], 'servers', true],
    ['cursor', ['.cursor', 'mcp.json'], 'mcpServers', false],
    ['gemini', ['.gemini', 'settings.json'], 'mcpServers', false],
    ['windsurf', ['.codeium', 'windsurf', 'mcp_config.json'], 'mcpServers', false],
    ['zed', ['.config', 'zed', 'settings.json'], 'context_servers', false],
  ] as const)('%s: creates the file and removes it again', async (client, path, key, typed) => {
    const file = crib.path(...path);
    const connected = await crib.run(['connect', client, '--yes']);
    expect(connected).toMatchObject({ exit: 0 });
    const entry = JSON.parse(await readFile(file, 'utf8'))[key].toolcrib;
    expect(entry.type).toBe(typed ? 'stdio' : undefined);
    expect(entry.command).toBe(process.execPath);
    expect(entry.args).toEqual(expect.arrayContaining(['serve', '--stdio', '--config']));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(crib.path('state', 'toolcrib'))).mode & 0o777).toBe(0o700);
    const again = await crib.run(['connect', client, '--yes']);
    expect(again.out).toMatch(/already connected/);
    expect(await crib.run(['disconnect', client, '--yes'])).toMatchObject({ exit: 0 });
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
  });

  it('writes what this client is to have no more of', async () => {
    const narrowed = ['--source', 'weather', '--max-access', 'read', '--print', '--json'];
    const { out } = await crib.run(['connect', 'cursor', ...narrowed]);
    expect(JSON.parse(out).entry.args.slice(-6)).toEqual([
      '--source',
      'weather',
      '--max-access',
      'read',
      '--config',
      expect.stringMatching(/quickstart/),
    ]);
    const remote = ['--remote', 'https://team.example', '--key', 'env:TEAM_KEY'];
    const relayed = await crib.run(['connect', 'cursor', ...remote, ...narrowed]);
    expect(JSON.parse(relayed.out).entry.args).toContain(
      'https://team.example?source=weather&maxAccess=read',
    );
    expect(await crib.run(['connect', 'cursor', '--source', 'wether', '--yes'])).toMatchObject({
      exit: 64,
      err: expect.stringMatching(
        /^error source_unknown: There is no source "wether"\. Did you mean "weather"/,
      ),
    });
  });

  it.each([
    ['darwin', {}, ['Library', 'Application Support', 'Claude']],
    ['win32', { APPDATA: '' }, ['AppData', 'Roaming', 'Claude']],
  ] as const)('knows where Claude Desktop keeps its file on %s', async (platform, _env, folder) => {
    const env = { APPDATA: crib.path('AppData', 'Roaming') };
    const { out } = await crib.run(['connect', 'claude-desktop', '--print', '--json'], { platform, env });
    expect(JSON.parse(out).file).toBe(crib.path(...folder, 'claude_desktop_config.json'));
  });

  it.each([
    ['opencode', ['.config', 'opencode', 'opencode.json'], 'mcp'],
    ['copilot', ['.copilot', 'mcp-config.json'], 'mcpServers'],
  ] as const)('%s: the entry is in its own words, and is known for ours', async (client, path, key) => {
    const file = crib.path(...path);
    expect(await crib.run(['connect', client, '--yes'])).toMatchObject({ exit: 0 });
    const entry = JSON.parse(await readFile(file, 'utf8'))[key].toolcrib;
    const words = [process.execPath, process.argv[1], 'serve', '--stdio', '--config', expect.any(String)];
    if (client === 'opencode') expect(entry).toEqual({ type: 'local', command: words, enabled: true });
    else expect(entry).toEqual({ type: 'local', command: words[0], args: words.slice(1), tools: ['*'] });
    expect((await crib.run(['connect', client, '--yes'])).out).toMatch(/already connected/);
    const { findings } = JSON.parse((await crib.run(['doctor', '--json'])).out);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: `client ${client}`,
        status: 'ok',
        message: `connected as toolcrib (${file})`,
      }),
    );
    expect(await crib.run(['disconnect', client, '--yes'])).toMatchObject({ exit: 0 });
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
  });

  it.each([
    ['opencode', { environment: { TEAM_KEY: '{env:TEAM_KEY}' } }],
    ['copilot', { env: { TEAM_KEY: '${TEAM_KEY}' } }],
    ['windsurf', { env: { TEAM_KEY: '${env:TEAM_KEY}' } }],
  ])('%s: the key of a team gateway is named, not written', async (client, named) => {
    const remote = ['--remote', 'https://team.example', '--key', 'env:TEAM_KEY'];
    const { out } = await crib.run(['connect', client, ...remote, '--print', '--json'], {
      env: { TEAM_KEY: 'k-123456' },
    });
    expect(JSON.parse(out).entry).toMatchObject(named);
    expect(out).not.toContain('k-123456');
  });

  it('writes into the file of OpenCode that is there, and keeps which tools Copilot CLI may use', async () => {
    const cwd = crib.path('opencode-project');
    const jsonc = await given(
      crib.path('opencode-project', 'opencode.jsonc'),
      '{\n  // mine\n  "mcp": {}\n}\n',
    );
    const project = ['connect', 'opencode', '--project', '--yes'];
    expect(await crib.run(project, { cwd })).toMatchObject({ exit: 0 });
    expect(await readFile(jsonc, 'utf8')).toMatch(/\/\/ mine[\s\S]*"type": "local"/);
    const env = { COPILOT_HOME: 'copilot-home' };
    const copilot = ['connect', 'copilot', '--yes', '--json'];
    const { file } = JSON.parse((await crib.run(copilot, { cwd, env })).out);
    expect(file).toBe(crib.path('opencode-project', 'copilot-home', 'mcp-config.json'));
    const written = JSON.parse(await readFile(file, 'utf8'));
    written.mcpServers.toolcrib.tools = ['search'];
    await writeFile(file, JSON.stringify(written));
    const again = await crib.run([...copilot, '--key', 'env:K', '--remote', 'https://team.example'], {
      cwd,
      env,
    });
    expect(JSON.parse(again.out).entry).toMatchObject({ tools: ['search'], env: { K: '${K}' } });
  });

  it.each([
    ['zed', 'win32', ['AppData', 'Roaming', 'Zed', 'settings.json']],
    ['zed', 'darwin', ['.config', 'zed', 'settings.json']],
    ['opencode', 'win32', ['.config', 'opencode', 'opencode.json']],
  ] as const)('knows where %s keeps its file on %s', async (client, platform, path) => {
    const env = { APPDATA: crib.path('AppData', 'Roaming') };
    const { out } = await crib.run(['connect', client, '--print', '--json'], { platform, env });
    expect(JSON.parse(out).file).toBe(crib.path(...path));
  });

  it('writes no entry for a document that is not there: the client would start it and see nothing', async () => {
    const { exit, err } = await crib.run(['connect', 'cursor', '--yes', '--spec', 'shp.yaml']);
    expect([exit, err]).toEqual([66, expect.stringContaining(`Cannot read ${crib.path('shp.yaml')}`)]);
    await expect(readFile(crib.path('.cursor', 'mcp.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('names every file by its absolute path: the client starts the program anywhere', async () => {
    await given(
      crib.path('api', 'shop.yaml'),
      'openapi: 3.1.0\ninfo: { title: Shop, version: "1" }\npaths: {}\n',
    );
    await given(crib.path('api', 'mine.yaml'), 'name: mine\nsource: {}\n');
    const entryWith = async (...words: string[]) => {
      const argv = ['connect', 'cursor', '--print', '--json', '--spec', 'shop.yaml', ...words];
      const { out } = await crib.run(argv, { cwd: crib.path('api') });
      return JSON.parse(out).entry.args.slice(-words.length);
    };
    const files = ['--auth', 'bearer=file:token', '--preset', './mine.yaml', '--state-dir', 'state'];
    expect(await entryWith(...files)).toEqual([
      '--auth',
      `bearer=file:${crib.path('api', 'token')}`,
      '--preset',
      crib.path('api', 'mine.yaml'),
      '--state-dir',
      crib.path('api', 'state'),
    ]);
    const names = ['--auth', 'basic=env:USER,env:PASSWORD', '--preset', 'croit'];
    expect(await entryWith(...names)).toEqual(names);
  });

  it.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', ['.claude.json']],
    ['codex', 'CODEX_HOME', ['config.toml'], ['.codex', 'config.toml']],
    ['gemini', 'GEMINI_CLI_HOME', ['.gemini', 'settings.json']],
  ])('finds the file of %s where %s says', async (client, variable, file, usual = file) => {
    const fileFor = async (directory: string) => {
      const env = { [variable]: directory };
      const { out } = await crib.run(['connect', client, '--print', '--json'], { env });
      return JSON.parse(out).file;
    };
    expect(await fileFor(crib.path('work'))).toBe(crib.path('work', ...file));
    expect(await fileFor('')).toBe(crib.path(...usual));
  });

  it('brings back the very bytes, comments included, and cleans up its backup', async () => {
    const before =
      '// my servers\r\n{\r\n  "servers": {\r\n    "other": { "command": "x", }, // keep\r\n  }\r\n}\r\n';
    const file = await given(crib.path('bytes', '.vscode', 'mcp.json'), before);
    await chmod(file, 0o644);
    const options = { cwd: crib.path('bytes') };
    await crib.run(['connect', 'vscode', '--project', '--yes'], options);
    const during = await readFile(file, 'utf8');
    expect(during).toContain('// keep');
    expect(during).toContain('"toolcrib"');
    expect((await stat(file)).mode & 0o777).toBe(0o644);
    expect(await readdir(dirname(file))).toEqual([
      'mcp.json',
      expect.stringMatching(/^mcp\.json\.\d{8}-\d{6}\.toolcrib-backup$/),
    ]);
    await crib.run(['connect', 'vscode', '--project', '--yes', '--allow-private', '10.0.0.1'], options);
    const { out } = await crib.run(['disconnect', 'vscode', '--project', '--yes', '--json'], options);
    expect(JSON.parse(out)).toMatchObject({ changed: true, restored: true });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('removes only its own entry when somebody wrote since', async () => {
    const file = await given(crib.path('edited', '.mcp.json'), '{ "mcpServers": {} }');
    const options = { cwd: crib.path('edited') };
    await crib.run(['connect', 'claude-code', '--project', '--yes'], options);
    const value = JSON.parse(await readFile(file, 'utf8'));
    value.mcpServers.later = { command: 'y' };
    await writeFile(file, JSON.stringify(value));
    await crib.run(['disconnect', 'claude-code', '--project', '--yes'], options);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { later: { command: 'y' } } });
  });

  it('keeps two entries of different names apart', async () => {
    const file = crib.path('two', '.mcp.json');
    await mkdir(dirname(file), { recursive: true });
    const options = { cwd: dirname(file) };
    await crib.run(['connect', 'claude-code', '--project', '--yes', '--name', 'one'], options);
    await crib.run(['connect', 'claude-code', '--project', '--yes', '--name', 'two'], options);
    await crib.run(['disconnect', 'claude-code', '--project', '--yes', '--name', 'one'], options);
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).mcpServers)).toEqual(['two']);
  });

  it('follows a symbolic link instead of replacing it', async () => {
    const real = await given(crib.path('dotfiles', 'mcp.json'), '{}');
    await mkdir(crib.path('linked', '.cursor'), { recursive: true });
    await symlink(real, crib.path('linked', '.cursor', 'mcp.json'));
    await crib.run(['connect', 'cursor', '--project', '--yes'], { cwd: crib.path('linked') });
    expect(JSON.parse(await readFile(real, 'utf8')).mcpServers.toolcrib).toBeDefined();
  });

  it('writes where a link leads to, also where nothing lies there yet', async () => {
    await mkdir(crib.path('dangling', '.cursor'), { recursive: true });
    const link = crib.path('dangling', '.cursor', 'mcp.json');
    await symlink('../dotfiles/mcp.json', link);
    const options = { cwd: crib.path('dangling') };
    await crib.run(['connect', 'cursor', '--project', '--yes'], options);
    const real = crib.path('dangling', 'dotfiles', 'mcp.json');
    expect(JSON.parse(await readFile(real, 'utf8')).mcpServers.toolcrib).toBeDefined();
    expect(await readlink(link)).toBe('../dotfiles/mcp.json');
    await crib.run(['disconnect', 'cursor', '--project', '--yes'], options);
    expect(await readdir(crib.path('dangling', 'dotfiles'))).toEqual([]);
    expect(await readlink(link)).toBe('../dotfiles/mcp.json');
  });

  it('leaves a file alone that is no UTF-8: it could not be written back as it was', async () => {
    const bytes = Buffer.from('// caf\xe9\n{}\n', 'latin1');
    const file = crib.path('latin', '.mcp.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    for (const command of ['connect', 'disconnect']) {
      const options = { cwd: dirname(file) };
      const { exit, err } = await crib.run([command, 'claude-code', '--project', '--yes'], options);
      expect([exit, err]).toEqual([
        73,
        expect.stringContaining('error file_conflict: The file is no UTF-8.'),
      ]);
    }
    expect(await readFile(file)).toEqual(bytes);
  });

  it('leaves a file alone that somebody made read-only', async () => {
    const file = await given(crib.path('read-only', '.mcp.json'), '{}');
    await chmod(file, 0o444);
    const { exit, err } = await crib.run(['connect', 'claude-code', '--project', '--yes'], {
      cwd: dirname(file),
    });
    expect([exit, err]).toEqual([73, expect.stringContaining('error file_unusable: The file is read-only.')]);
    expect(await readFile(file, 'utf8')).toBe('{}');
    expect(await readdir(dirname(file))).toEqual(['.mcp.json']);
    await chmod(file, 0o600);
  });

  it('leaves an entry of another program alone', async () => {
    const text = '{"mcpServers":{"toolcrib":{"command":"something-else"}}}';
    const file = await given(crib.path('foreign', '.mcp.json'), text);
    const options = { cwd: dirname(file) };
    for (const command of ['connect', 'disconnect']) {
      const { exit, err } = await crib.run([command, 'claude-code', '--project', '--yes'], options);
      expect(exit).toBe(73);
      expect(err).toMatch(/error file_conflict/);
    }
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it.runIf(process.platform === 'linux')(
    'says that a place cannot be written, not that something is in its way',
    async () => {
      const { exit, err } = await crib.run(['connect', 'cursor', '--project', '--yes'], { cwd: '/proc' });
      expect(exit).toBe(73);
      expect(err).toMatch(
        /error file_unusable: The file cannot be written: (?:ENOENT|EACCES).*\n {2}at: {3}\/proc\/\.cursor\/mcp\.json\n/,
      );
    },
  );

  it('refuses a file that it cannot read, with the line', async () => {
    const file = await given(crib.path('broken', '.mcp.json'), '{\n  "mcpServers": {\n');
    const { exit, err } = await crib.run(['connect', 'claude-code', '--project', '--yes'], {
      cwd: dirname(file),
    });
    expect(exit).toBe(73);
    expect(err).toContain(`${file}:3`);
  });

  it('writes nothing without a yes', async () => {
    const file = crib.path('asked', '.mcp.json');
    await mkdir(dirname(file), { recursive: true });
    const options = { cwd: dirname(file) };
    const nobody = await crib.run(['connect', 'claude-code', '--project'], options);
    expect(nobody).toMatchObject({ exit: 64 });
    expect(nobody.err).toMatch(/Pass --yes/);
    const no = await crib.run(['connect', 'claude-code', '--project'], { ...options, answer: false });
    expect(no).toMatchObject({ exit: 75 });
    expect(no.err).toContain('cancelled: Nothing was written.\n  next: Run the command again');
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
    const printed = await crib.run(['connect', 'claude-code', '--project', '--print'], options);
    expect(printed.out).toContain(file);
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
    expect(
      await crib.run(['connect', 'claude-code', '--project'], { ...options, answer: true }),
    ).toMatchObject({ exit: 0 });
    expect(await readFile(file, 'utf8')).toContain('toolcrib');
    const undone = ['disconnect', 'claude-code', '--project', '--print'];
    expect((await crib.run(undone, options)).out).toContain(`${file} would be removed.`);
    const asJson = await crib.run([...undone, '--json'], options);
    expect(JSON.parse(asJson.out)).toEqual({ file, changed: false, text: null });
    expect(await readFile(file, 'utf8')).toContain('toolcrib');
  });

  it('writes documents and options with absolute paths, and names the variables that the client must have', async () => {
    const configuration = await given(
      crib.path('paths', 'toolcrib.yaml'),
      'sources: { a: { openapi: a.json, credentials: { bearer: { env: A_TOKEN } } }, b: { azure: { subscription: 0a, resourceGroup: rg, authentication: envvar } }, ' +
        'c: { n8n: { url: "https://flows.test", apiKey: { env: FLOWS_KEY } } }, d: { mcp: { command: d, env: { KEY: { env: D_KEY }, MODE: fast } } }, ' +
        'e: { openapi: { document: "https://e.test/o", headers: { A: { env: E_KEY } } } } }',
    );
    const options = { cwd: dirname(configuration) };
    const own = await crib.run(['connect', 'cursor', '--print', '--json'], options);
    expect(JSON.parse(own.out).entry.args.slice(1)).toEqual(['serve', '--stdio', '--config', configuration]);
    expect(own.err).toContain('reads ARM_MCP_AUTH_TOKEN, A_TOKEN, D_KEY, E_KEY, FLOWS_KEY.');
    await given(crib.path('paths', 'pets.yaml'), 'openapi: 3.1.0\n');
    const spec = await crib.run(
      [
        'connect',
        'cursor',
        '--print',
        '--json',
        '--spec',
        'pets.yaml',
        '--base-url',
        'http://127.0.0.1:9/x',
        '--auth',
        'key=env:K',
        '--header',
        'X-A: b c',
      ],
      options,
    );
    expect(JSON.parse(spec.out).entry.args.slice(1)).toEqual([
      'serve',
      crib.path('paths', 'pets.yaml'),
      '--stdio',
      '--base-url',
      'http://127.0.0.1:9/x',
      '--auth',
      'key=env:K',
      '--header',
      'X-A: b c',
    ]);
  });

  it('names the clients there are', async () => {
    const { exit, err } = await crib.run(['connect', 'claude-dektop', '--yes']);
    expect(exit).toBe(64);
    expect(err).toMatch(/Did you mean "claude-desktop"\?/);
  });
});
