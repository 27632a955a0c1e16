import { once } from 'node:events';
import type net from 'node:net';
import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress, type Egress, EgressFailure } from '../../src/egress/index.ts';
import { REFUSED_PORT } from '../refused-port.ts';
import { type RecordingServer, redirect, respond, type Script, startServer } from './recording-server.ts';
import { NODE_UNDOES_FRAMES } from './zstd-frames.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const END = '0\r\n\r\n';

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

async function serve(routes: Record<string, Script>): Promise<{ server: RecordingServer; egress: Egress }> {
  const server = await startServer(routes);
  const egress = createEgress({ allow: [server.authority] });
  open.push(server, egress);
  return { server, egress };
}

async function failure(promise: Promise<unknown>): Promise<EgressFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EgressFailure);
  return error as EgressFailure;
}

describe('a streamed answer', () => {
  it('is read as it arrives, before it is complete', async () => {
    let socket: net.Socket | undefined;
    const { server, egress } = await serve({
      '/': (opened) => {
        socket = opened;
        opened.write(HEAD + chunk('data: one\n\n'));
      },
    });
    const response = await egress.fetch(`${server.origin}/`);
    expect([response.status, response.url]).toEqual([200, `${server.origin}/`]);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader.read()).toEqual({ done: false, value: 'data: one\n\n' });
    socket!.write(chunk('data: two\n\n') + END);
    expect(await reader.read()).toEqual({ done: false, value: 'data: two\n\n' });
    expect((await reader.read()).done).toBe(true);
  });

  it('goes no faster than its reader', async () => {
    const piece = chunk('x'.repeat(60_000));
    let written = 0;
    const { server, egress } = await serve({
      '/': (socket) => {
        socket.write(HEAD);
        const more = () => {
          if (written++ === 1000) socket.write(END);
          else if (socket.write(piece)) more();
          else socket.once('drain', more);
        };
        more();
      },
    });
    const response = await egress.fetch(`${server.origin}/`);
    const reader = response.body!.getReader();
    let size = (await reader.read()).value?.byteLength ?? 0;
    expect(written).toBeLessThan(500);
    for (let next = await reader.read(); !next.done; next = await reader.read())
      size += next.value.byteLength;
    expect(size).toBe(1000 * 60_000);
  });

  it.each([
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
    ['zstd', zlib.zstdCompressSync],
  ] as const)('undoes %s', async (coding, encode) => {
    const { server, egress } = await serve({
      '/': respond(200, encode('words'), { 'content-encoding': coding }),
    });
    const response = await egress.fetch(`${server.origin}/`);
    expect(await response.text()).toBe('words');
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it.each([
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
    ['zstd', zlib.zstdCompressSync],
  ] as const)('in two streams of %s is malformed, or whole, rather than half', async (coding, encode) => {
    const body = Buffer.concat([encode('one'), encode('two')]);
    const { server, egress } = await serve({ '/': respond(200, body, { 'content-encoding': coding }) });
    const text = (await egress.fetch(`${server.origin}/`)).text();
    if (coding === 'zstd' && NODE_UNDOES_FRAMES) expect(await text).toBe('onetwo');
    else expect((await failure(text)).kind).toBe('malformed');
  });

  it('is cut at its limit, decoded bytes counted', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(1_000_000));
    const { server, egress } = await serve({ '/': respond(200, bomb, { 'content-encoding': 'gzip' }) });
    const response = await egress.fetch(`${server.origin}/`, {}, { maxBytes: 10_000 });
    expect((await failure(response.text())).kind).toBe('too_large');
  });

  it('is cut at its limit where nothing is decoded, and not before', async () => {
    const { server, egress } = await serve({ '/': respond(200, 'x'.repeat(1000)) });
    const read = async (maxBytes: number) =>
      (await egress.fetch(`${server.origin}/`, {}, { maxBytes })).text();
    expect(await read(1000)).toHaveLength(1000);
    expect((await failure(read(999))).kind).toBe('too_large');
  });

  it('that is coded twice and cannot be decoded once is malformed', async () => {
    const twice = { 'content-encoding': 'gzip, gzip' };
    const { server, egress } = await serve({
      '/outer': respond(200, 'no gzip', twice),
      '/inner': respond(200, zlib.gzipSync('no gzip'), twice),
    });
    for (const path of ['/outer', '/inner']) {
      const response = await egress.fetch(`${server.origin}${path}`);
      expect((await failure(response.text())).kind).toBe('malformed');
    }
  });

  it('that cannot be decoded is malformed', async () => {
    const { server, egress } = await serve({ '/': respond(200, 'no gzip', { 'content-encoding': 'gzip' }) });
    const response = await egress.fetch(`${server.origin}/`);
    expect((await failure(response.text())).kind).toBe('malformed');
  });

  it('in zstd takes no more memory than RFC 9659 lets it', async () => {
    const wide = { params: { [zlib.constants.ZSTD_c_windowLog]: 24 } };
    const encoded = zlib.zstdCompressSync(Buffer.alloc(9 * 1024 * 1024), wide);
    const { server, egress } = await serve({ '/': respond(200, encoded, { 'content-encoding': 'zstd' }) });
    const response = await egress.fetch(`${server.origin}/`);
    expect((await failure(response.bytes())).kind).toBe('malformed');
  });

  it.each([[{}], [{ maxBytes: 10_000 }]])('in an unknown coding says so: limits %j', async (limits) => {
    const { server, egress } = await serve({ '/': respond(200, 'xyz', { 'content-encoding': 'aes128gcm' }) });
    const response = await egress.fetch(`${server.origin}/`, {}, limits);
    expect(response.headers.get('content-encoding')).toBe('aes128gcm');
    expect(await response.text()).toBe('xyz');
  });

  it('cut short fails while it is read', async () => {
    const { server, egress } = await serve({
      '/': (socket) => void socket.write(HEAD + chunk('data: one\n\n'), () => socket.destroy()),
    });
    const response = await egress.fetch(`${server.origin}/`);
    const { kind, sent, status } = await failure(response.text());
    expect({ kind, sent, status }).toEqual({ kind: 'body_truncated', sent: 'all', status: 200 });
  });

  it('that falls silent, or never begins, is given up; a body may be silent without a limit', async () => {
    const { server, egress } = await serve({
      '/silent': (socket) => void socket.write(HEAD + chunk('data: one\n\n')),
      '/never': () => {},
    });
    const silent = await egress.fetch(`${server.origin}/silent`, {}, { idleTimeoutMs: 400 });
    expect((await failure(silent.text())).kind).toBe('timeout');
    const { kind, sent } = await failure(
      egress.fetch(`${server.origin}/never`, { method: 'POST', body: '{}' }, { headersTimeoutMs: 400 }),
    );
    expect({ kind, sent }).toEqual({ kind: 'timeout', sent: 'all' });
  });

  it('ends with the signal, before and after its head', async () => {
    const { server, egress } = await serve({
      '/never': () => {},
      '/stream': (socket) => void socket.write(HEAD + chunk('data: one\n\n')),
    });
    const before = new AbortController();
    const waiting = failure(egress.fetch(`${server.origin}/never`, { signal: before.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    before.abort();
    expect((await waiting).kind).toBe('cancelled');
    const after = new AbortController();
    const response = await egress.fetch(`${server.origin}/stream`, { signal: after.signal });
    after.abort();
    expect((await failure(response.text())).kind).toBe('cancelled');
    const timedOut = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect((await failure(egress.fetch(`${server.origin}/never`, { signal: timedOut }))).kind).toBe(
      'timeout',
    );
  });

  it.each([
    ['as it is', {}, ''],
    ['counted', { maxBytes: 1000 }, ''],
    ['decoded', {}, 'content-encoding: gzip\r\n'],
  ])(
    'that nobody reads on ends the connection, before anything of it is read and after: %s',
    async (...given) => {
      const [, limits, coding] = given;
      const encoded = zlib.gzipSync('data: one\n\n'.repeat(100));
      const body = coding === '' ? chunk('data: one\n\n') : Buffer.concat([Buffer.from('fff\r\n'), encoded]);
      const closed: Promise<unknown>[] = [];
      const { server, egress } = await serve({
        '/': (socket) => {
          closed.push(once(socket, 'close'));
          socket.write(HEAD.replace('\r\n', `\r\n${coding}`));
          socket.write(body);
        },
      });
      await (await egress.fetch(`${server.origin}/`, {}, limits)).body!.cancel();
      await closed[0];
      const reader = (await egress.fetch(`${server.origin}/`, {}, limits)).body!.getReader();
      await reader.read();
      const waiting = reader.read();
      await reader.cancel();
      await closed[1];
      expect(await waiting).toEqual({ done: true, value: undefined });
    },
  );

  it('behind a redirect is read alone: the redirect ends its connection', async () => {
    let closed: Promise<unknown> | undefined;
    const { server, egress } = await serve({
      '/': (socket) => {
        closed = once(socket, 'close');
        socket.write(HEAD.replace('200 OK', '302 Found\r\nlocation: /there') + chunk('data: one\n\n'));
      },
      '/there': respond(200, 'there'),
    });
    expect(await (await egress.fetch(`${server.origin}/`)).text()).toBe('there');
    await closed;
  });
});

describe('the guard', () => {
  it.each([
    ['a cloud metadata address', 'http://169.254.169.254/latest/'],
    ['this machine', 'http://127.0.0.1:1/'],
    ['another scheme', 'file:///etc/passwd'],
    ['user information', 'http://user:word@example.com/'],
  ])('refuses %s', async (_, url) => {
    const egress = createEgress();
    open.push(egress);
    const { kind, sent } = await failure(egress.fetch(url));
    expect({ kind, sent }).toEqual({ kind: 'egress_blocked', sent: 'none' });
  });

  it('checks what a name resolves to', async () => {
    const egress = createEgress({ resolve: async () => [{ address: '10.0.0.1', family: 4 }] });
    open.push(egress);
    expect((await failure(egress.fetch('http://inside.example/'))).kind).toBe('egress_blocked');
  });

  it('says that nothing was sent where nobody listens', async () => {
    const authority = `127.0.0.1:${REFUSED_PORT}`;
    const egress = createEgress({ allow: [authority] });
    open.push(egress);
    const { kind, sent } = await failure(
      egress.fetch(`http://${authority}/`, { method: 'POST', body: '{}' }),
    );
    expect({ kind, sent }).toEqual({ kind: 'connect_refused', sent: 'none' });
  });

  it('lets no header of the connection be set, and no stream be a body', async () => {
    const { server, egress } = await serve({ '/': respond(200, '') });
    const host = failure(egress.fetch(`${server.origin}/`, { headers: { host: 'other.example' } }));
    expect((await host).kind).toBe('request_invalid');
    const stream = failure(egress.fetch(`${server.origin}/`, { method: 'POST', body: new ReadableStream() }));
    expect((await stream).kind).toBe('request_invalid');
    expect(server.requests).toEqual([]);
  });

  it('shows no cookies, and reaches destinations inside the process', async () => {
    const { server, egress } = await serve({ '/': respond(200, 'ok', { 'set-cookie': 'a=1' }) });
    expect((await egress.fetch(`${server.origin}/`)).headers.get('set-cookie')).toBeNull();
    const inside = createEgress({
      local: { 'http://inside.local': async (request) => new Response(`${request.method} inside`) },
    });
    open.push(inside);
    const response = await inside.fetch('http://inside.local/x', { method: 'POST', body: 'a' });
    expect(await response.text()).toBe('POST inside');
  });
});

describe('redirects', () => {
  it('are followed by hand, at most three', async () => {
    const { server, egress } = await serve({
      '/0': redirect(302, '/1'),
      '/1': redirect(302, '/2'),
      '/2': redirect(302, '/3'),
      '/3': respond(200, 'there'),
      '/loop': redirect(302, '/loop'),
    });
    const response = await egress.fetch(`${server.origin}/0`);
    expect([await response.text(), response.url]).toEqual(['there', `${server.origin}/3`]);
    expect((await failure(egress.fetch(`${server.origin}/loop`))).kind).toBe('redirect');
    expect(server.requests.filter(({ path }) => path === '/loop')).toHaveLength(4);
  });

  it('are refused or handed over when the caller says so', async () => {
    const { server, egress } = await serve({ '/': redirect(302, '/there') });
    const post = { method: 'POST', body: '{}', redirect: 'error' } as const;
    const { kind, sent } = await failure(egress.fetch(`${server.origin}/`, post));
    expect({ kind, sent }).toEqual({ kind: 'redirect', sent: 'all' });
    const manual = await egress.fetch(`${server.origin}/`, { redirect: 'manual' });
    expect([manual.status, manual.headers.get('location')]).toEqual([302, '/there']);
  });

  it('to a forbidden address are refused', async () => {
    const { server, egress } = await serve({ '/': redirect(302, 'http://169.254.169.254/') });
    expect((await failure(egress.fetch(`${server.origin}/`))).kind).toBe('egress_blocked');
  });

  it('from outside never reach a destination inside the process', async () => {
    const server = await startServer({ '/': redirect(302, 'http://inside.local/secret') });
    let asked = 0;
    const egress = createEgress({
      allow: [server.authority],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      local: {
        'http://inside.local': async () => {
          asked++;
          return new Response('secret');
        },
      },
    });
    open.push(server, egress);
    expect((await failure(egress.fetch(`${server.origin}/`))).kind).toBe('egress_blocked');
    expect(asked).toBe(0);
  });

  it('to another origin carry no credential and no custom header', async () => {
    const other = await startServer({ '/': respond(200, 'other') });
    open.push(other);
    const first = await startServer({ '/': redirect(302, `${other.origin}/`) });
    open.push(first);
    const egress = createEgress({ allow: [first.authority, other.authority] });
    open.push(egress);
    const headers = { authorization: 'Bearer t', 'x-custom': '1', accept: 'text/plain' };
    expect(await (await egress.fetch(`${first.origin}/`, { headers })).text()).toBe('other');
    expect(first.requests[0]?.headers).toMatchObject(headers);
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(other.requests[0]?.headers).not.toHaveProperty('x-custom');
    expect(other.requests[0]?.headers['accept']).toBe('text/plain');
  });

  it.each([307, 308])('with %i repeat a POST within the origin, never at another one', async (status) => {
    const other = await startServer({ '/': respond(200, 'other') });
    open.push(other);
    const { server } = await serve({
      '/same': redirect(status, '/there'),
      '/there': respond(200, 'there'),
      '/other': redirect(status, `${other.origin}/`),
    });
    const egress = createEgress({ allow: [server.authority, other.authority] });
    open.push(egress);
    const post = { method: 'POST', body: '{"a":1}' };
    expect(await (await egress.fetch(`${server.origin}/same`, post)).text()).toBe('there');
    expect(server.requests.find(({ path }) => path === '/there')?.body).toBe('{"a":1}');
    expect((await failure(egress.fetch(`${server.origin}/other`, post))).kind).toBe('redirect');
    expect(other.requests).toEqual([]);
  });
});
