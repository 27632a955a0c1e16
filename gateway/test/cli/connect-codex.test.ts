import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
const file = () => crib.path('.codex', 'config.toml');
const connect = (...words: string[]) => crib.run(['connect', 'codex', '--yes', ...words]);
const disconnect = (...words: string[]) => crib.run(['disconnect', 'codex', '--yes', ...words]);

async function given(text: string): Promise<string> {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), text);
  return text;
}
const text = () => readFile(file(), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: what the file says
const servers = async () => (parse(await text()) as any).mcp_servers;

describe('toolcrib connect codex', () => {
  it('creates the file and removes it again', async () => {
    const { exit, out } = await connect();
    expect(exit).toBe(0);
    expect(out).toContain('/mcp shows the server');
    expect((await servers()).toolcrib).toEqual({
      command: process.execPath,
      args: [expect.any(String), 'serve', '--stdio', '--config', expect.any(String)],
    });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await connect()).out).toMatch(/Codex is already connected/);
    expect((await crib.run(['doctor'])).out).toContain('client codex: connected as toolcrib');
    expect(await disconnect()).toMatchObject({ exit: 0 });
    await expect(stat(file())).rejects.toThrow(/ENOENT/);
  });

  it.each([
    [
      'with comments and line ends of Windows',
      '\uFEFF# mine\r\nmodel = "m" # so\r\n\r\n[mcp_servers.other]\r\ncommand = "x"',
    ],
    ['with dotted keys', 'mcp_servers.other.command = "x"\n'],
    ['with a table for all', '[mcp_servers]\nother = { command = "x" }\n\n[tui]\ntheme = "a"\n'],
    ['that is empty', '\n'],
  ])('keeps a file %s byte for byte, and brings it back', async (_what, before) => {
    await given(before);
    expect(await connect()).toMatchObject({ exit: 0 });
    const during = await text();
    expect(during.startsWith(before.trimEnd())).toBe(true);
    if (before.includes('\r\n')) expect(during).not.toMatch(/(?<!\r)\n/);
    expect(Object.keys(await servers())).toEqual(
      before.includes('other') ? ['other', 'toolcrib'] : ['toolcrib'],
    );
    await disconnect();
    expect(await text()).toBe(before);
    expect(await readdir(dirname(file()))).toEqual(['config.toml']);
  });

  it('takes out its own table alone when somebody wrote since', async () => {
    await given('# mine\n[mcp_servers.other]\ncommand = "x"\n');
    await connect();
    await given(
      `${await text()}\n[mcp_servers.toolcrib.tools."a.b"]\napproval_mode = "approve"\n\n# theirs\n[[history]]\nnote = """\n[mcp_servers.toolcrib]\n"""\n`,
    );
    await connect('--allow-private', '10.0.0.1');
    const { toolcrib } = await servers();
    expect(toolcrib.args).toContain('10.0.0.1');
    // what Codex keeps there of its person's answers
    expect(toolcrib.tools).toEqual({ 'a.b': { approval_mode: 'approve' } });
    expect(await text()).toContain('\n\n# theirs\n[[history]]\n');
    const { out } = await disconnect('--json');
    expect(JSON.parse(out)).toMatchObject({ changed: true, restored: false });
    expect(await text()).toBe(
      '# mine\n[mcp_servers.other]\ncommand = "x"\n\n# theirs\n[[history]]\nnote = """\n[mcp_servers.toolcrib]\n"""\n',
    );
  });

  it('leaves nothing behind where its table is the last', async () => {
    await given('model = "m"\n');
    await connect();
    await given((await text()).replace('"m"', '"n"'));
    await disconnect();
    expect(await text()).toBe('model = "n"\n');
  });

  it('prints a table that reads back as the same entry, whatever stands in it', async () => {
    const configuration = crib.path('a "b"\\c\u007f', "it's.yaml");
    await mkdir(dirname(configuration), { recursive: true });
    await writeFile(
      configuration,
      'sources: { a: { openapi: a.json, credentials: { bearer: { env: A_TOKEN } } } }',
    );
    const words = ['connect', 'codex', '--print', '--config', configuration, '--header', 'X-A: ünï\tb'];
    const { out, err } = await crib.run(words);
    const { entry } = JSON.parse((await crib.run([...words, '--json'])).out);
    expect(entry.args).toEqual(expect.arrayContaining([configuration, 'X-A: ünï\tb']));
    const [head, ...table] = out.split('\n');
    expect(head).toMatch(/config\.toml:$/);
    expect(parse(table.join('\n'))).toEqual({ mcp_servers: { toolcrib: entry } });
    // Codex passes on what it is told to, so nobody has to see to it
    expect(entry.env_vars).toEqual(['A_TOKEN']);
    expect(err).toBe('');
  });

  it('names the variable of the key of a team gateway', async () => {
    const words = ['connect', 'codex', '--print', '--json', '--remote', 'https://team.example'];
    const { entry } = JSON.parse((await crib.run(words)).out);
    expect(entry).toMatchObject({ env_vars: ['TOOLCRIB_API_KEY'] });
    const kept = JSON.parse((await crib.run([...words, '--key', 'file:/k'])).out);
    expect(kept.entry).not.toHaveProperty('env_vars');
  });

  it('refuses what it cannot write into, with the table to write by hand', async () => {
    const before = await given('mcp_servers = { other = { command = "x" } }\n');
    const { exit, err } = await connect();
    expect(exit).toBe(73);
    expect(err).toContain('Write it there by hand:\n[mcp_servers.toolcrib]\ncommand = ');
    expect(await text()).toBe(before);
    const own = await given('[mcp_servers]\ntoolcrib = { command = "toolcrib", args = ["serve"] }\n');
    expect((await disconnect()).err).toContain('Take it out by hand');
    expect(await text()).toBe(own);
  });

  it('leaves an entry of another program alone, and a file that is broken', async () => {
    for (const [before, expected] of [
      ['[mcp_servers.toolcrib]\ncommand = "else"\n', /entry "toolcrib"/],
      ['[mcp_servers.toolcrib\nkey = "sk-1"\n', /config\.toml:1:\d+/],
    ] as const) {
      await given(before);
      for (const run of [connect, disconnect]) {
        const { exit, err } = await run();
        expect(exit).toBe(73);
        expect(err).toMatch(expected);
        expect(err).not.toContain('sk-1');
      }
      expect(await text()).toBe(before);
    }
  });

  it('takes only names that Codex takes', async () => {
    await given('');
    expect(await connect('--name', 'my crib')).toMatchObject({ exit: 64 });
    expect(await connect('--name', 'my-crib_2')).toMatchObject({ exit: 0 });
  });
});
