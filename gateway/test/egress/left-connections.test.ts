import { randomBytes } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import type net from 'node:net';
import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress, type EgressOptions } from '../../src/egress/index.ts';
import { respond, type Script, startServer } from './recording-server.ts';

const LIMITS = { timeoutMs: 10_000, maxBytes: 1000, maxRedirects: 3 };
const { signal } = new AbortController();
const get = (url: string) => ({ method: 'GET', url, headers: [] });

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

async function serve(routes: Record<string, Script>, options: EgressOptions = {}) {
  const server = await startServer(routes);
  const egress = createEgress({ allow: [server.authority], ...options });
  open.push(server, egress);
  return { server, egress };
}

describe('a connection that is of no use any more is ended', () => {
  it.each<[what: string, head: string, outcome: object]>([
    ['a redirect whose body never ends', 'HTTP/1.1 302 Found\r\nlocation: /there\r\n\r\n', { status: 200 }],
    ['an answer beyond its limit', 'HTTP/1.1 200 OK\r\n\r\n', { kind: 'too_large' }],
    [
      'a switch of protocols that nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      { kind: 'malformed' },
    ],
  ])('%s', async (_, head, outcome) => {
    const ended = Promise.withResolvers<unknown>();
    const { server, egress } = await serve({
      '/': (socket: net.Socket) => {
        ended.resolve(once(socket, 'close'));
        socket.write(head + 'x'.repeat(2000));
      },
      '/there': respond(200, 'there'),
    });
    const answer = egress.request(get(`${server.origin}/`), LIMITS, signal);
    expect(await answer.catch((error: unknown) => error)).toMatchObject(outcome);
    await ended.promise;
  });

  it('a door that closed before its first request opens no more', async () => {
    const { server, egress } = await serve({ '/': respond(200, 'ok') });
    await egress.close();
    const cancelled = { kind: 'cancelled', sent: 'none' };
    await expect(egress.request(get(server.origin), LIMITS, signal)).rejects.toMatchObject(cancelled);
    await expect(egress.fetch(server.origin)).rejects.toMatchObject(cancelled);
    expect(server.connections).toBe(0);
  });

  it('nothing waits for the caller of a request that is over', async () => {
    const { server, egress } = await serve({ '/': respond(200, 'ok') });
    const caller = new AbortController();
    await egress.request(get(server.origin), LIMITS, caller.signal);
    await (await egress.fetch(server.origin, { signal: caller.signal })).text();
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });
});

describe('the limit of an answer', () => {
  const noise = randomBytes(1000);
  it.each<[what: string, Script, outcome: object]>([
    [
      'counts what is in no coding',
      respond(200, 'x'.repeat(1001), { 'content-encoding': 'identity' }),
      { kind: 'too_large' },
    ],
    [
      'counts what is in an unknown coding',
      respond(200, 'x'.repeat(1001), { 'content-encoding': 'aes128gcm' }),
      { kind: 'too_large' },
    ],
    [
      'does not count what a coding adds',
      respond(200, zlib.gzipSync(noise), { 'content-encoding': 'gzip' }),
      { status: 200, body: noise },
    ],
    [
      'does not count what is only named',
      'HTTP/1.1 304 Not Modified\r\ncontent-length: 99999\r\n\r\n',
      { status: 304, body: new Uint8Array(0) },
    ],
    [
      'begins behind what is said on the way',
      `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${respond(200, 'ok')}`,
      { status: 200, body: Buffer.from('ok') },
    ],
  ])('%s', async (_, script, outcome) => {
    const { server, egress } = await serve({ '/': script });
    const answer = egress.request(get(`${server.origin}/`), LIMITS, signal);
    expect(await answer.catch((error: unknown) => error)).toMatchObject(outcome);
  });
});

describe('a destination inside this process', () => {
  const inside = (request: Request) =>
    new URL(request.url).pathname === '/'
      ? new Response(null, { status: 302, headers: { location: 'http://inside.local/there' } })
      : new Response('there');
  const local = { 'http://inside.local': async (request: Request) => inside(request) };

  it('may lead on within itself', async () => {
    const { egress } = await serve({}, { local });
    const answer = await egress.request(get('http://inside.local/'), LIMITS, signal);
    expect(Buffer.from(answer.body).toString()).toBe('there');
    expect(await (await egress.fetch('http://inside.local/')).text()).toBe('there');
  });

  it('is not asked for a caller who has gone away', async () => {
    let asked = 0;
    const answering = async () => new Response(`${++asked}`);
    const { egress } = await serve({}, { local: { 'http://inside.local': answering } });
    const answer = egress.request(get('http://inside.local/'), LIMITS, AbortSignal.abort());
    await expect(answer).rejects.toMatchObject({ kind: 'cancelled', sent: 'none' });
    expect(asked).toBe(0);
  });

  it('shows no cookies, and as many bytes as allowed', async () => {
    const cookies = { 'set-cookie': 'a=1', 'x-kept': 'yes' };
    const answering = async () => new Response('x'.repeat(1000), { headers: cookies });
    const { egress } = await serve({}, { local: { 'http://inside.local': answering } });
    const { headers, body } = await egress.request(get('http://inside.local/'), LIMITS, signal);
    expect({ cookie: headers['set-cookie'], kept: headers['x-kept'] }).toEqual({ kept: 'yes' });
    expect(body).toHaveLength(1000);
    expect((await egress.fetch('http://inside.local/')).headers.getSetCookie()).toEqual([]);
  });

  it.each(['http://me@inside.local/', 'http://:secret@inside.local/'])('takes no user: %s', async (url) => {
    const { egress } = await serve({}, { local });
    const blocked = { kind: 'egress_blocked' };
    await expect(egress.request(get(url), LIMITS, signal)).rejects.toMatchObject(blocked);
    await expect(egress.fetch(url)).rejects.toMatchObject(blocked);
  });
});
