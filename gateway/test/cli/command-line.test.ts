import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { exampleCall } from '../../src/cli/call/example-call.ts';
import { curlCommand, requestText, shownRequest } from '../../src/cli/call/request-text.ts';
import { consoleWords, invocation, shellLine } from '../../src/cli/command-line.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import type { JsonSchema, PublishedTool } from '../../src/operations/index.ts';
import { plannedRequest } from '../../src/results/planned-request.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();

describe('the command line', () => {
  it('answers --version without loading anything else', async () => {
    expect(await crib.run(['--version'])).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it('shows help, of a command and of exit codes', async () => {
    expect((await crib.run(['help'])).out).toMatch(/Commands:\n/);
    expect((await crib.run(['help', 'serve'])).out).toMatch(/--stdio/);
    expect(await crib.run(['serve', '--help'])).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/--stdio/),
    });
    const { out } = await crib.run(['help', 'exit-codes']);
    expect(out).toMatch(/ {2}78 {2}the configuration is wrong\n {6}configuration_invalid/);
    expect(out.match(/^ {2}\d\d {2}\S/gm)).toHaveLength(new Set(out.match(/^ {2}\d\d/gm)).size);
  });

  it('keeps help within 80 columns, and to options that the command has', async () => {
    const { out } = await crib.run(['help', 'azure']);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect((await crib.run(['help', 'artifacts', 'get'])).out).not.toContain('--follow');
    expect((await crib.run(['help', 'events'])).out).toMatch(/--follow.*with --json\s+one event a\s+line/);
  });

  it.each([
    [{}, undefined, 'console'],
    [{}, '8788', 'console --port 8788'],
    [{ config: 'a b.yaml', stateDir: '/s' }, '1', "console --port 1 --config 'a b.yaml' --state-dir /s"],
  ])('tells who started a gateway with %o how to sign in at its console', (options, port, line) => {
    expect(shellLine(consoleWords(options, port))).toBe(line);
  });

  it.each([
    [['serv'], /unknown command 'serv'\. Did you mean "serve"\?/],
    [['admin', 'usr', 'list'], /unknown command 'usr'\. Did you mean "user"\?/],
    [['serve', '--nope'], /unknown option '--nope'/],
    [['serve', '--stdio', '--port', '8788'], /With --stdio nothing listens/],
    [['serve', '--max-access', 'read'], /each client says in its address .* or add --stdio/],
    [['serve', '--source', 'weather'], /\/mcp\?source=github&maxAccess=read/],
    [['serve', '--stdio', '--max-access', 'dangerous'], /Allowed choices are read, write, delete/],
    [
      ['serve', '--stdio', '--remote', 'https://t.example?maxAccess=delete', '--max-access', 'read'],
      /says maxAccess already/,
    ],
    [['serve', '--port', '70000'], /Use a number from 0 to 65535/],
    [['serve', '--host', ''], /Use an address or a name such as 127\.0\.0\.1/],
    [['start', '--host', '0.0.0.0:80'], /without scheme and port/],
    [['serve', '--host', 'http://localhost'], /without scheme and port/],
    [['serv', '--help'], /unknown command 'serv'\. Did you mean "serve"\?/],
    [['-h', 'nosuch'], /unknown command 'nosuch'\./],
    [['--help', 'admin', 'usr'], /unknown command 'usr'\. Did you mean "user"\?/],
    [['store', 'nope', '--help'], /unknown command 'nope'\./],
    [['admin', 'usr', '--help'], /unknown command 'usr'\. Did you mean "user"\?/],
    [['admin', 'user', 'nope', '-h'], /unknown command 'nope'\./],
    [['store', 'nope'], /unknown command 'nope'/],
    [['upstream', 'nope'], /unknown command 'nope'/],
    [['admin'], /a command is missing: bootstrap, org, /],
    [['admin', 'org'], /a command is missing: list, /],
    [['call'], /missing required argument 'tool'/],
    [['tools', 'extra'], /too many arguments/],
    [['tools', 'pets.yaml'], /A document is named by --spec: `\S*toolcrib tools --spec pets\.yaml`/],
    [['describe', 'listPets', 'https://pets.example/v1/api'], /--spec https:\/\/pets\.example\/v1\/api`/],
    [['events', 'extra', '--config', 'pets.yaml'], /Expected 0 arguments but got 1: extra\.$/m],
    [['approvals', 'lst'], /unknown command 'lst'\. Did you mean "list"\?/],
    [['approvals', 'list', 'x'], /too many arguments/],
    [['tools', '--auth', 'bearer=secret'], /process list; use env:NAME/],
    [['tools', '--auth', 'bearer'], /Use SCHEME=env:NAME/],
    [['tools', '--auth', 'bearer=command:'], /use env:NAME or file:PATH/],
    [['tools', '--base-url', 'ftp://x'], /Use an http or https URL/],
    [['tools', '--header', 'nothing'], /Use 'Name: value'/],
    [['tools', '--spec', 'a.json', '--config', 'b.yaml'], /not both/],
    [['--config', 'b.yaml', 'tools'], /"tools" is a command: it stands first, its options behind it\./],
    [['help', 'cal'], /Did you mean "call"\?/],
    [['completion', 'tcsh'], /bash, zsh, fish/],
  ])('%j is a usage error', async (argv, message) => {
    const { exit, out, err } = await crib.run(argv);
    expect(exit).toBe(64);
    expect(out).toBe('');
    expect(err).toMatch(/^error usage: /);
    expect(err).toMatch(message);
    expect(err).toMatch(/\n {2}next: /);
  });

  it.each([
    ['artifacts', 'list'],
    ['features', 'list'],
    ['store', 'status'],
    ['upstream', 'list'],
  ])('%s alone is %s', async (group, verb) => {
    const config = crib.path('groups.yaml');
    await writeFile(config, 'sources: { time: { mcp: { command: node, args: [time.mjs] } } }\n');
    const alone = await crib.run([group, '--config', config]);
    expect(alone).toEqual(await crib.run([group, verb, '--config', config]));
    expect(alone.exit).toBe(0);
  });

  it.each([
    [['admin', 'org', 'list']],
    [['approvals', 'list']],
    [['budgets']],
    [['events']],
    [['features', 'on', 'pets.daos']],
    [['store', 'status']],
  ])('%j says with one code that the configuration keeps no store', async (argv) => {
    await writeFile(crib.path('storeless.yaml'), 'store: none\n');
    const { exit, err } = await crib.run([...argv, '--config', 'storeless.yaml', '--json']);
    expect(exit).toBe(78);
    expect(JSON.parse(err).error).toMatchObject({ code: 'configuration_invalid', pointer: '#/store' });
  });

  it.each([
    [['new', 'plan', 'x'], 'toolcrib new --help'],
    [['connect', 'cursor', '--remote', 'nowhere'], 'toolcrib connect --help'],
  ])('%j, which the command itself refuses, leads to the help of that command', async (argv, help) => {
    const { exit, err } = await crib.run(argv);
    expect([exit, err]).toEqual([64, expect.stringContaining(`next: See \`${help}\`.`)]);
  });

  it.each([
    [['tools', '--config', 'none.yaml'], 'none.yaml', 'There is no such file'],
    [['tools', '--config', '.'], '', 'This is a folder'],
    [['call', 'searchPlaces', 'name@none.txt'], 'none.txt', 'There is no such file'],
    [['import', 'none.json'], 'none.json', 'There is no such file'],
  ])('%j says why a file was not read, without the words of the system', async (argv, file, why) => {
    const { exit, err } = await crib.run(argv);
    expect([exit, err.split('\n')]).toEqual([
      66,
      [
        expect.stringMatching(new RegExp(`^error source_unreadable: [^/]*: ${why}\\.$`)),
        expect.stringMatching(new RegExp(`^  at:   /.*${file}$`)),
        expect.stringMatching(/^ {2}next: /),
        '',
      ],
    ]);
  });

  it.each([
    ['tools', '--auth', 'bearer=s3cretword'],
    ['tools', '--auth', 's3cretword'],
    ['tools', '--header', 'Authorization Bearer s3cretword'],
    ['serve', '--token', "s3cretword' is invalid. s3cretword"],
    ['serve', '--tokn=s3cretword'],
    ['chat', '--api-key', 's3cretword'],
    ['admin', 'connection', 'add', 'shop', '--org', 'acme', '--credentials', 's3cretword'],
  ])('%j: the complaint does not repeat a secret', async (...argv) => {
    const { exit, err } = await crib.run(argv);
    expect(exit).toBe(64);
    expect(err).toMatch(/option '--[a-z-]+/);
    expect(err).not.toContain('s3cretword');
  });

  it('reports errors as JSON with --json', async () => {
    const { exit, err } = await crib.run(['tools', '--json', '--config', 'absent.yaml']);
    expect(exit).toBe(66);
    expect(JSON.parse(err)).toMatchObject({
      error: { code: 'source_unreadable', location: crib.path('absent.yaml'), next: expect.any(String) },
    });
  });
});

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('%s knows every command, its options and the clients', async (shell) => {
    const { out } = await crib.run(['completion', shell]);
    for (const word of ['serve', 'compile', 'disconnect', 'claude-desktop', 'stdio', 'dry-run'])
      expect(out).toContain(word);
  });

  it('is a valid bash script that completes', async () => {
    const { out } = await crib.run(['completion', 'bash']);
    const script = `${out}\nCOMP_WORDS=(toolcrib connect cl); COMP_CWORD=2; _toolcrib; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim()).toBe(
      'claude-desktop claude-code',
    );
  });
});

describe('how to start it again', () => {
  const terminal = (env: Record<string, string>) => ({ env, cwd: '/home/crib' }) as unknown as Terminal;
  it.each([
    [{ npm_command: 'exec' }, '/home/crib/gateway/bin/toolcrib.mjs', 'npx toolcrib'],
    [{ npm_lifecycle_event: 'start' }, '/x/toolcrib', 'npx toolcrib'],
    [{}, '/usr/local/bin/toolcrib', 'toolcrib'],
    [{}, '/home/crib/gateway/bin/toolcrib.mjs', 'node gateway/bin/toolcrib.mjs'],
    [{}, '/opt/toolcrib.mjs', 'node /opt/toolcrib.mjs'],
  ])('%o %s → %s', (env, script, expected) => {
    expect(shellLine(invocation(terminal(env as Record<string, string>), script))).toBe(expected);
  });

  it('quotes on Windows for PowerShell, and for cmd.exe where that can be quoted', () => {
    const words = [
      'node',
      'C:\\My Tools\\toolcrib.mjs',
      'C:\\a.mjs',
      'a,b',
      '',
      'cost=$5',
      "it's",
      `{"a":"it's"}`,
    ];
    expect(shellLine(words, 'win32')).toBe(
      `node "C:\\My Tools\\toolcrib.mjs" C:\\a.mjs "a,b" "" 'cost=$5' "it's" '{"a":"it''s"}'`,
    );
  });

  it('quotes for a shell', () => {
    const words = ['echo', "it's", '$HOME', 'a b', 'plain-1.2/x=y'];
    expect(execFileSync('sh', ['-c', shellLine(words)], { encoding: 'utf8' })).toBe(
      "it's $HOME a b plain-1.2/x=y\n",
    );
  });
});

describe('a call to try', () => {
  const tool = (name: string, readOnlyHint: boolean, inputSchema: JsonSchema): PublishedTool => ({
    name,
    tool: {
      name,
      description: '',
      inputSchema: { type: 'object', ...inputSchema },
      annotations: { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
  });
  it('is harmless and asks for as little as possible', () => {
    const tools = [
      tool('deleteAll', false, {}),
      tool('get', true, {
        properties: { id: { type: 'integer', minimum: 5 }, kind: { enum: ['x', 'y'] } },
        required: ['id', 'kind'],
      }),
      tool('find', true, { properties: { id: { type: 'integer', minimum: 5 } }, required: ['id'] }),
    ];
    expect(exampleCall(tools)).toEqual(['find', 'id=5']);
    expect(exampleCall(tools.slice(0, 2))).toEqual(['get', 'id=5', 'kind=x']);
    expect(exampleCall(tools.slice(0, 1))).toBeUndefined();
  });

  it('names an address where one is wanted', () => {
    const url = { properties: { url: { type: 'string', description: 'Of a page.' } }, required: ['url'] };
    expect(exampleCall([tool('scrape', true, url)])).toEqual(['scrape', 'url=https://example.com/']);
  });

  it('searches rather than names what nobody knows', () => {
    const text = (name: string, more: JsonSchema = {}): JsonSchema => ({
      properties: { [name]: { type: 'string', ...more } },
      required: [name],
    });
    const tools = [
      tool('describe_tool', true, text('name')),
      tool('query_result', true, text('response_id')),
      tool('search_tools', true, text('query', { description: 'What to do, to what' })),
    ];
    expect(exampleCall(tools)).toEqual(['search_tools', 'query=example']);
  });
});

describe('a request to look at', () => {
  const request = {
    method: 'POST',
    url: 'https://example.test/a?b=c',
    headers: [
      ['authorization', '••••'],
      ['content-type', 'application/json'],
    ] as const,
    body: '{"it\'s":1}',
  };
  it('reads like HTTP', () => {
    expect(requestText(request)).toBe(
      'POST https://example.test/a?b=c\nauthorization: ••••\ncontent-type: application/json\n\n{"it\'s":1}',
    );
  });

  it('is a curl command whose words survive the shell', () => {
    const words = execFileSync('sh', ['-c', curlCommand(request).replace(/^curl/, "printf '%s\\n'")], {
      encoding: 'utf8',
    });
    expect(words.trim().split('\n')).toEqual([
      '-X',
      'POST',
      request.url,
      '-H',
      'authorization: ••••',
      '-H',
      'content-type: application/json',
      '--data-raw',
      request.body,
    ]);
  });

  it('is a curl command that sends the bytes of a body that is no text', () => {
    const bytes = Buffer.from([0, 255, 0x27, 10]);
    const planned = plannedRequest({ ...request, base: request.url, body: bytes });
    const shown = shownRequest(planned.structured)!;
    expect(requestText(shown)).toContain('(4 bytes that are no text)');
    const said = curlCommand(shown);
    expect(said).toContain('--data-binary @-');
    expect(execFileSync('sh', ['-c', said.replace(/\| curl .*$/s, '')])).toEqual(bytes);
  });

  it('is a curl command that waits for no body of a HEAD', () => {
    expect(curlCommand({ method: 'HEAD', url: 'https://example.test/', headers: [] })).toBe(
      'curl --head https://example.test/',
    );
  });

  it.each([
    [
      { method: 'GET', url: 'u', headers: { a: 'b' } },
      { method: 'GET', url: 'u', headers: [['a', 'b']] },
    ],
    [
      { request: { method: 'GET', url: 'u', headers: [['a', 'b']], body: { x: 1 } } },
      { method: 'GET', url: 'u', headers: [['a', 'b']], body: '{"x":1}' },
    ],
    [{ other: 1 }, undefined],
  ])('is read from %j', (structured, expected) => {
    expect(shownRequest(structured)).toEqual(expected);
  });
});
