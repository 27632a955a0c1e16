import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackService, startLoopbackService } from '../doubles/loopback-service.ts';
import { temporaryHome } from './command-run.ts';
import { exitOf, outputOf, spawnCommand } from './spawned-command.ts';

const crib = temporaryHome();
const GROUP = ['-s', '0aa1', '-g', 'rg-office'];
const OWN_TOOLS = ['list_connections', 'list_managed_apis', 'put_connection', 'refresh_tools'];

/** A resource group without connections. */
let arm: LoopbackService;
beforeAll(async () => {
  arm = await startLoopbackService('', () => ({ status: 200, body: { value: [] } }));
});
afterAll(() => arm.close());

/** The command with a token of the environment, against that group. */
const start = (...more: string[]) =>
  spawnCommand(['azure', ...GROUP, '-a', 'envvar', '--arm-endpoint', arm.url, ...more], {
    cwd: crib.home,
    env: { ARM_MCP_AUTH_TOKEN: 'secret-arm-token' },
  });

describe('toolcrib azure', () => {
  it.each([
    [['azure', '-g', 'rg'], /required option '-s, --subscription <id>' not specified/],
    [['azure', '-s', '0aa1'], /required option '-g, --resource-group <name>' not specified/],
    [['azure', ...GROUP, '-a', 'password'], /'-a, --authentication <mode>'.*interactive, azcli, env, envvar/],
    [['azure', ...GROUP, '--maxToolsPerApi', '0'], /--max-tools-per-api <number>'.*Use a number from 1/],
    [['azure', ...GROUP, '--connections', 'a,,b'], /Use names separated by commas/],
    [['azure', ...GROUP, '--port', '70000'], /Use a number from 0 to 65535/],
    [['azure', ...GROUP, '--token', 'plain'], /would stand in the process list/],
    [['azure', ...GROUP, '--host', '0.0.0.0'], /--host is for HTTP: add --port/],
    [['azure', ...GROUP, '--token', 'env:T'], /--token is for HTTP: add --port/],
    [['azure', ...GROUP, '--arm-endpoint', 'http://arm.example'], /--arm-endpoint: An https origin/],
    [['azure', ...GROUP, '--topology', 'spiral', '--port', '0'], /--topology: There is no topology "spiral"/],
    [['azure', '-s', '../b', '-g', 'rg', '--port', '0'], /--subscription: Is no id of a subscription/],
  ])('%j is refused with what is wrong', async (argv, message) => {
    const { exit, out, err } = await crib.run(argv);
    expect(exit).toBe(64);
    expect(out).toBe('');
    expect(err).toMatch(message);
    expect(err).toContain('toolcrib azure --help');
  });

  it('needs a token beyond loopback', async () => {
    const { exit, err } = await crib.run([
      'azure',
      ...GROUP,
      '-a',
      'envvar',
      '--host',
      '0.0.0.0',
      '--port',
      '0',
      '--arm-endpoint',
      'http://127.0.0.1:1',
    ]);
    expect(exit).toBe(78);
    expect(err).toMatch(/there is no token/);
  });

  it('explains every option', async () => {
    const { exit, out } = await crib.run(['help', 'azure']);
    expect(exit).toBe(0);
    for (const option of [
      '-s, --subscription <id>',
      '-g, --resource-group <name>',
      '-l, --location <region>',
      '-a, --authentication <mode>',
      '-t, --tenant <tenant>',
      '--arm-endpoint <url>',
      '--connections <names>',
      '--maxToolsPerApi, --max-tools-per-api <number>',
      '--include-deprecated',
      '--no-include-deprecated',
      '--topology <name>',
      '-p, --port <number>',
      '--host <address>',
    ])
      expect(out).toContain(option);
  });

  it('speaks MCP on standard output, and ends with its client', async () => {
    const child = start();
    const output = outputOf(child);
    const request = async (id: number, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return JSON.parse(await output.line((line) => JSON.parse(line).id === id)).result;
    };
    const { serverInfo } = await request(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    expect(serverInfo.name).toBe('mcp-connections');
    const { tools } = await request(2, 'tools/list', {});
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(OWN_TOOLS));
    child.stdin.end();
    expect(await exitOf(child)).toBe(0);
  });

  it('serves over HTTP with --port, and stops when it is told to', async () => {
    const child = start('--port', '0', '--json', '--topology', 'flat');
    const line = await outputOf(child).line();
    const { url, mcp, client, ...rest } = JSON.parse(line);
    expect(client).toEqual({ mcpServers: { 'mcp-connections': { type: 'http', url: mcp } } });
    expect(rest).not.toHaveProperty('try');
    const tools = await (await fetch(new URL('/api/v1/tools', url))).text();
    for (const name of OWN_TOOLS) expect(tools).toContain(name);
    expect(line + tools).not.toContain('secret-arm-token');
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });
});
