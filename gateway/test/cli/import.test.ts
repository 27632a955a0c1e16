import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
const FIXTURE = fileURLToPath(new URL('../matrix/fixture-stdio.ts', import.meta.url));
let folders = 0;

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  folders += 1;
  const path = crib.path(`import-${folders}`);
  await mkdir(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(`${path}/${name}`), { recursive: true });
    await writeFile(`${path}/${name}`, text);
  }
  return path;
}

const files = { command: 'npx', args: ['-y', 'server-files', '/data'] };
const web = { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { 'X-Key': 'k' } };

describe('toolcrib import', () => {
  it.each([
    ['Claude and Cursor', JSON.stringify({ mcpServers: { files, web } })],
    [
      'VS Code mcp.json with comments',
      `// mine\n{ "servers": { "files": ${JSON.stringify(files)}, "web": ${JSON.stringify(web)}, }, "inputs": [] }`,
    ],
    ['VS Code settings.json', JSON.stringify({ mcp: { servers: { files, web } } })],
  ])('reads what %s writes', async (_what, text) => {
    const cwd = await folder({ 'theirs.json': text });
    const { exit, err } = await crib.run(['import', 'theirs.json'], { cwd });
    expect(exit).toBe(0);
    expect(err).toMatch(/toolcrib upstream status/);
    expect(err).toMatch(/^web: headers\.X-Key stands in .*toolcrib\.yaml as plain text; write \$\{VAR\}/m);
    expect(parse(await readFile(`${cwd}/toolcrib.yaml`, 'utf8'))).toEqual({ mcpServers: { files, web } });
  });

  it.each([
    [
      'Goose',
      'extensions:\n  files: { type: stdio, cmd: npx, args: [-y, server-files, /data], enabled: true }\n',
    ],
    [
      'Continue',
      'schema: v1\nmcpServers:\n  - { name: files, command: npx, args: [-y, server-files, /data] }\n',
    ],
    [
      'LibreChat',
      'version: 1.2.1\nmcpServers:\n  files: { command: npx, args: [-y, server-files, /data] }\n',
    ],
  ])('reads the YAML of %s', async (_what, text) => {
    const cwd = await folder({ 'config.yaml': text });
    expect((await crib.run(['import', 'config.yaml'], { cwd })).exit).toBe(0);
    const { mcpServers } = parse(await readFile(`${cwd}/toolcrib.yaml`, 'utf8'));
    expect(mcpServers).toEqual({ files: expect.objectContaining(files) });
  });

  it('adds to an existing configuration and leaves the rest byte for byte', async () => {
    const before = '# ours\nname: acme   # the name\nsources: { a: { openapi: a.json } }\n';
    const cwd = await folder({
      'toolcrib.yaml': before,
      'theirs.json': JSON.stringify({ mcpServers: { files } }),
    });
    await crib.run(['import', 'theirs.json'], { cwd });
    const after = await readFile(`${cwd}/toolcrib.yaml`, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(parse(after).mcpServers).toEqual({ files });
    const { out } = await crib.run(['import', 'theirs.json', '--json'], { cwd });
    expect(JSON.parse(out)).toMatchObject({ added: [], same: ['files'], conflicting: [] });
    expect(await readFile(`${cwd}/toolcrib.yaml`, 'utf8')).toBe(after);
  });

  it.each([
    ['where there are none yet', 'name: acme\r\n'],
    ['beside others', 'name: acme\r\nmcpServers:\r\n  other: { command: x }\r\n'],
  ])('keeps the line ends of Windows, %s', async (_where, before) => {
    const theirs = JSON.stringify({ mcpServers: { files } });
    const cwd = await folder({ 'toolcrib.yaml': before, 'theirs.json': theirs });
    await crib.run(['import', 'theirs.json'], { cwd });
    const after = await readFile(`${cwd}/toolcrib.yaml`, 'utf8');
    expect(after).not.toMatch(/(?<!\r)\n/);
    expect(parse(after).mcpServers).toMatchObject({ files });
  });

  it.each<[string, string, (command: string, args: readonly string[]) => string]>([
    [
      'VS Code, with comments',
      '.vscode/mcp.json',
      (command, args) =>
        `{ // ours\n "servers": { "it": { "type": "stdio", "command": ${JSON.stringify(command)}, "args": ${JSON.stringify(args)}, }, } }`,
    ],
    [
      'Zed',
      'settings.json',
      (command, args) =>
        JSON.stringify({ context_servers: { it: { source: 'custom', command, args, env: {} } } }),
    ],
    [
      'OpenCode',
      'opencode.json',
      (command, args) =>
        JSON.stringify({
          mcp: { it: { type: 'local', command: [command, ...args], environment: { N: 1 }, enabled: true } },
        }),
    ],
    [
      'Codex',
      'config.toml',
      (command, args) =>
        `\uFEFF# mine\r\nmodel = "m"\r\nsince = 2026-01-02\r\n\r\n[mcp_servers.it]\r\ncommand = ${JSON.stringify(command)}\r\nargs = [\r\n  ${args.map((arg) => `'${arg}'`).join(', # a file\r\n  ')},\r\n]\r\nstartup_timeout_sec = 20\r\n`,
    ],
    [
      'Codex, as it lists them',
      'list.json',
      (command, args) =>
        JSON.stringify([
          { name: 'it', enabled: true, transport: { type: 'stdio', command, args, env: null } },
        ]),
    ],
  ])('lists the tools of a real server that was taken from %s', async (_client, file, text) => {
    const cwd = await folder({});
    await mkdir(dirname(`${cwd}/${file}`), { recursive: true });
    await writeFile(`${cwd}/${file}`, text(process.execPath, [FIXTURE, 'legacy']));
    expect(await crib.run(['import', file], { cwd })).toMatchObject({ exit: 0 });
    const { exit, out } = await crib.run(['upstream', 'status', '--json'], { cwd });
    expect(exit).toBe(0);
    expect(JSON.parse(out).servers).toMatchObject([{ name: 'it', ok: true, server: 'fixture 1.0.0' }]);
    expect(JSON.parse(out).servers[0].tools).toBeGreaterThan(3);
  });

  it('names variables that are not set, and secrets that stand as text', async () => {
    const github = {
      command: 'x',
      args: ['--token', 'abc'],
      env: { GITHUB_TOKEN: '$' + '{input:token}', LEVEL: 'debug', URL: '$' + '{BASE:-none}' },
    };
    const theirs = { 'theirs.json': JSON.stringify({ servers: { github } }) };
    const { err } = await crib.run(['import', 'theirs.json'], { cwd: await folder(theirs) });
    expect(err).toContain('github: ${GITHUB_TOKEN} stands where ${input:token} stood');
    expect(err).toContain('github: set GITHUB_TOKEN before Toolcrib starts.');
    expect(err).toMatch(/github: args\.1 stands in .* as plain text/);
    expect(err).not.toContain('abc');
    const cwd = await folder(theirs);
    const { out } = await crib.run(['import', 'theirs.json', '--json'], { cwd, env: { GITHUB_TOKEN: 't' } });
    expect(JSON.parse(out).notes).toHaveLength(2);
  });

  it.each<[string, object, string]>([
    [
      'within other text',
      { url: 'http://a.example', headers: { Authorization: 'Bearer ${A}', B: '${B}' } },
      'A, B',
    ],
    ['of an argument', { command: 'x', args: ['${A}'], env: { B: '${env:B}' } }, 'A, B'],
  ])(
    'says which variables are missing, and keeps what does without them: %s',
    async (_where, entry, names) => {
      const cwd = await folder({ 'theirs.json': JSON.stringify({ mcpServers: { it: entry } }) });
      const { err } = await crib.run(['import', 'theirs.json'], { cwd });
      expect(err).toContain(`it: set ${names} before Toolcrib starts.`);
      expect(await crib.run(['upstream', 'list'], { cwd, env: { B: 'b' } })).toMatchObject({ exit: 0 });
      const { out } = await crib.run(['upstream', 'status', '--json'], { cwd, env: { B: 'b' } });
      expect(JSON.parse(out).servers).toMatchObject([
        {
          name: 'it',
          ok: false,
          error: { code: 'credentials_missing', message: expect.stringMatching(/ variable A,/) },
        },
      ]);
    },
  );

  it('says which name a server has here, and so why two of them are one', async () => {
    const servers = { 'my files': files, my_files: { command: 'other' } };
    const cwd = await folder({
      'theirs.json': JSON.stringify({ mcpServers: { ...servers, 'my*files': files } }),
    });
    const { exit, err } = await crib.run(['import', 'theirs.json'], { cwd });
    expect(exit).toBe(73);
    expect(err).toMatch(/^Took my files \(here my_files\) from /m);
    expect(err).toMatch(/^my_files: .* has another entry of that name/m);
    expect(err).toMatch(/^my\*files \(here my_files\): .* has another entry of that name/m);
  });

  it('a client without servers is no error', async () => {
    const { exit, err } = await crib.run(['import', '-'], { cwd: await folder({}), input: '[]' });
    expect(exit).toBe(0);
    expect(err).toContain('There is nothing to take from standard input.');
  });

  it.each([
    ['by its name', 'config.toml', '"mcp_servers" = { it = { command = "x" } }\n'],
    ['by its first word, under another name', 'config.toml.bak', '[mcp_servers.it]\ncommand = "x"\n'],
    ['behind a comment, on standard input', '-', '# mine\n[mcp_servers.it]\ncommand = "x"\n'],
  ])('knows TOML %s', async (_how, source, text) => {
    const cwd = await folder(source === '-' ? {} : { [source]: text });
    const { exit, out } = await crib.run(['import', source, '--json'], { cwd, input: text });
    expect({ exit, added: JSON.parse(out).added }).toEqual({ exit: 0, added: ['it'] });
  });

  it('says where TOML is broken, and nothing of what stands there', async () => {
    const text =
      '[mcp_servers.it]\ncommand = "x"\n[mcp_servers.it.env]\nAPI_KEY = sk-secret-1\nB = "sk-secret-2"\n';
    const cwd = await folder({ 'config.toml': text });
    for (const words of [['import', 'config.toml'], ['import', 'config.toml', '--json'], ['import']]) {
      if (words.length === 1) {
        await mkdir(`${cwd}/.codex`);
        await writeFile(`${cwd}/.codex/config.toml`, text);
      }
      const { exit, out, err } = await crib.run(words, { cwd });
      expect(exit).toBe(73);
      expect(err).toContain('The file is no valid TOML: invalid value.');
      expect(err).toContain('config.toml:4:11');
      expect(out + err).not.toContain('secret');
    }
  });

  it('asks a person which of several clients is meant, and tells anybody else', async () => {
    const cwd = await folder({
      '.mcp.json': JSON.stringify({ mcpServers: { files } }),
      'opencode.json': JSON.stringify({ mcp: { web: { type: 'remote', url: web.url } } }),
    });
    const { exit, err } = await crib.run(['import'], { cwd });
    expect(exit).toBe(64);
    expect(err).toContain(`toolcrib import ${cwd}/.mcp.json   (Claude Code: files)`);
    expect(err).toContain(`toolcrib import ${cwd}/opencode.json   (OpenCode: web)`);
    const asked: unknown[] = [];
    const choosing = (chosen: string | undefined) => ({
      cwd,
      select: async (_question: string, choices: readonly unknown[]) => {
        asked.push(...choices);
        return chosen;
      },
    });
    expect(await crib.run(['import'], choosing(undefined))).toMatchObject({ exit: 75 });
    expect(await crib.run(['import'], choosing(`${cwd}/opencode.json`))).toMatchObject({ exit: 0 });
    expect(asked.slice(0, 2)).toEqual([
      { value: `${cwd}/.mcp.json`, label: 'Claude Code: files', hint: `${cwd}/.mcp.json` },
      { value: `${cwd}/opencode.json`, label: 'OpenCode: web', hint: `${cwd}/opencode.json` },
    ]);
    expect(Object.keys(parse(await readFile(`${cwd}/toolcrib.yaml`, 'utf8')).mcpServers)).toEqual(['web']);
    // who reads JSON is no person
    expect(await crib.run(['import', '--json'], choosing('x'))).toMatchObject({ exit: 64 });
    expect(asked).toHaveLength(4);
  });

  it('serves no tool that its client has switched off', async () => {
    const entry = {
      command: process.execPath,
      args: [FIXTURE, 'legacy'],
      includeTools: ['echo', 'counts'],
      excludeTools: ['counts'],
    };
    const cwd = await folder({ 'theirs.json': JSON.stringify({ mcpServers: { it: entry } }) });
    await crib.run(['import', 'theirs.json'], { cwd });
    const { out } = await crib.run(['tools', '--json'], { cwd });
    expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toEqual(['it_echo']);
  });

  it('passes over a file of another client that cannot be read', async () => {
    const cwd = await folder({
      '.mcp.json': JSON.stringify({ mcpServers: { files } }),
      'opencode.json': '{ "mcp": ',
    });
    const { exit, out } = await crib.run(['import', '--json'], { cwd });
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ from: `${cwd}/.mcp.json`, added: ['files'] });
  });

  it('finds servers of OpenCode, Zed and Codex without being told', async () => {
    for (const [file, text] of [
      ['opencode.json', JSON.stringify({ mcp: { it: { type: 'local', command: ['x'] } } })],
      ['.zed/settings.json', JSON.stringify({ context_servers: { it: { command: 'x', args: [] } } })],
      ['.codex/config.toml', 'mcp_servers.it.command = "x"\n'],
    ] as const) {
      const cwd = await folder({});
      await mkdir(dirname(`${cwd}/${file}`), { recursive: true });
      await writeFile(`${cwd}/${file}`, text);
      const { out } = await crib.run(['import', '--json'], { cwd });
      expect(JSON.parse(out)).toMatchObject({ from: `${cwd}/${file}`, added: ['it'] });
    }
  });

  it('leaves out what could not run here, and says why', async () => {
    const foreign = { command: 'node', args: ['$' + '{workspaceFolder}/server.js'] };
    const cwd = await folder({ 'theirs.json': JSON.stringify({ mcpServers: { files, foreign } }) });
    const { exit, err } = await crib.run(['import', 'theirs.json'], { cwd });
    expect(exit).toBe(0);
    expect(err).toMatch(/foreign: left out, .*workspaceFolder.* is not understood/);
    expect(parse(await readFile(`${cwd}/toolcrib.yaml`, 'utf8'))).toEqual({ mcpServers: { files } });
    const { out } = await crib.run(['upstream', 'list', '--json'], { cwd });
    expect(JSON.parse(out).servers).toMatchObject([{ name: 'files', transport: 'stdio', target: 'npx' }]);
  });

  it('never takes an entry whose name a source has', async () => {
    const cwd = await folder({
      'toolcrib.yaml': 'sources: { files: { openapi: a.json } }\n',
      'theirs.json': JSON.stringify({ mcpServers: { files } }),
    });
    const { exit } = await crib.run(['import', 'theirs.json'], { cwd });
    expect(exit).toBe(73);
    expect(await readFile(`${cwd}/toolcrib.yaml`, 'utf8')).not.toContain('mcpServers');
  });

  it('never changes an entry that is there', async () => {
    const cwd = await folder({
      'toolcrib.yaml': '# keep\nmcpServers:\n  files: { command: mine } # mine\n',
      'theirs.json': JSON.stringify({ mcpServers: { files, web } }),
    });
    const { exit, err } = await crib.run(['import', 'theirs.json'], { cwd });
    expect(exit).toBe(73);
    expect(err).toMatch(/files: .* has another entry of that name, which stays/);
    const after = await readFile(`${cwd}/toolcrib.yaml`, 'utf8');
    expect(after).toContain('# keep');
    expect(parse(after).mcpServers).toEqual({ files: { command: 'mine' }, web });
  });

  it('writes into a JSON configuration as JSON', async () => {
    const cwd = await folder({ 'toolcrib.json': '{\n  "name": "acme"\n}\n' });
    await crib.run(['import', '-'], { cwd, input: JSON.stringify({ mcpServers: { files } }) });
    expect(JSON.parse(await readFile(`${cwd}/toolcrib.json`, 'utf8'))).toEqual({
      name: 'acme',
      mcpServers: { files },
    });
  });

  it('leaves out what it cannot use and itself, and says so', async () => {
    const cwd = await folder({
      'theirs.json': JSON.stringify({
        mcpServers: {
          files,
          odd: { args: [] },
          ours: { command: 'npx', args: ['toolcrib', 'serve', '--stdio'] },
        },
      }),
    });
    const { err } = await crib.run(['import', 'theirs.json'], { cwd });
    expect(err).toMatch(/odd: left out, it has neither/);
    expect(err).toMatch(/ours: left out, it is Toolcrib itself/);
    expect(Object.keys(parse(await readFile(`${cwd}/toolcrib.yaml`, 'utf8')).mcpServers)).toEqual(['files']);
  });

  it('prints without writing', async () => {
    const cwd = await folder({ 'theirs.json': JSON.stringify({ mcpServers: { files } }) });
    const { out, err } = await crib.run(['import', 'theirs.json', '--print'], { cwd });
    expect(parse(out)).toEqual({ mcpServers: { files } });
    expect(err).toContain('Would take files');
    expect(err).not.toContain('They are sources now');
    const asJson = await crib.run(['import', 'theirs.json', '--print', '--json'], { cwd });
    expect(JSON.parse(asJson.out)).toMatchObject({ added: ['files'], text: out });
    expect(asJson.err).toBe('');
    await expect(readFile(`${cwd}/toolcrib.yaml`)).rejects.toThrow(/ENOENT/);
  });

  it('finds the only client that has servers', async () => {
    const cwd = await folder({ '.mcp.json': JSON.stringify({ mcpServers: { files } }) });
    const { out } = await crib.run(['import', '--json'], { cwd });
    expect(JSON.parse(out)).toMatchObject({ from: `${cwd}/.mcp.json`, added: ['files'] });
    const none = await crib.run(['import'], { cwd: await folder({}) });
    expect(none).toMatchObject({ exit: 66 });
    expect(none.err).toContain('No client of this user has MCP servers; name a file.');
  });

  it('says of clients that have servers why none of them can be taken', async () => {
    const ours = { command: 'npx', args: ['toolcrib', 'serve', '--stdio'] };
    const cwd = await folder({
      '.mcp.json': JSON.stringify({ mcpServers: { toolcrib: ours } }),
      '.vscode/mcp.json': JSON.stringify({ servers: { toolcrib: ours, odd: { args: [] } } }),
    });
    const { exit, err } = await crib.run(['import'], { cwd });
    expect(exit).toBe(66);
    expect(err).toContain('No client of this user has MCP servers that can be taken; name a file.');
    expect(err).toContain(`${cwd}/.mcp.json: toolcrib: it is Toolcrib itself.`);
    expect(err).toContain(`${cwd}/.vscode/mcp.json: toolcrib: it is Toolcrib itself; odd: it has neither`);
  });

  it.each([
    ['{"a":1}', 65],
    ['{', 73],
  ])('refuses %s', async (text, exit) => {
    const cwd = await folder({ 'theirs.json': text });
    expect(await crib.run(['import', 'theirs.json'], { cwd })).toMatchObject({ exit });
  });
});
