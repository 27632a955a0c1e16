import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress, type Egress, type OutgoingRequest } from '../../src/egress/index.ts';
import type { ProxySettings } from '../../src/operations/index.ts';
import { REFUSED_PORT } from '../refused-port.ts';
import { SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts';
import { type ConnectProxyOptions, startConnectProxy } from './connect-proxy.ts';
import { type RecordingServer, respond, type Script, startServer } from './recording-server.ts';

const LIMITS = { timeoutMs: 5000, maxBytes: 100_000, maxRedirects: 3 };
const PUBLIC = { address: '93.184.215.14', family: 4 };
const PUBLIC_6 = { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 };
const OK = respond(200, '{"ok":true}');

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

function kept<T extends { close(): unknown }>(resource: T): T {
  open.push(resource);
  return resource;
}

const serve = async (routes: Record<string, Script> = { '/': OK }): Promise<RecordingServer> =>
  kept(await startServer(routes));
const proxyTo = async (leadsTo: string, options: Partial<ConnectProxyOptions> = {}) =>
  kept(await startConnectProxy({ leadsTo, ...options }));

interface DoorOptions extends Partial<ProxySettings> {
  readonly url: string;
  readonly allow?: readonly string[];
  readonly addresses?: Record<string, readonly (typeof PUBLIC)[]>;
}

function door({ allow = [], addresses = {}, ...proxy }: DoorOptions): Egress {
  return kept(
    createEgress({
      allow,
      proxy,
      resolve: async (host) => {
        const found = addresses[host];
        if (found === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
        return found;
      },
    }),
  );
}

function call(egress: Egress, url: string, request: Partial<OutgoingRequest> = {}) {
  return egress.request(
    { method: 'GET', url, headers: [], ...request },
    LIMITS,
    new AbortController().signal,
  );
}

const text = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

async function secureServer(): Promise<string> {
  const server = createSecureServer({ cert: SERVER_CERTIFICATE, key: SERVER_KEY }, (request, response) => {
    response.end(`${request.method} ${request.headers.host}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

describe('a request through the proxy', () => {
  it('asks for a tunnel to the address that was checked, and sends the request through it', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority);
    const egress = door({ url: proxy.origin, addresses: { 'api.example': [PUBLIC] } });
    expect(text(await call(egress, 'http://api.example/'))).toBe('{"ok":true}');
    expect(proxy.asked).toEqual([{ target: '93.184.215.14:80', authorization: undefined }]);
    expect(server.requests[0]?.headers).toMatchObject({ host: 'api.example' });
    expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(proxy.others).toEqual([]);
  });

  it('uses a tunnel again for the next request to the same origin', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority);
    const egress = door({ url: proxy.origin, addresses: { 'api.example': [PUBLIC] } });
    for (let turn = 0; turn < 5; turn++) await call(egress, 'http://api.example/');
    expect(proxy.asked).toHaveLength(1);
    expect(server.requests).toHaveLength(5);
  });

  it('opens as many tunnels as requests go at once', async () => {
    const server = await serve({ '/': (socket) => setTimeout(() => socket.write(OK), 50) });
    const proxy = await proxyTo(server.authority);
    const egress = door({ url: proxy.origin, addresses: { 'api.example': [PUBLIC] } });
    await Promise.all(Array.from({ length: 8 }, () => call(egress, 'http://api.example/')));
    expect(proxy.asked).toHaveLength(8);
  });

  it('shows the proxy the user and password of its URL, and nobody else', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority);
    const url = proxy.origin.replace('://', '://us%40er:p%3Ass@');
    const egress = door({ url, addresses: { 'api.example': [PUBLIC] } });
    await call(egress, 'http://api.example/');
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from('us@er:p:ss').toString('base64')}`);
    expect(JSON.stringify(server.requests)).not.toContain('proxy');
  });

  it('shows it a password without a user', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority);
    const url = proxy.origin.replace('://', '://:open-sesame@');
    await call(door({ url, addresses: { 'api.example': [PUBLIC] } }), 'http://api.example/');
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from(':open-sesame').toString('base64')}`);
  });

  it('takes a password as it stands where it is no percent-encoded text', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority);
    const url = proxy.origin.replace('://', '://user:100%25%zz@');
    const egress = door({ url, addresses: { 'api.example': [PUBLIC] } });
    await call(egress, 'http://api.example/');
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from('user:100%25%zz').toString('base64')}`);
  });

  it('streams an answer', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority);
    const egress = door({ url: proxy.origin, addresses: { 'api.example': [PUBLIC] } });
    const answer = await egress.fetch('http://api.example/');
    expect(await answer.json()).toEqual({ ok: true });
    expect(proxy.asked).toHaveLength(1);
  });

  it('lets the name of a TLS certificate be the name of the service, not of the proxy', async () => {
    const proxy = await proxyTo(await secureServer());
    const egress = door({ url: proxy.origin, addresses: { 'api.example.com': [PUBLIC] } });
    // the tests' authority is trusted by nobody here: the handshake got as far as the certificate
    await expect(call(egress, 'https://api.example.com/')).rejects.toMatchObject({
      kind: 'tls_cert',
      sent: 'none',
      message: expect.stringContaining('api.example.com'),
    });
    expect(proxy.asked[0]?.target).toBe('93.184.215.14:443');
  });

  it('tries IPv6 where the proxy cannot reach IPv4', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority, {
      refuse: (target) => (target.startsWith('[') ? undefined : 502),
    });
    const egress = door({ url: proxy.origin, addresses: { 'api.example': [PUBLIC_6, PUBLIC] } });
    await call(egress, 'http://api.example/');
    expect(proxy.asked.map(({ target }) => target)).toEqual(['93.184.215.14:80', `[${PUBLIC_6.address}]:80`]);
  });

  it('follows a redirect to another host through a tunnel of its own', async () => {
    const server = await serve({
      '/': 'HTTP/1.1 302 Found\r\nlocation: http://other.example/there\r\ncontent-length: 0\r\n\r\n',
      '/there': OK,
    });
    const proxy = await proxyTo(server.authority);
    const addresses = { 'api.example': [PUBLIC], 'other.example': [{ address: '1.1.1.1', family: 4 }] };
    const egress = door({ url: proxy.origin, addresses });
    expect(text(await call(egress, 'http://api.example/'))).toBe('{"ok":true}');
    expect(proxy.asked.map(({ target }) => target)).toEqual(['93.184.215.14:80', '1.1.1.1:80']);
  });
});

describe('the guard before the proxy', () => {
  it.each([
    ['a name that leads to a private address', 'http://inside.example/'],
    ['a name that leads to a metadata service', 'http://cloud.example/'],
    ['a private address', 'http://10.0.0.8/'],
    ['loopback', 'http://127.0.0.1:9/'],
    ['a metadata name', 'http://metadata.google.internal/'],
  ])('refuses %s', async (_what, url) => {
    const proxy = await proxyTo('127.0.0.1:9');
    const addresses = {
      'inside.example': [{ address: '10.0.0.8', family: 4 }],
      'cloud.example': [{ address: '169.254.169.254', family: 4 }],
    };
    const egress = door({ url: proxy.origin, addresses });
    await expect(call(egress, url)).rejects.toMatchObject({ kind: 'egress_blocked', sent: 'none' });
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    'http://10.0.0.8/',
    'http://127.0.0.1:9/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'http://localhost/',
  ])('refuses %s where the proxy resolves names', async (url) => {
    const proxy = await proxyTo('127.0.0.1:9');
    const egress = door({ url: proxy.origin, resolve: 'proxy' });
    await expect(call(egress, url)).rejects.toMatchObject({ kind: 'egress_blocked', sent: 'none' });
    expect(proxy.asked).toEqual([]);
  });

  it('tells the proxy the name where that resolves it', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority);
    const egress = door({ url: proxy.origin, resolve: 'proxy' });
    await call(egress, 'http://api.example:8080/');
    expect(proxy.asked.map(({ target }) => target)).toEqual(['api.example:8080']);
  });

  it('refuses a name that leads to a private address from here, where the proxy resolves names too', async () => {
    const proxy = await proxyTo('127.0.0.1:9');
    const addresses = { 'inside.example': [{ address: '10.0.0.8', family: 4 }] };
    const egress = door({ url: proxy.origin, resolve: 'proxy', addresses });
    await expect(call(egress, 'http://inside.example/')).rejects.toMatchObject({ kind: 'egress_blocked' });
    expect(proxy.asked).toEqual([]);
  });

  it('says that a name cannot be resolved here', async () => {
    const proxy = await proxyTo('127.0.0.1:9');
    const egress = door({ url: proxy.origin });
    await expect(call(egress, 'http://api.example/')).rejects.toMatchObject({ kind: 'dns', sent: 'none' });
  });
});

describe('what the proxy is not for', () => {
  it('private addresses that the operator allowed', async () => {
    const server = await serve();
    const proxy = await proxyTo('127.0.0.1:9');
    const named = `http://inside.example:${server.authority.split(':')[1]}`;
    const egress = door({
      url: proxy.origin,
      allow: [server.origin, named],
      addresses: { 'inside.example': [{ address: '127.0.0.1', family: 4 }] },
    });
    await call(egress, `${server.origin}/`);
    await call(egress, `${named}/`);
    expect(server.requests).toHaveLength(2);
    expect(proxy.asked).toEqual([]);
  });

  it.each([['inside.example'], ['.example'], ['.INSIDE.example']])('%s in bypass', async (entry) => {
    const proxy = await proxyTo('127.0.0.1:9');
    // nobody here knows the name: without the entry the proxy would be asked for it
    const egress = door({ url: proxy.origin, resolve: 'proxy', bypass: [entry] });
    await expect(call(egress, 'http://inside.example/')).rejects.toMatchObject({ kind: 'dns', sent: 'none' });
    expect(proxy.asked).toEqual([]);
  });

  it('a suffix is a domain, not the end of a name', async () => {
    const server = await serve();
    const proxy = await proxyTo(server.authority);
    const egress = door({ url: proxy.origin, resolve: 'proxy', bypass: ['.example'] });
    await call(egress, 'http://not-an-example.test/');
    await call(egress, 'http://badexample/');
    await call(egress, 'http://inside.example.test/');
    expect(proxy.asked).toHaveLength(3);
  });
});

describe('a proxy that opens no way', () => {
  const failing = async (options: Partial<ConnectProxyOptions>, change = (origin: string) => origin) => {
    const proxy = await proxyTo('127.0.0.1:9', options);
    const egress = door({ url: change(proxy.origin), addresses: { 'api.example': [PUBLIC] } });
    return call(egress, 'http://api.example/', { method: 'POST', body: 'once' });
  };

  it.each([
    [407, 'proxy_refused', 'asks for a user and a password (407)'],
    [403, 'proxy_refused', 'does not lead to api.example (403)'],
    [302, 'proxy_refused', 'does not lead to api.example (302)'],
    [500, 'connect_refused', 'cannot reach api.example (500)'],
    [502, 'connect_refused', 'cannot reach api.example (502)'],
  ])('%i', async (status, kind, message) => {
    await expect(failing({ refuse: () => status })).rejects.toMatchObject({
      kind,
      sent: 'none',
      message: expect.stringContaining(message),
    });
  });

  it('is asked once where it leads nowhere, whatever other addresses there are', async () => {
    const proxy = await proxyTo('127.0.0.1:9', { refuse: () => 407 });
    const egress = door({ url: proxy.origin, addresses: { 'api.example': [PUBLIC, PUBLIC_6] } });
    await expect(call(egress, 'http://api.example/')).rejects.toMatchObject({ kind: 'proxy_refused' });
    expect(proxy.asked).toHaveLength(1);
  });

  it('407 to a password: neither it nor the URL stands in the error', async () => {
    const failed = failing({ refuse: () => 407 }, (origin) => origin.replace('://', '://user:open-sesame@'));
    const error: Error = await failed.then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(error.message).toContain('does not accept the user and password');
    expect(JSON.stringify([error, error.cause, error.message])).not.toContain('sesame');
  });

  it('is not there', async () => {
    const egress = door({ url: `http://127.0.0.1:${REFUSED_PORT}`, addresses: { 'api.example': [PUBLIC] } });
    await expect(call(egress, 'http://api.example/')).rejects.toMatchObject({
      kind: 'proxy_unreachable',
      sent: 'none',
      message: expect.stringContaining(`The proxy 127.0.0.1:${REFUSED_PORT} refuses the connection`),
    });
  });

  it('closes without an answer', async () => {
    const closing = net.createServer((socket) => socket.on('data', () => socket.destroy()));
    closing.listen(0, '127.0.0.1');
    await once(closing, 'listening');
    kept(closing);
    const { port } = closing.address() as net.AddressInfo;
    const egress = door({ url: `http://127.0.0.1:${port}`, addresses: { 'api.example': [PUBLIC] } });
    await expect(call(egress, 'http://api.example/')).rejects.toMatchObject({
      kind: 'proxy_unreachable',
      sent: 'none',
    });
  });

  it('never answers: the deadline of the call holds', async () => {
    const proxy = await proxyTo('127.0.0.1:9', { silent: true });
    const egress = door({ url: proxy.origin, addresses: { 'api.example': [PUBLIC] } });
    const asked = egress.request(
      { method: 'POST', url: 'http://api.example/', headers: [], body: 'once' },
      { ...LIMITS, timeoutMs: 200 },
      new AbortController().signal,
    );
    await expect(asked).rejects.toMatchObject({ kind: 'timeout', sent: 'none' });
  });

  it('speaks TLS that nobody trusts: the password is not shown to it', async () => {
    const proxy = await proxyTo('127.0.0.1:9', { secure: true });
    const url = proxy.origin.replace('://', '://user:password@');
    const egress = door({ url, addresses: { 'api.example': [PUBLIC] } });
    await expect(call(egress, 'http://api.example/')).rejects.toMatchObject({
      kind: 'tls_cert',
      sent: 'none',
    });
    expect(proxy.asked).toEqual([]);
  });

  it.each(['ftp://proxy.example', 'http://proxy.example/path', 'http://proxy.example/?a', 'proxy.example'])(
    'has an address that is none: %s',
    async (url) => {
      const egress = door({ url, addresses: { 'api.example': [PUBLIC] } });
      await expect(call(egress, 'http://api.example/')).rejects.toMatchObject({ kind: 'request_invalid' });
    },
  );
});
