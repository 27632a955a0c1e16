import { once } from 'node:events';
import type net from 'node:net';
import tls from 'node:tls';
import { inspect } from 'node:util';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createEgress,
  type Egress,
  type EgressFailure,
  type EgressLimits,
  type OutgoingRequest,
} from '../../src/egress/index.ts';
import { REFUSED_PORT } from '../refused-port.ts';
import { type RecordingServer, redirect, respond, type Script, startServer } from './recording-server.ts';

const LIMITS: EgressLimits = { timeoutMs: 5000, maxBytes: 100_000, maxRedirects: 3 };
const OK = respond(200, '{"ok":true}', { 'content-type': 'application/json' });

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

async function serve(routes: Record<string, Script>): Promise<RecordingServer> {
  const server = await startServer(routes);
  open.push(server);
  return server;
}

function door(options: Parameters<typeof createEgress>[0]): Egress {
  const egress = createEgress(options);
  open.push(egress);
  return egress;
}

const never = () => new AbortController().signal;

function call(
  egress: Egress,
  url: string,
  request: Partial<OutgoingRequest> = {},
  limits: Partial<EgressLimits> = {},
) {
  return egress.request({ method: 'GET', url, headers: [], ...request }, { ...LIMITS, ...limits }, never());
}

describe('one request', () => {
  let server: RecordingServer;
  let egress: Egress;
  const routes: Record<string, Script> = {
    '/': OK,
    '/repeated':
      'HTTP/1.1 200 OK\r\nlink: <a>\r\nlink: <b>\r\nset-cookie: s=1\r\n__proto__: x\r\ncontent-length: 0\r\n\r\n',
    '/gzip': respond(200, zlib.gzipSync('hello'), { 'content-encoding': 'gzip' }),
    '/odd-coding': respond(200, 'hello', { 'content-encoding': 'utf-8' }),
    '/300': respond(300, '', { location: '/404' }),
    '/204': 'HTTP/1.1 204 No Content\r\n\r\n',
    '/404': respond(404, 'missing'),
  };
  beforeEach(async () => {
    server = await serve(routes);
    egress = door({ allow: [server.authority] });
  });

  it('sends what it was given and brings the answer', async () => {
    const response = await call(egress, `${server.origin}/?q=a%20b#fragment`, {
      method: 'POST',
      headers: [['X-Token', 'secret']],
      body: 'grüße',
    });
    expect(response).toMatchObject({ status: 404 });
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/?q=a%20b',
      headers: { host: server.authority, 'x-token': 'secret', 'content-length': '7' },
    });
  });

  it('reuses the connection', async () => {
    for (let turn = 0; turn < 5; turn++) {
      expect(Buffer.from((await call(egress, server.origin)).body).toString()).toBe('{"ok":true}');
    }
    expect(server.connections).toBe(1);
  });

  it('opens no second connection for a request that follows an answer at once', async () => {
    const inRow = async () => {
      for (let turn = 0; turn < 3; turn++) await call(egress, server.origin);
    };
    await Promise.all([inRow(), inRow()]);
    expect(server.connections).toBe(2);
  });

  it('checks every URL, also of an origin that it has reached before', async () => {
    await call(egress, server.origin);
    const other = `http://127.0.0.1:${REFUSED_PORT}`;
    for (const url of [`http://user@${server.authority}`, `http://@${server.authority}`, other]) {
      await expect(call(egress, url)).rejects.toMatchObject({ kind: 'egress_blocked', sent: 'none' });
    }
  });

  it('joins repeated headers, leaves cookies out and keeps odd names harmless', async () => {
    const { headers } = await call(egress, `${server.origin}/repeated`);
    expect({ ...headers }).toMatchObject({ link: '<a>, <b>' });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('has cookies for a request that keeps them', async () => {
    const kept = await call(egress, `${server.origin}/repeated`, { cookies: 'keep' });
    expect(kept.cookies).toEqual(['s=1']);
    expect(kept.headers).not.toHaveProperty('set-cookie');
    expect(await call(egress, `${server.origin}/repeated`)).not.toHaveProperty('cookies');
    expect(await call(egress, server.origin, { cookies: 'keep' })).toMatchObject({ cookies: [] });
  });

  it('undoes content codings, with the headers that described them', async () => {
    const response = await call(egress, `${server.origin}/gzip`);
    expect(Buffer.from(response.body).toString()).toBe('hello');
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(server.requests[0]?.headers['accept-encoding']).toContain('gzip');
  });

  it('leaves an unknown coding as it is', async () => {
    const response = await call(egress, `${server.origin}/odd-coding`);
    expect(Buffer.from(response.body).toString()).toBe('hello');
    expect(response.headers['content-encoding']).toBe('utf-8');
  });

  it('takes every status and an answer without a body', async () => {
    expect(await call(egress, `${server.origin}/300`)).toMatchObject({ status: 300 });
    expect(await call(egress, `${server.origin}/404`)).toMatchObject({ status: 404 });
    expect(await call(egress, `${server.origin}/204`)).toMatchObject({
      status: 204,
      body: new Uint8Array(0),
    });
  });

  it.each([
    [['Host', 'other.example']],
    [['Content-Length', '0']],
    [['Transfer-Encoding', 'chunked']],
    [['Connection', 'upgrade']],
    [['Keep-Alive', 'timeout=1']],
    [['Proxy-Connection', 'close']],
    [['Proxy-Authorization', 'Basic eDp5']],
    [['TE', 'trailers']],
    [['Trailer', 'X-A']],
    [['Upgrade', 'websocket']],
    [['Expect', '100-continue']],
    [['HTTP2-Settings', 'AAMAAABk']],
    [['X-A', 'a\r\nX-B: b']],
    [['X-A', 'a\0b']],
    [['X-A', 'a\rb']],
    [['X-A', 'a\x7fb']],
    [['X-A', 'smile \u{1f600}']],
    [['X A', 'b']],
    [['X-A:', 'b']],
    [['', 'b']],
  ] as Array<[[string, string]]>)('refuses the header %j before anything is sent', async (header) => {
    const failed = call(egress, server.origin, { headers: [header] });
    await expect(failed).rejects.toMatchObject({ kind: 'request_invalid', sent: 'none' });
    expect(server.connections).toBe(0);
  });

  it.each(['CONNECT', 'connect', 'GET /x HTTP/1.1\r\nX:', ''])('refuses the method %j', async (method) => {
    await expect(call(egress, server.origin, { method })).rejects.toMatchObject({ kind: 'request_invalid' });
  });

  it('ignores proxies of the environment', async () => {
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
    try {
      expect(await call(egress, server.origin)).toMatchObject({ status: 200 });
    } finally {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    }
  });
});

describe('the guard', () => {
  it('refuses loopback unless it is allowed, and only the allowed port', async () => {
    const server = await serve({ '/': OK });
    const other = await serve({ '/': OK });
    const egress = door({ allow: [other.authority] });
    await expect(call(egress, server.origin)).rejects.toMatchObject({ kind: 'egress_blocked', sent: 'none' });
    expect(server.connections).toBe(0);
    expect(await call(egress, other.origin)).toMatchObject({ status: 200 });
  });

  it('connects to the address that was checked, asking the resolver once a connection', async () => {
    const server = await serve({ '/': OK });
    const port = server.authority.split(':')[1];
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const egress = door({ allow: ['service.example'], resolve });
    expect(await call(egress, `http://service.example:${port}/`)).toMatchObject({ status: 200 });
    await call(egress, `http://service.example:${port}/`);
    expect(asked).toEqual(['service.example']);
    expect(server.requests[0]?.headers['host']).toBe(`service.example:${port}`);
  });

  it('refuses the same again: nothing that was refused is remembered as checked', async () => {
    const server = await serve({ '/': respond(200, 'ok') });
    const egress = door({});
    for (let turn = 0; turn < 2; turn++) {
      await expect(call(egress, server.origin)).rejects.toMatchObject({ kind: 'egress_blocked' });
      await expect(egress.fetch(server.origin)).rejects.toMatchObject({ kind: 'egress_blocked' });
    }
    expect(server.connections).toBe(0);
  });

  it('refuses a name whose answers are not all public', async () => {
    const server = await serve({ '/': OK });
    const port = server.authority.split(':')[1];
    const egress = door({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const failed = call(egress, `http://rebind.example:${port}/`);
    await expect(failed).rejects.toMatchObject({ kind: 'egress_blocked', sent: 'none' });
    expect(server.connections).toBe(0);
  });
});

describe('redirects', () => {
  const secret: OutgoingRequest['headers'] = [
    ['Authorization', 'Bearer secret'],
    ['X-Api-Key', 'secret'],
    ['Accept', 'application/json'],
  ];

  it('keep credentials within an origin', async () => {
    const server = await serve({ '/': redirect(302, '/next'), '/next': OK });
    const response = await call(door({ allow: [server.authority] }), server.origin, { headers: secret });
    expect(response.url).toBe(`${server.origin}/next`);
    expect(server.requests[1]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
    });
  });

  it('drop credentials and custom headers at another origin, for good', async () => {
    const routes: Record<string, Script> = { '/back': OK };
    const first = await serve(routes);
    const second = await serve({ '/': redirect(302, `${first.origin}/back`) });
    routes['/'] = redirect(302, `${second.origin}/`);
    const egress = door({ allow: [first.authority, second.authority] });
    const plain = { 'accept-language': 'de', 'accept-encoding': 'gzip', 'user-agent': 'tests' };
    await call(egress, first.origin, { headers: [...secret, ['Cookie', 'a=1'], ...Object.entries(plain)] });
    const [start, back] = first.requests;
    expect(start?.headers).toMatchObject({ ...plain, cookie: 'a=1' });
    expect(start?.headers).toHaveProperty('authorization');
    for (const request of [second.requests[0], back]) {
      for (const name of ['authorization', 'x-api-key', 'cookie']) {
        expect(request?.headers).not.toHaveProperty(name);
      }
      expect(request?.headers).toMatchObject({ ...plain, accept: 'application/json' });
    }
  });

  it('drop a credential that travels in an ordinary header', async () => {
    const second = await serve({ '/': OK });
    const first = await serve({ '/': redirect(302, second.origin) });
    const egress = door({ allow: [first.authority, second.authority] });
    await call(egress, first.origin, {
      headers: [['Accept-Language', 'secret']],
      credentialHeaders: ['accept-language'],
    });
    expect(second.requests[0]?.headers).not.toHaveProperty('accept-language');
  });

  it.each([
    ['POST', 301, ['POST', 'GET']],
    ['POST', 302, ['POST', 'GET']],
    ['POST', 303, ['POST', 'GET']],
    ['PUT', 303, ['PUT', 'GET']],
    ['POST', 307, ['POST', 'POST']],
    ['PUT', 302, ['PUT', 'PUT']],
    ['PATCH', 308, ['PATCH', 'PATCH']],
    ['HEAD', 303, ['HEAD', 'HEAD']],
  ])('%s, %d: %j within an origin', async (method, status, methods) => {
    const server = await serve({
      '/': redirect(status, '/next'),
      '/next': method === 'HEAD' ? 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n' : OK,
    });
    const body =
      method === 'HEAD' ? {} : { body: '{"x":1}', headers: [['Content-Type', 'application/json']] as const };
    await call(door({ allow: [server.authority] }), server.origin, { method, ...body });
    expect(server.requests.map((request) => request.method)).toEqual(methods);
    const last = server.requests[1];
    expect(last?.body).toBe(methods[1] === method && method !== 'HEAD' ? '{"x":1}' : '');
    expect('content-type' in (last?.headers ?? {})).toBe(last?.body !== '');
  });

  it.each([
    [307, 'POST', '{}'],
    [308, 'PUT', '{}'],
    [302, 'DELETE', '{}'],
    [302, 'DELETE', undefined],
    [307, 'GET', '{}'],
  ])('%d of a %s with the body %j is not repeated at another origin', async (status, method, body) => {
    const other = await serve({ '/': OK });
    const server = await serve({ '/': redirect(status, other.origin) });
    const failed = call(door({ allow: [server.authority, other.authority] }), server.origin, {
      method,
      ...(body === undefined ? {} : { body }),
    });
    await expect(failed).rejects.toMatchObject({ kind: 'redirect', status });
    expect(other.requests).toHaveLength(0);
  });

  it.each([
    'http://169.254.169.254/latest/',
    'http://127.0.0.1:1/',
    'file:///etc/passwd',
    'http://user:password@127.0.0.1/',
    'http://localhost/',
  ])('to %s are refused, and whose they were is said', async (location) => {
    const server = await serve({ '/': redirect(302, location) });
    const failed = call(door({ allow: [server.authority] }), server.origin);
    const message = expect.stringContaining(`A redirect of ${server.authority} is not followed: `);
    await expect(failed).rejects.toMatchObject({ kind: 'egress_blocked', message });
  });

  it('that lead to where nobody is are said to be what led there', async () => {
    const server = await serve({ '/': redirect(307, `http://127.0.0.1:${REFUSED_PORT}/`) });
    const failed = call(door({ allow: [server.authority, `127.0.0.1:${REFUSED_PORT}`] }), server.origin);
    const message = expect.stringMatching(
      `^A redirect of ${server.authority} leads nowhere: .*127.0.0.1:${REFUSED_PORT}`,
    );
    await expect(failed).rejects.toMatchObject({ kind: 'connect_refused', sent: 'none', message });
  });

  it('end after as many as allowed', async () => {
    const server = await serve({ '/': redirect(302, '/') });
    const failed = call(door({ allow: [server.authority] }), server.origin, {}, { maxRedirects: 2 });
    await expect(failed).rejects.toMatchObject({ kind: 'redirect' });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    [301, 'POST', 'all'],
    [303, 'POST', 'all'],
    [302, 'DELETE', 'all'],
    [303, 'GET', 'all'],
    [307, 'POST', 'none'],
    [308, 'PUT', 'none'],
  ])('%d of a %s: the earlier hop may have carried out %s of it', async (status, method, sent) => {
    const server = await serve({ '/': redirect(status, 'http://10.0.0.1/') });
    const failed = call(door({ allow: [server.authority] }), server.origin, { method });
    await expect(failed).rejects.toMatchObject({ kind: 'egress_blocked', sent });
  });

  it('a write stays what may have been carried out, however many redirects come after it', async () => {
    const server = await serve({
      '/': redirect(303, '/done'),
      '/done': redirect(302, '/shown'),
      '/shown': redirect(302, 'http://10.0.0.1/'),
    });
    const failed = call(door({ allow: [server.authority] }), server.origin, { method: 'POST', body: '{}' });
    await expect(failed).rejects.toMatchObject({ kind: 'egress_blocked', sent: 'all' });
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });

  it('reach the address of another source only where the operator lists it', async () => {
    const second = await serve({ '/': OK, '/own': redirect(302, '/') });
    const first = await serve({ '/': redirect(302, `${second.origin}/own`) });
    const named = [first.origin, second.origin];
    const message = `A redirect of ${first.authority} is not followed: 127.0.0.1 is no public address: refused before anything was sent; the configuration names it for others`;
    for (const redirects of [[], [first.origin], ['localhost']]) {
      const egress = door({ allow: [...named, ...redirects], redirects });
      await expect(call(egress, first.origin)).rejects.toMatchObject({ kind: 'egress_blocked', message });
      await expect(egress.fetch(first.origin)).rejects.toMatchObject({ kind: 'egress_blocked' });
      expect(second.requests).toEqual([]);
    }
    for (const redirects of [[second.origin], ['127.0.0.1'], undefined]) {
      const egress = door({ allow: [...named, ...(redirects ?? [])], ...(redirects && { redirects }) });
      expect(await call(egress, first.origin)).toMatchObject({ status: 200 });
      expect(await egress.fetch(first.origin)).toMatchObject({ status: 200 });
    }
    // its own calls, and redirects within it, are as before
    const egress = door({ allow: named, redirects: [] });
    expect(await call(egress, `${second.origin}/own`)).toMatchObject({ status: 200 });
  });

  it('do not wait for their own body', async () => {
    const server = await serve({
      '/': 'HTTP/1.1 302 Found\r\nlocation: /next\r\ncontent-length: 1000\r\n\r\nhalf',
      '/next': OK,
    });
    expect(await call(door({ allow: [server.authority] }), server.origin)).toMatchObject({ status: 200 });
  });
});

describe('limits', () => {
  it.each([
    ['declared', respond(200, 'x'.repeat(1001))],
    ['without a length', `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${'x'.repeat(1001)}`],
    ['an error answer', respond(500, 'x'.repeat(1001))],
    ['once decoded', respond(200, zlib.gzipSync(Buffer.alloc(1001)), { 'content-encoding': 'gzip' })],
    [
      'twice coded',
      respond(200, zlib.gzipSync(zlib.gzipSync(Buffer.alloc(5_000_000))), {
        'content-encoding': 'gzip, gzip',
      }),
    ],
  ])('more bytes than allowed, %s', async (_case, answer) => {
    const server = await serve({ '/': answer });
    const failed = call(door({ allow: [server.authority] }), server.origin, {}, { maxBytes: 1000 });
    await expect(failed).rejects.toMatchObject({ kind: 'too_large', sent: 'all' });
  });

  it('exactly as many bytes as allowed pass, and HEAD may announce more', async () => {
    const server = await serve({
      '/': respond(200, 'x'.repeat(1000)),
      '/head': 'HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n',
    });
    const egress = door({ allow: [server.authority] });
    expect((await call(egress, server.origin, {}, { maxBytes: 1000 })).body).toHaveLength(1000);
    const head = await call(egress, `${server.origin}/head`, { method: 'HEAD' }, { maxBytes: 1000 });
    expect(head.body).toHaveLength(0);
  });

  it.each([
    ['silence', () => {}, undefined],
    ['half a head', (socket: net.Socket) => socket.write('HTTP/1.1 200 OK\r\nx-a:'), undefined],
    [
      'half a body',
      (socket: net.Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
      200,
    ],
  ] as Array<[string, Script, number | undefined]>)(
    'one deadline covers %s',
    async (_case, script, status) => {
      const server = await serve({ '/': script });
      const failed = call(
        door({ allow: [server.authority] }),
        server.origin,
        { method: 'POST', body: '{}' },
        { timeoutMs: 500 },
      );
      await expect(failed).rejects.toMatchObject({ kind: 'timeout', sent: 'all', status });
    },
  );

  it('an answer that began and does not end is told as such', async () => {
    const server = await serve({
      '/': (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nevent\r\n'),
    });
    const failed = call(door({ allow: [server.authority] }), server.origin, {}, { timeoutMs: 300 });
    await expect(failed).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(
        /within 300 ms; its answer \(200\) began, and after 5 bytes had not ended/,
      ),
    });
  });

  it('has what had come of a stream, where no log shows it', async () => {
    const answers = {
      '/': '\r\n5\r\nevent\r\n',
      '/length': 'content-length: 10\r\n\r\nevent',
      '/coded': 'content-encoding: gzip\r\n\r\n5\r\nevent\r\n',
    };
    const server = await serve(
      Object.fromEntries(
        Object.entries(answers).map(([path, rest]): [string, Script] => [
          path,
          (socket) =>
            socket.write(
              `HTTP/1.1 200 OK\r\n${path === '/length' ? '' : 'transfer-encoding: chunked\r\n'}${rest}`,
            ),
        ]),
      ),
    );
    const egress = door({ allow: [server.authority] });
    const failure = async (path: string) =>
      call(egress, `${server.origin}${path}`, {}, { timeoutMs: 300 }).catch((error: unknown) => error);
    const stream = (await failure('/')) as EgressFailure;
    expect(Buffer.from(stream.received!.body).toString()).toBe('event');
    expect(stream.received).toMatchObject({ status: 200, url: `${server.origin}/` });
    expect(inspect(stream)).not.toContain('received');
    for (const path of ['/length', '/coded'])
      expect(await failure(path)).toMatchObject({ kind: 'timeout', received: undefined });
  });

  it('the deadline covers DNS', async () => {
    const egress = door({ resolve: () => new Promise(() => {}) });
    const failed = call(egress, 'http://slow.example/', {}, { timeoutMs: 50 });
    await expect(failed).rejects.toMatchObject({
      kind: 'timeout',
      sent: 'none',
      message: 'slow.example: no whole answer within 50 ms, before there was a connection',
    });
  });

  it('a name that is being looked up is not looked up beside that', async () => {
    const server = await serve({ '/': OK });
    const asked: string[] = [];
    const answer = Promise.withResolvers<ReadonlyArray<{ address: string; family: number }>>();
    const resolve = (host: string) => {
      asked.push(host);
      return answer.promise;
    };
    const egress = door({ allow: ['slow.example'], resolve });
    const url = `http://slow.example:${server.authority.split(':')[1]}/`;
    for (let turn = 0; turn < 2; turn++) {
      await expect(call(egress, url, {}, { timeoutMs: 20 })).rejects.toMatchObject({ kind: 'timeout' });
    }
    const waiting = call(egress, url);
    answer.resolve([{ address: '127.0.0.1', family: 4 }]);
    expect(await waiting).toMatchObject({ status: 200 });
    expect(asked).toEqual(['slow.example']);
  });

  it('a write that ended before there was a connection is not sent when there is one', async () => {
    const server = await serve({ '/late': OK, '/next': OK });
    const resolving = Promise.withResolvers<ReadonlyArray<{ address: string; family: number }>>();
    const egress = door({ allow: ['slow.example'], resolve: () => resolving.promise });
    const origin = `http://slow.example:${server.authority.split(':')[1]}`;
    const late = call(egress, `${origin}/late`, { method: 'POST', body: '{}' }, { timeoutMs: 50 });
    await expect(late).rejects.toMatchObject({ kind: 'timeout', sent: 'none' });
    resolving.resolve([{ address: '127.0.0.1', family: 4 }]);
    expect(await call(egress, `${origin}/next`)).toMatchObject({ status: 200 });
    expect(server.requests.map(({ path }) => path)).toEqual(['/next']);
  });

  it('a caller who goes away cancels; a signal that timed out is a timeout', async () => {
    const server = await serve({ '/': () => {} });
    const egress = door({ allow: [server.authority] });
    const send = (signal: AbortSignal) =>
      egress.request({ method: 'GET', url: server.origin, headers: [] }, LIMITS, signal);
    await expect(send(AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled', sent: 'none' });
    await expect(send(AbortSignal.timeout(400))).rejects.toMatchObject({ kind: 'timeout' });
    const caller = new AbortController();
    const pending = send(caller.signal);
    pending.catch(() => {});
    await expect.poll(() => server.requests.length).toBe(2);
    caller.abort();
    await expect(pending).rejects.toMatchObject({ kind: 'cancelled', sent: 'all' });
  });
});

describe('how far a failed request got', () => {
  it.each([
    ['closed without an answer', (s: net.Socket) => s.end(), 'reset', undefined],
    ['reset without an answer', (s: net.Socket) => s.resetAndDestroy(), 'reset', undefined],
    [
      'cut body',
      (s: net.Socket) => s.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
      'body_truncated',
      200,
    ],
    [
      'cut chunks',
      (s: net.Socket) => s.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'),
      'body_truncated',
      200,
    ],
    [
      'cut coding',
      respond(200, zlib.gzipSync('hello').subarray(0, 15), { 'content-encoding': 'gzip' }),
      'body_truncated',
      200,
    ],
    ['no status', (s: net.Socket) => s.end('HTTP/1.1 abc\r\n\r\n'), 'malformed', undefined],
    ['no HTTP', (s: net.Socket) => s.end('SSH-2.0-x\r\n'), 'malformed', undefined],
    [
      'two lengths',
      (s: net.Socket) => s.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
      'malformed',
      undefined,
    ],
    [
      'endless head',
      `HTTP/1.1 200 OK\r\n${`x-a: ${'a'.repeat(90)}\r\n`.repeat(2000)}`,
      'malformed',
      undefined,
    ],
    [
      'switch of protocols',
      'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'malformed',
      undefined,
    ],
    [
      'a 100 Continue that nobody asked for',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n',
      'malformed',
      undefined,
    ],
    [
      'several locations',
      'HTTP/1.1 302 X\r\nlocation: /a\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n',
      'malformed',
      302,
    ],
  ] as Array<[string, Script, string, number | undefined]>)('%s', async (_case, script, kind, status) => {
    const server = await serve({ '/': script });
    const failed = call(door({ allow: [server.authority] }), server.origin, { method: 'POST', body: '{}' });
    await expect(failed).rejects.toMatchObject({ kind, status, sent: 'all' });
  });

  it('nothing, where the connection was refused', async () => {
    const port = REFUSED_PORT;
    const failed = call(door({ allow: ['127.0.0.1'] }), `http://127.0.0.1:${port}/`);
    await expect(failed).rejects.toMatchObject({ kind: 'connect_refused', sent: 'none' });
  });

  it('nothing, where the name does not exist', async () => {
    const resolve = async () => {
      throw Object.assign(new Error(), { code: 'ENOTFOUND' });
    };
    await expect(call(door({ resolve }), 'http://nowhere.example/')).rejects.toMatchObject({
      kind: 'dns',
      sent: 'none',
    });
  });

  it('nothing, where TLS does not come about', async () => {
    const server = tls.createServer({}).listen(0, '127.0.0.1');
    server.on('tlsClientError', () => {});
    await once(server, 'listening');
    open.push({ close: async () => void server.close() });
    const { port } = server.address() as net.AddressInfo;
    const failed = call(door({ allow: ['127.0.0.1'] }), `https://127.0.0.1:${port}/`, {
      method: 'POST',
      body: '{}',
    });
    await expect(failed).rejects.toMatchObject({ kind: 'tls_cert', sent: 'none' });
  });

  it('cancelled, where the door closes', async () => {
    const server = await serve({ '/': () => {} });
    const egress = createEgress({ allow: [server.authority] });
    const pending = call(egress, server.origin);
    pending.catch(() => {});
    await expect.poll(() => server.requests.length).toBe(1);
    await egress.close();
    await expect(pending).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(call(egress, server.origin)).rejects.toMatchObject({ kind: 'cancelled', sent: 'none' });
  });
});

describe('destinations inside this process', () => {
  const ORIGIN = 'http://gateway.internal';
  const local = (answer: (request: Request, outgoing: OutgoingRequest) => Promise<Response>) =>
    door({ local: { [ORIGIN]: answer } });

  it('are asked without a network, with the context of the call', async () => {
    const egress = local(async (request, outgoing) =>
      Response.json({
        path: new URL(request.url).pathname,
        body: await request.text(),
        context: outgoing.context,
      }),
    );
    const response = await call(egress, `${ORIGIN}/api/x`, {
      method: 'POST',
      body: '{}',
      context: { depth: 1 },
    });
    expect(JSON.parse(Buffer.from(response.body).toString())).toEqual({
      path: '/api/x',
      body: '{}',
      context: { depth: 1 },
    });
  });

  it('have the same limits', async () => {
    const large = local(async () => new Response('x'.repeat(200_000)));
    await expect(call(large, `${ORIGIN}/`)).rejects.toMatchObject({ kind: 'too_large' });
    let aborted = false;
    const slow = local((request) => {
      request.signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => {});
    });
    await expect(call(slow, `${ORIGIN}/`, {}, { timeoutMs: 30 })).rejects.toMatchObject({
      kind: 'timeout',
      sent: 'all',
    });
    expect(aborted).toBe(true);
  });

  it('fail as a lost answer where their handler throws', async () => {
    const egress = local(async () => {
      throw new Error('a fault');
    });
    await expect(call(egress, `${ORIGIN}/`)).rejects.toMatchObject({ kind: 'reset', sent: 'all' });
  });

  it('are never reached by a redirect from outside', async () => {
    let asked = 0;
    const server = await serve({ '/': redirect(302, `${ORIGIN}/secret`) });
    const egress = door({
      allow: [server.authority],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      local: {
        [ORIGIN]: async () => {
          asked++;
          return new Response('secret');
        },
      },
    });
    await expect(call(egress, server.origin)).rejects.toMatchObject({ kind: 'egress_blocked' });
    expect(asked).toBe(0);
  });
});
