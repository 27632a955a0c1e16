import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as passing } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createHttpServer } from '../../../src/server/http/index.ts';
import { defineTool, type FunctionSource } from '../../../src/sources/function/define.ts';
import { functionGateway } from '../function-gateway.ts';
import { httpEndpoint, SERVER } from './http-endpoint.ts';

const source: FunctionSource = {
  tools: [
    defineTool({
      name: 'hello',
      description: 'Says hello',
      access: 'read',
      handler: () => ({ hello: 'world' }),
    }),
    defineTool({
      name: 'fail',
      description: 'Fails',
      handler: () => {
        throw new Error('out of paper');
      },
    }),
  ],
};

/** Sends bytes as they are; `fetch` would not let us choose the Host header. */
async function raw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(request.replaceAll('\n', '\r\n'));
  return readAll(socket);
}

describe('guards', () => {
  test('a foreign host is refused on every route but the health routes', async () => {
    await using endpoint = await httpEndpoint(source);
    const status = async (path: string) =>
      (await raw(endpoint.url, `GET ${path} HTTP/1.1\nHost: evil.example.com\nConnection: close\n\n`)).slice(
        9,
        12,
      );
    for (const path of ['/mcp', '/api/v1/tools', '/metrics', '/nowhere'])
      expect(await status(path)).toBe('403');
    expect(await status('/healthz')).toBe('200');
  });

  test('a foreign page is refused, with the error as JSON', async () => {
    await using endpoint = await httpEndpoint(source);
    const [status, body] = await endpoint.json('/api/v1/tools', {
      headers: { origin: 'https://evil.example.com' },
    });
    expect(status).toBe(403);
    expect(body).toEqual({
      error: {
        code: 'host_refused',
        message: expect.stringContaining('evil.example.com'),
        next: expect.stringContaining('server.allowedOrigins'),
      },
    });
  });

  test('a client of MCP is told so as JSON-RPC, with what to do', async () => {
    await using endpoint = await httpEndpoint(source, { token: 's3cret' });
    const [status, body] = await endpoint.post('/mcp', {});
    expect(status).toBe(401);
    const message = expect.stringMatching(/^unauthorized: .+ Send `Authorization: Bearer`/);
    expect(body).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
  });

  test('with a token, everything but health needs it', async () => {
    await using endpoint = await httpEndpoint(source, { token: 's3cret' });
    for (const path of ['/api/v1/tools', '/metrics', '/mcp']) {
      const response = await endpoint.request(path);
      expect([path, response.status]).toEqual([path, 401]);
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
    }
    for (const path of ['/healthz', '/readyz']) expect((await endpoint.request(path)).status).toBe(200);
    const headers = { authorization: 'Bearer s3cret' };
    for (const path of ['/api/v1/tools', '/metrics'])
      expect((await endpoint.request(path, { headers })).status).toBe(200);
  });

  test('answers carry security headers, and no CORS for pages that are not configured', async () => {
    await using endpoint = await httpEndpoint(source, { allowedOrigins: ['https://app.example.com'] });
    const { headers } = await endpoint.request('/api/v1/tools', {
      headers: { origin: 'http://localhost:3000' },
    });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const allowed = await endpoint.request('/api/v1/tools', {
      headers: { origin: 'https://app.example.com' },
    });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  });

  test('a preflight is answered for configured pages alone, without a token', async () => {
    await using endpoint = await httpEndpoint(source, {
      allowedOrigins: ['https://app.example.com'],
      token: 't',
    });
    const ask = (origin: string) =>
      endpoint.request('/mcp', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    expect((await ask('https://app.example.com')).status).toBe(204);
    expect((await ask('http://localhost:3000')).status).toBe(401);
  });
});

describe('listening', () => {
  test('a port in use is named', async () => {
    await using endpoint = await httpEndpoint(source);
    const port = Number(new URL(endpoint.url).port);
    const other = createHttpServer(functionGateway(source), SERVER);
    await expect(other.listen({ port })).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(`${port}`),
    });
    await other.close();
  });

  test('an address that others reach needs a token', async () => {
    const server = createHttpServer(functionGateway(source), SERVER);
    await expect(server.listen({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'configuration_invalid' });
    await server.close();
  });
});

describe('closing', () => {
  const waiting = () => {
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<string>();
    const tool = defineTool({
      name: 'wait',
      description: 'Waits',
      handler: () => {
        started.resolve();
        return release.promise;
      },
    });
    return { started: started.promise, release: release.resolve, source: { tools: [tool] } };
  };

  test('open calls finish, new connections are refused', async () => {
    const { started, release, source } = waiting();
    const endpoint = await httpEndpoint(source);
    const call = endpoint.post('/api/v1/tools/wait/call', {});
    await started;
    const closed = endpoint.server.close();
    await expect(endpoint.request('/healthz')).rejects.toThrow();
    release('done');
    expect(await call).toMatchObject([200, { content: [{ text: 'done' }] }]);
    await closed;
  });

  test('after the drain time a call that is open is stopped, and its caller is told', async () => {
    const { started, source } = waiting();
    const endpoint = await httpEndpoint(source, { drainMs: 20 });
    const call = endpoint.post('/api/v1/tools/wait/call', {});
    await started;
    await endpoint.server.close();
    expect(await call).toMatchObject([499, { error: { code: 'cancelled' } }]);
  });

  test('streams end, so that nobody is waited for in vain', async () => {
    const endpoint = await httpEndpoint(source, { drainMs: 60_000 });
    const stream = await endpoint.request('/api/v1/events', { headers: { accept: 'text/event-stream' } });
    const reading = stream.text();
    await endpoint.server.close();
    expect(await reading).toContain(': open');
  });

  test('one address can close and another open', async () => {
    const server = createHttpServer(functionGateway(source), { ...SERVER, drainMs: 60_000 });
    const first = await server.listen();
    const stream = await fetch(`${first.url}/api/v1/events`, { headers: { accept: 'text/event-stream' } });
    const cut = expect(stream.text()).rejects.toThrow();
    await first.close();
    await cut;
    const second = await server.listen();
    expect((await fetch(`${second.url}/api/v1/tools`)).status).toBe(200);
    await server.close();
  });

  test('a call that an open connection brings meanwhile finishes, and is the last of its connection', async () => {
    const slow = defineTool({ name: 'slow', description: 'Takes long', handler: () => passing(600, 'done') });
    const server = createHttpServer(functionGateway({ tools: [slow] }), { ...SERVER, drainMs: 60_000 });
    const listening = await server.listen();
    const { hostname, port, host } = new URL(listening.url);
    const socket = connect(Number(port), hostname);
    const answer = readAll(socket);
    const head = [
      'POST /api/v1/tools/slow/call HTTP/1.1',
      `Host: ${host}`,
      'Content-Type: application/json',
      'Content-Length: 2',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    // another one that was begun later has been answered: the first is known
    await fetch(`${listening.url}/healthz`, { headers: { connection: 'close' } });
    const closed = listening.close();
    socket.write('}');
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1.1 200 .*"done"/s);
    expect(text.toLowerCase()).toContain('connection: close');
    await closed;
    await server.close();
  });

  test('closing twice is closing once', async () => {
    const endpoint = await httpEndpoint(source);
    await Promise.all([endpoint.server.close(), endpoint.server.close()]);
  });
});

describe('requests of the gateway to itself', () => {
  const owner = (depth: number) =>
    ({ principal: { id: 'local', kind: 'local', maxAccess: 'read', roles: [] }, depth }) as const;
  const request = (path: string, init?: RequestInit) => new Request(`http://self.invalid${path}`, init);

  test('need neither host nor token', async () => {
    const server = createHttpServer(functionGateway(source), { ...SERVER, token: 's3cret' });
    expect((await server.fetchAs(request('/api/v1/tools'), owner(1))).status).toBe(200);
    await server.close();
  });

  test('never reach what only a person may do', async () => {
    const server = createHttpServer(functionGateway(source), SERVER);
    for (const path of ['/api/v1/catalog/accept', '/api/v1/tools/hello/call']) {
      const answer = await server.fetchAs(request(path, { method: 'POST' }), owner(1));
      expect(answer.status).toBe(403);
    }
    await server.close();
  });
});

test('metrics count calls by tool and outcome', async () => {
  await using endpoint = await httpEndpoint(source);
  await endpoint.post('/api/v1/tools/hello/call', {});
  await endpoint.post('/api/v1/tools/hello/call', {});
  await endpoint.post('/api/v1/tools/fail/call', {});
  const text = await (await endpoint.request('/metrics')).text();
  expect(text).toContain('toolcrib_calls_total{tool="hello",outcome="ok"} 2\n');
  expect(text).toContain('toolcrib_calls_total{tool="fail",outcome="upstream_failed"} 1\n');
  expect(text).toContain('toolcrib_catalog_tools{source="functions"} 2\n');
  expect(text).toMatch(/^# TYPE toolcrib_calls_total counter$/m);
});

test('metrics count a source that was never read among those whose last read failed', async () => {
  await using endpoint = await httpEndpoint(source);
  const { gateway } = endpoint;
  const view = gateway.view();
  const failed = {
    code: 'source-failed',
    severity: 'error',
    message: 'There is no such file.',
    source: 'shop',
  } as const;
  gateway.view = () => ({ ...view, catalog: { ...view.catalog, diagnostics: [failed] } });
  const text = await (await endpoint.request('/metrics')).text();
  expect(text).toContain('toolcrib_source_stale{source="functions"} 0\n');
  expect(text).toContain('toolcrib_source_stale{source="shop"} 1\n');
});

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});

test.each(['/mcp', '/mcp/', '/mcp/?topology=base'])('MCP is served beside the API at %s', async (path) => {
  await using endpoint = await httpEndpoint(source);
  const response = await endpoint.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: INITIALIZE,
  });
  expect(response.headers.get('mcp-session-id')).not.toBeNull();
  expect(await response.text()).toContain('"protocolVersion":"2025-11-25"');
});

test('a client of HTTP/1.0 gets a stream without chunks, which ends with its connection', async () => {
  await using endpoint = await httpEndpoint(source);
  const { hostname, port } = new URL(endpoint.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      'POST /mcp HTTP/1.0',
      `Host: ${hostname}:${port}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${INITIALIZE.length}`,
      '',
      INITIALIZE,
    ].join('\r\n'),
  );
  const [head, body] = (await readAll(socket)).split('\r\n\r\n', 2);
  expect(head).toMatch(/^content-type: text\/event-stream$/im);
  expect(head).not.toMatch(/^transfer-encoding:/im);
  expect(head).not.toMatch(/^connection: keep-alive/im);
  expect(body).toMatch(/^id: .+\n/);
});

test('a compressed body is refused as such', async () => {
  await using endpoint = await httpEndpoint(source);
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const path = '/api/v1/tools/hello/call';
  expect(await endpoint.json(path, { method: 'POST', headers, body: gzipSync('{}') })).toMatchObject([
    400,
    { error: { code: 'request_invalid', message: expect.stringContaining('gzip') } },
  ]);
});
