import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { createUpstreamSignIns } from '../../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../../src/upstreams/transports/open-transport.ts';
import type { OpenedTransport, RemoteTransport } from '../../../src/upstreams/transports/transport.ts';
import { isUnsent } from '../../../src/upstreams/transports/unsent.ts';
import { type McpHttpOptions, startMcpServer } from '../../doubles/mcp-http-server.ts';
import { REFUSED_PORT } from '../../refused-port.ts';
import { remote } from '../remote.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

async function serve(options: McpHttpOptions) {
  const server = await startMcpServer(options);
  open.push(server);
  return server;
}

async function opened(url: string, changes: Partial<RemoteTransport> = {}): Promise<OpenedTransport> {
  const egress = createEgress({ allow: [new URL(url).origin] });
  open.push(egress);
  const secrets = createSecretReader({ KEY: 'the-key', BROKEN: 'a\r\nx-smuggled: 1' }, () => {});
  const signIns = createUpstreamSignIns({ egress, secrets, announce: () => {} });
  const openTransport = createOpenTransport({ egress, secrets, signIns });
  return openTransport(remote(url, changes), '', AbortSignal.timeout(5_000));
}

async function connected(transport: OpenedTransport, mode: 'legacy' | 'auto' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport.transport, { timeout: 5_000 });
  open.push(client);
  return client;
}

const echo = { content: [{ type: 'text', text: 'echo' }] };

describe('a remote server', () => {
  it.each([
    ['session', 'http', 'auto'],
    ['session', 'http', 'legacy'],
    ['stateless', 'http', 'auto'],
    ['sse', 'http', 'auto'],
    ['sse', 'http', 'legacy'],
    ['sse', 'sse', 'legacy'],
  ] as const)('of kind %s is reached as %s, %s', async (era, kind, mode) => {
    const server = await serve({ era });
    const client = await connected(await opened(server.url, { kind }), mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'cut']);
    expect(await client.callTool({ name: 'echo', arguments: {} })).toMatchObject(echo);
  });

  it('hears where its session ends', async () => {
    const server = await serve({ era: 'session' });
    const client = await connected(await opened(server.url));
    await client.close();
    expect(server.requests.at(-1)?.method).toBe('DELETE');
  });

  it('gets the headers of the configuration with every request', async () => {
    const server = await serve({ era: 'session' });
    const headers = { 'X-Api-Key': { env: 'KEY' }, 'X-Plain': 'words' };
    const client = await connected(await opened(server.url, { headers }));
    await client.callTool({ name: 'echo', arguments: {} });
    expect(server.requests.length).toBeGreaterThan(2);
    for (const request of server.requests) {
      expect(request.headers).toMatchObject({ 'x-api-key': 'the-key', 'x-plain': 'words' });
    }
  });

  it.each([
    ['a header of the connection', { Host: 'other.example' }],
    ['a header of MCP', { 'Mcp-Session-Id': 'mine' }],
    ['a cookie', { Cookie: 'session=mine' }],
    ['a name that is none', { 'a b': 'c' }],
    ['a line break in a value', { 'X-Key': { env: 'BROKEN' } }],
  ])('cannot be given %s', async (_, headers) => {
    await expect(opened('http://127.0.0.1:1/mcp', { headers })).rejects.toMatchObject({
      code: 'configuration_invalid',
    });
  });

  it('that nobody runs got nothing', async () => {
    const nowhere = await opened(`http://127.0.0.1:${REFUSED_PORT}/mcp`);
    const error = await connected(nowhere, 'legacy').catch((reason: unknown) => reason);
    expect(isUnsent(error)).toBe(true);
  });

  it('at a forbidden address is not reached', async () => {
    const egress = createEgress();
    open.push(egress);
    const secrets = createSecretReader({}, () => {});
    const signIns = createUpstreamSignIns({ egress, secrets, announce: () => {} });
    const definition = remote('http://169.254.169.254/mcp');
    const transport = await createOpenTransport({ egress, secrets, signIns })(
      definition,
      '',
      AbortSignal.timeout(5_000),
    );
    await expect(connected(transport, 'legacy')).rejects.toMatchObject({ code: 'egress_blocked' });
  });
});

describe('a session', () => {
  it('that the server forgot fails the request with 404 and ends the transport', async () => {
    const server = await serve({ era: 'session' });
    const transport = await opened(server.url);
    const client = await connected(transport, 'legacy');
    server.forgetSessions();
    await expect(client.callTool({ name: 'echo', arguments: {} })).rejects.toMatchObject({
      data: { status: 404 },
    });
    await expect.poll(() => transport.fault?.()).toMatchObject({ kind: 'session_lost' });
    expect(server.executed).toEqual([]);
  });

  it('goes on after a broken stream with its last event, and repeats nothing', async () => {
    const server = await serve({ era: 'session' });
    const client = await connected(await opened(server.url), 'legacy');
    const answer = await client.callTool({ name: 'cut', arguments: {} }, { timeout: 8_000 });
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'after the cut' }] });
    expect(server.executed).toEqual(['cut']);
    expect(server.requests.some(({ headers }) => headers['last-event-id'] !== undefined)).toBe(true);
  });

  it('of the stateless kind ends a request whose stream broke', async () => {
    const server = await serve({ era: 'stateless' });
    const { transport } = await opened(server.url);
    await transport.start();
    const id = 1;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      progressToken: 1,
    };
    const ended = Promise.withResolvers<void>();
    const params = { name: 'cut', arguments: {}, _meta };
    const sent = transport.send(
      { jsonrpc: '2.0', id, method: 'tools/call', params },
      { onRequestStreamEnd: () => ended.resolve() },
    );
    await Promise.race([ended.promise, expect(sent).rejects.toThrow()]);
    expect(server.executed).toEqual(['cut']);
    await transport.close();
  });

  it('of the older transport ends with its event stream', async () => {
    const server = await serve({ era: 'sse' });
    const transport = await opened(server.url, { kind: 'sse' });
    const client = await connected(transport, 'legacy');
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    server.cut();
    await closed;
    expect(transport.fault?.()).toMatchObject({ kind: 'exit' });
  });
});

describe('a redirect', () => {
  it.each([307, 308])('with %i to another origin takes nothing there', async (status) => {
    const other = await serve({ era: 'session' });
    const headers = { location: other.url };
    const server = await serve({ era: 'session', guard: () => ({ status, headers }) });
    const transport = await opened(server.url, { headers: { Authorization: { env: 'KEY' } } });
    await expect(connected(transport, 'legacy')).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(other.requests).toEqual([]);
  });

  it('within the origin keeps the POST', async () => {
    const headers = { location: '/mcp' };
    const server = await serve({ era: 'session', routes: { '/old': () => ({ status: 308, headers }) } });
    const client = await connected(await opened(`${server.origin}/old`), 'legacy');
    expect(await client.callTool({ name: 'echo', arguments: {} })).toMatchObject(echo);
  });
});

describe('a refusal', () => {
  it.each<[string, RemoteTransport['headers'], Partial<RemoteTransport>]>([
    ['authorization_required', {}, { oauth: 'none' }],
    ['credentials_refused', { Authorization: { env: 'KEY' } }, { oauth: 'none' }],
    ['credentials_refused', { authorization: { env: 'KEY' } }, {}],
    ['credentials_refused', { AUTHORIZATION: { env: 'KEY' } }, {}],
  ])('with 401 is %s where the headers are %j and the rest is %j', async (code, headers, rest) => {
    const server = await serve({ era: 'session', guard: () => ({ status: 401 }) });
    const transport = await opened(server.url, { headers, ...rest });
    await expect(connected(transport, 'legacy')).rejects.toMatchObject({ code });
  });
});
