import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
const FIXTURE = fileURLToPath(new URL('../matrix/fixture-stdio.ts', import.meta.url));
const SIGN_IN = {
  server: 'http://127.0.0.1:9/mcp',
  issuer: 'http://127.0.0.1:9',
  resource: 'http://127.0.0.1:9/mcp',
  tokenEndpoint: 'http://127.0.0.1:9/token',
  accessToken: 'kept-token',
  client: { id: 'crib' },
};

beforeAll(async () => {
  await writeFile(
    crib.path('toolcrib.yaml'),
    JSON.stringify({
      mcpServers: {
        good: { command: process.execPath, args: [FIXTURE, 'legacy'], env: { TOKEN: 'secret-value' } },
        absent: { command: 'no-such-program-of-ours', timeout: 5, disabledTools: ['x'] },
      },
      sources: {
        far: {
          mcp: { url: 'http://127.0.0.1:9/mcp?key=secret-value', headers: { 'X-Key': { env: 'FAR_KEY' } } },
        },
      },
    }),
  );
});

describe('toolcrib upstream', () => {
  it('lists what is configured, and no secret', async () => {
    const { exit, out } = await crib.run(['upstream', 'list', '--json']);
    expect(exit).toBe(0);
    expect(JSON.parse(out).servers).toEqual([
      {
        name: 'far',
        transport: 'http',
        target: 'http://127.0.0.1:9/mcp',
        era: 'auto',
        share: 'one',
        isolation: null,
      },
      {
        name: 'good',
        transport: 'stdio',
        target: process.execPath,
        era: 'auto',
        share: 'one',
        isolation: 'none',
      },
      {
        name: 'absent',
        transport: 'stdio',
        target: 'no-such-program-of-ours',
        era: 'auto',
        share: 'one',
        isolation: 'none',
      },
    ]);
    const table = await crib.run(['upstream', 'list']);
    expect(table.out).toMatch(/NAME +TRANSPORT/);
    expect(out + table.out).not.toContain('secret-value');
  });

  it('says where a file for tokens can be named', async () => {
    const mcp = { url: 'http://127.0.0.1:9/mcp' };
    const configuration = { mcpServers: { 'my far': mcp }, sources: { near: { mcp } } };
    await writeFile(crib.path('no-file.yaml'), JSON.stringify(configuration));
    const login = (name: string) => crib.run(['upstream', 'login', name, '--config', 'no-file.yaml']);
    const entry = await login('my_far');
    expect(entry.err).toContain('#/mcpServers/my far');
    expect(entry.err).toContain(
      'under sources in its place: my_far: { mcp: { url: …, oauth: { tokenFile: ./my_far-tokens.json } } }',
    );
    const source = await login('near');
    expect(source.err).toContain('#/sources/near/mcp/oauth/tokenFile');
    expect(source.exit).toBe(entry.exit);
  });

  it('ends a sign-in, of upstream servers alone', async () => {
    const file = crib.path('tokens.json');
    await writeFile(
      crib.path('signed-in.yaml'),
      JSON.stringify({
        sources: {
          remote: { mcp: { url: 'http://127.0.0.1:9/mcp', oauth: { tokenFile: file } } },
          api: { openapi: './api.json' },
        },
      }),
    );
    const logout = (name: string, ...more: string[]) =>
      crib.run(['upstream', 'logout', name, '--config', 'signed-in.yaml', ...more]);
    await writeFile(file, JSON.stringify(SIGN_IN), { mode: 0o600 });
    const local = await logout('remote', '--local');
    expect(local.err).toMatch(
      /^Signed out of remote: its tokens are removed here\..*end them at the provider\.$/m,
    );
    expect(local.exit).toBe(0);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    const again = await logout('remote', '--json');
    expect(JSON.parse(again.out)).toEqual({ source: 'remote', signedOut: false, revoked: false });
    const other = await logout('api');
    expect(other.err).toContain('There is no upstream server "api".');
    expect(other.exit).toBe(64);
  });

  it('tries a server and says what it lists', async () => {
    const { exit, out } = await crib.run(['upstream', 'status', 'good', '--json']);
    expect(JSON.parse(out).servers).toMatchObject([
      { name: 'good', ok: true, server: 'fixture 1.0.0', era: 'legacy', prompts: 1, resources: 2 },
    ]);
    expect(exit).toBe(0);
  });

  it('names what is wrong with one that does not start', async () => {
    const { exit, out, err } = await crib.run(['upstream', 'status', 'absent', '--timeout', '5000']);
    expect(exit).toBe(69);
    expect(out).toMatch(/absent +failed/);
    expect(out).toMatch(/no-such-program-of-ours cannot be started: there is no such program\./);
    expect(err).toMatch(/^absent: Nothing was sent\. Install the program/m);
    expect(err).not.toContain('started again');
  });

  it('starts one that ends at once a single time', async () => {
    const file = crib.path('ending.json');
    const starts = crib.path('starts.txt');
    const code = `require('node:fs').appendFileSync(process.argv[1], 's'); throw new Error('No key.')`;
    await writeFile(
      file,
      JSON.stringify({
        // of one era, which needs no second start to find out
        sources: {
          ending: { mcp: { command: process.execPath, args: ['-e', code, starts], era: 'legacy' } },
        },
      }),
    );
    const { exit, out } = await crib.run(['upstream', 'status', '--config', file]);
    expect(exit).toBe(69);
    expect(out).toMatch(/ended with exit code 1; it last wrote: Error: No key\./);
    expect(await readFile(starts, 'utf8')).toBe('s');
  });

  it('does not promise another start of one that ends before it lists', async () => {
    const file = crib.path('leaving.json');
    const fixture = crib.path('leaving.mjs');
    await writeFile(
      fixture,
      `process.stdin.on('data', (data) => {
        const { id, method } = JSON.parse(String(data).split('\\n')[0]);
        if (method !== 'initialize') process.exit(3);
        const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });`,
    );
    const mcp = { command: process.execPath, args: [fixture], era: 'legacy' };
    await writeFile(file, JSON.stringify({ sources: { leaving: { mcp } } }));
    const { exit, err } = await crib.run(['upstream', 'status', '--config', file]);
    expect(exit).toBe(69);
    expect(err).toMatch(/^leaving: It started, and ended before it had listed its tools\./m);
    expect(err).not.toMatch(/again/);
  });

  it.each([
    ['an unknown name', ['upstream', 'status', 'god'], /no upstream server "god".*good/],
    ['a sign-in to a process', ['upstream', 'login', 'good'], /process of this machine/],
    ['a sign-in without a place for tokens', ['upstream', 'login', 'far'], /no file for its tokens/],
    ['a timeout that is none', ['upstream', 'status', '--timeout', 'x'], /number of milliseconds/],
  ])('%s is an error', async (_what, argv, message) => {
    const { exit, err } = await crib.run(argv);
    expect(exit).not.toBe(0);
    expect(err).toMatch(message);
  });
});

it('doctor names a command that is not there, a variable that is not set, and keys of other clients', async () => {
  const { out } = await crib.run(['doctor', '--json'], { env: { PATH: '' } });
  const findings: Array<{ check: string; status: string; message: string }> = JSON.parse(out).findings;
  const of = (name: string) =>
    findings
      .filter(({ check }) => check === `upstream ${name}`)
      .map(({ status, message }) => `${status} ${message}`);
  expect(of('good')).toEqual([`ok its program is there: ${process.execPath}`]);
  expect(of('absent')).toEqual([
    'error the command no-such-program-of-ours is not found',
    'info timeout in mcpServers mean nothing here',
  ]);
  expect(of('far')).toEqual(['error X-Key reads the environment variable FAR_KEY, which is not set.']);
});

it('a variable that is not set costs its server, not the others', async () => {
  const file = crib.path('unset.json');
  const good = { mcp: { command: process.execPath, args: [FIXTURE, 'legacy'], patience: '30s' } };
  const far = {
    url: 'http://127.0.0.1:9/mcp',
    headers: { Authorization: 'Bearer ${FAR_KEY} of ${FAR_USER}' },
  };
  await writeFile(file, JSON.stringify({ sources: { good }, mcpServers: { far } }));
  const { exit, out, err } = await crib.run(['tools', '--config', file]);
  expect(exit).toBe(0);
  expect(out).toMatch(/^good_echo /m);
  expect(err).toMatch(/far could not be read: mcpServers\.far\.headers\.Authorization reads .* FAR_KEY,/);
  const { findings } = JSON.parse((await crib.run(['doctor', '--json', '--config', file])).out);
  expect(findings).toContainEqual({
    group: expect.any(String),
    check: 'source far',
    status: 'error',
    message: expect.stringContaining('FAR_KEY'),
    next: 'Set FAR_KEY and FAR_USER in the environment of this program and start again.',
  });
  expect(findings).toContainEqual({
    group: expect.any(String),
    check: 'upstream far',
    status: 'error',
    message: 'headers.Authorization reads the environment variable FAR_USER, which is not set.',
    next: 'Set FAR_USER before you start Toolcrib.',
  });
});

it('doctor says why a server ends at each start', async () => {
  const code = `throw new Error('API_TOKEN is required.')`;
  const file = crib.path('faulty.json');
  await writeFile(
    file,
    JSON.stringify({ mcpServers: { faulty: { command: process.execPath, args: ['-e', code] } } }),
  );
  const { out } = await crib.run(['doctor', '--json', '--config', file]);
  const findings: Array<{ check: string; message: string; next?: string }> = JSON.parse(out).findings;
  expect(findings.find(({ check }) => check === 'source faulty')).toMatchObject({
    message: expect.stringContaining('it last wrote: Error: API_TOKEN is required.'),
    next: expect.stringContaining('toolcrib upstream status faulty'),
  });
});
