import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';
import { type OpenMeteoDouble, startOpenMeteoDouble } from './open-meteo-double.ts';
import { exitOf, outputOf, runCommand, spawnCommand } from './spawned-command.ts';

const crib = temporaryHome();
let meteo: OpenMeteoDouble;
beforeAll(async () => {
  meteo = await startOpenMeteoDouble();
});
afterAll(() => meteo.close());

describe('toolcrib serve', () => {
  it('serves the quickstart over HTTP, prints what is needed, and drains on SIGTERM', async () => {
    const child = spawnCommand(['serve', '--port', '0', '--base-url', meteo.url, '--json'], {
      cwd: crib.home,
    });
    const output = outputOf(child);
    const ready = JSON.parse(await output.line());
    expect(ready.mcp).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(ready.client).toEqual({ mcpServers: { quickstart: { type: 'http', url: ready.mcp } } });
    expect(ready.try).toMatch(/call .*searchPlaces name=Lisbon$/);
    const tools = await (await fetch(new URL('/api/v1/tools', ready.url))).json();
    expect(JSON.stringify(tools)).toContain('searchPlaces');
    expect(JSON.stringify(tools)).toContain('gateway_listTools');
    const called = await fetch(new URL('/api/v1/tools/searchPlaces/call', ready.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: { name: 'Lisbon' } }),
    });
    expect(called.status).toBe(200);
    const event = JSON.parse(await output.line((line) => line.includes('call-completed')));
    expect(event).toMatchObject({ tool: 'searchPlaces', source: 'weather', status: 200 });
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  it.each([
    ['an API key', {}, /^ {2}Callers send `Authorization: Bearer` with an API key/],
    [
      'a sign-in at its provider',
      { jwt: { issuer: 'http://127.0.0.1:1', audience: 'crib' } },
      /^ {2}Callers sign in at http:\/\/127\.0\.0\.1:1, or send .* API key/,
    ],
  ])('says that callers of a team need %s', async (_what, auth, said) => {
    const paths = { '/': { get: { operationId: 'read', responses: { 200: { description: 'ok' } } } } };
    const document = { openapi: '3.1.0', info: { title: 'Team', version: '1' }, paths };
    await writeFile(crib.path('team.json'), JSON.stringify(document));
    const configuration = {
      auth: { mode: 'team', ...auth },
      store: 'sqlite:./greeted.db',
      sources: { api: { openapi: './team.json' } },
    };
    await writeFile(crib.path('team.yaml'), JSON.stringify(configuration));
    const child = spawnCommand(['serve', '--port', '0', '--config', 'team.yaml'], { cwd: crib.home });
    expect(await outputOf(child).line((line) => line.includes('Callers'))).toMatch(said);
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  it('waits for an open call once as long as `server.drain` says', async () => {
    const silent = createHttpServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const paths = { '/': { post: { operationId: 'wait', responses: { 200: { description: 'Never.' } } } } };
    const document = { openapi: '3.1.0', info: { title: 'Silent', version: '1' }, paths };
    await writeFile(crib.path('silent.json'), JSON.stringify(document));
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const sources = { silent: { openapi: './silent.json', baseUrl } };
    const server = { port: 0, drain: '2s' };
    await writeFile(crib.path('silent.yaml'), JSON.stringify({ server, sources }));
    const child = spawnCommand(['serve', '--config', 'silent.yaml', '--json'], { cwd: crib.home });
    const { mcp } = JSON.parse(await outputOf(child).line());
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcp)));
    const asked = once(silent, 'request');
    client.callTool({ name: 'silent_wait' }).catch(() => undefined);
    await asked;
    const began = performance.now();
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
    expect(performance.now() - began).toBeLessThan(3500);
    await client.close();
    silent.close();
    silent.closeAllConnections();
  });

  it('finishes open calls where the reader of its events has gone, and ends', async () => {
    const child = spawnCommand(['serve', '--port', '0', '--base-url', meteo.url, '--json'], {
      cwd: crib.home,
    });
    const { url } = JSON.parse(await outputOf(child).line());
    child.stdout.destroy();
    const called = await fetch(new URL('/api/v1/tools/searchPlaces/call', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: { name: 'Lisbon' } }),
    });
    expect(called.status).toBe(200);
    expect(await exitOf(child)).toBe(0);
  });

  it('says in words where it listens and what to try', async () => {
    const child = spawnCommand(['serve', '--port', '0'], { cwd: crib.home });
    const command = (await outputOf(child).line((line) => line.includes('searchPlaces'))).trim();
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(0);
    const words = command.slice(command.indexOf('call ')).split(' ');
    expect(await crib.run([...words, '--base-url', meteo.url])).toMatchObject({ exit: 0 });
  });

  it('speaks MCP on standard output alone with --stdio, and ends with its client', async () => {
    const child = spawnCommand(['serve', '--stdio', '--base-url', meteo.url], { cwd: crib.home });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    const first = await outputOf(child).line();
    expect(JSON.parse(first)).toMatchObject({ id: 1, result: { serverInfo: { name: 'quickstart' } } });
    child.stdin.end();
    expect(await exitOf(child)).toBe(0);
  });

  it('with --stdio serves no more than the client is to have', async () => {
    const serve = (...narrowed: string[]) =>
      spawnCommand(['serve', '--stdio', '--base-url', meteo.url, ...narrowed], { cwd: crib.home });
    const child = serve('--source', 'gateway', '--max-access', 'read');
    const ask = (id: number, method: string, params: object = {}) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`);
    };
    const output = outputOf(child);
    ask(1, 'tools/list');
    const { tools } = JSON.parse(await output.line()).result;
    expect(tools.length).toBeGreaterThan(3);
    for (const { name, annotations } of tools) {
      expect(name).toMatch(/^gateway_/);
      expect(annotations).toMatchObject({ readOnlyHint: true });
    }
    ask(2, 'tools/call', { name: 'searchPlaces', arguments: { name: 'Lisbon' } });
    const { isError, structuredContent } = JSON.parse(await output.line()).result;
    expect(isError).toBe(true);
    expect(structuredContent.error).toMatchObject({
      code: 'tool_forbidden',
      message: expect.stringMatching(/needs read on weather, has up to read, sources gateway$/),
    });
    child.stdin.end();
    expect(await exitOf(child)).toBe(0);
    const misspelt = serve('--source', 'wether');
    const problems: Buffer[] = [];
    misspelt.stderr.on('data', (chunk) => problems.push(chunk));
    expect(await exitOf(misspelt)).toBe(64);
    expect(String(Buffer.concat(problems))).toMatch(
      /error source_unknown: There is no source "wether"\. Did you mean "weather"\?/,
    );
  });

  it('with --stdio ends on SIGTERM while the client still listens', async () => {
    const child = spawnCommand(['serve', '--stdio', '--base-url', meteo.url], { cwd: crib.home });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    await outputOf(child).line();
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  it('with --stdio ends on SIGTERM while the client holds the pipes and reads nothing', async () => {
    const child = spawnCommand(['serve', '--stdio', '--base-url', meteo.url], { cwd: crib.home });
    const ping = { jsonrpc: '2.0', id: 'x'.repeat(10_000), method: 'ping' };
    child.stdin.on('error', () => undefined);
    const answered = once(child.stdout, 'readable');
    for (let count = 0; count < 50; count++) child.stdin.write(`${JSON.stringify(ping)}\n`);
    await answered;
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  it('with --stdio ends with an error when a large document turns out to be broken, whatever the client sent', async () => {
    const file = `${crib.home}/broken.json`;
    await writeFile(file, `{"openapi":"3.1.0","info":{},"paths":{"${'x'.repeat(600_000)}`);
    const child = spawnCommand(['serve', file, '--stdio'], { cwd: crib.home });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let problems = '';
    child.stderr.on('data', (chunk) => {
      problems += String(chunk);
    });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    send({ id: 1, method: 'initialize', params });
    send({ id: 2, method: 'tools/list' });
    expect(await exitOf(child)).not.toBe(0);
    expect(problems).toContain('error source_invalid');
  });

  it('says so when the port is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { exit, err } = await runCommand(['serve', '--port', String(port)], { cwd: crib.home });
    holder.close();
    expect(exit).toBe(69);
    expect(err).toMatch(/error port_in_use: .*\n.*next: Choose another port with --port/s);
  });

  it('does not greet where the store cannot be opened: every call would be refused', async () => {
    await writeFile(crib.path('file'), '');
    const described = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: {} };
    await writeFile(crib.path('api.json'), JSON.stringify(described));
    const text = 'store: sqlite:./file/a.db\nsources: { a: { openapi: ./api.json } }\n';
    await writeFile(crib.path('unusable.yaml'), text);
    const argv = ['serve', '--port', '0', '--config', 'unusable.yaml'];
    const { exit, out, err } = await runCommand(argv, { cwd: crib.home });
    expect(exit).toBe(69);
    expect(out).toBe('');
    expect(err).toMatch(/^error store_unavailable: .*cannot be opened.*\n {2}at: .*\n {2}next: .*\n$/);
  });

  it('needs a token beyond loopback', async () => {
    const { exit, err } = await crib.run(['serve', '--host', '0.0.0.0', '--port', '0']);
    expect(exit).toBe(78);
    expect(err).toMatch(/there is no token/);
  });

  it('asks for the token it was given, and does not print it', async () => {
    const child = spawnCommand(['serve', '--port', '0', '--token', 'env:CRIB', '--json'], {
      cwd: crib.home,
      env: { CRIB: 's3cret-token' },
    });
    const line = await outputOf(child).line();
    expect(line).not.toContain('s3cret-token');
    const { url } = JSON.parse(line);
    expect((await fetch(new URL('/api/v1/tools', url))).status).toBe(401);
    const headers = { authorization: 'Bearer s3cret-token' };
    expect((await fetch(new URL('/api/v1/tools', url), { headers })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  it('refuses a configuration without sources', async () => {
    await writeFile(crib.path('empty.yaml'), 'name: a\n');
    const { exit, err } = await crib.run(['serve', '--config', 'empty.yaml']);
    expect(exit).toBe(78);
    expect(err).toMatch(/names no source/);
  });
});
