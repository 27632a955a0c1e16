import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEgress, type OutgoingRequest } from '../../src/egress/index.ts';
import { respond, startServer } from './recording-server.ts';

const LIMITS = { timeoutMs: 5000, maxBytes: 100_000, maxRedirects: 3 };

/** What a service at a socket was asked, and what it answers. */
async function listening(answer: RequestListener = (_, response) => response.end('{"ok":true}')) {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-socket-'));
  const socketPath = join(folder, 'api.sock');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    return answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });
  return { socketPath, asked };
}

function ask(request: Partial<OutgoingRequest>, options: Parameters<typeof createEgress>[0] = {}) {
  const egress = createEgress(options);
  onTestFinished(() => egress.close());
  const whole = { method: 'GET', url: 'http://localhost/v1/x?a=1', headers: [], ...request };
  return egress.request(whole, LIMITS, new AbortController().signal);
}

describe.skipIf(process.platform === 'win32')('a request through a socket', () => {
  it('goes to what listens there, whatever the host is called, and through no proxy', async () => {
    const { socketPath, asked } = await listening();
    const { status, body, url } = await ask({ socketPath }, { proxy: { url: 'http://127.0.0.1:9' } });
    expect([status, Buffer.from(body).toString(), url]).toEqual([
      200,
      '{"ok":true}',
      'http://localhost/v1/x?a=1',
    ]);
    await ask({ socketPath, url: 'http://docker/v1/x' });
    expect(asked).toEqual(['GET localhost/v1/x?a=1', 'GET docker/v1/x']);
  });

  it('opens the host of that name to nobody else', async () => {
    const { socketPath } = await listening();
    const egress = createEgress();
    onTestFinished(() => egress.close());
    const request = { method: 'GET', url: 'http://localhost/', headers: [] };
    const { signal } = new AbortController();
    await egress.request({ ...request, socketPath }, LIMITS, signal);
    await expect(egress.request(request, LIMITS, signal)).rejects.toMatchObject({ kind: 'egress_blocked' });
  });

  it('stays there where it is redirected within its origin', async () => {
    const { socketPath, asked } = await listening(({ url }, response) =>
      url === '/new' ? response.end('new') : response.writeHead(307, { location: '/new' }).end(),
    );
    const { body } = await ask({ socketPath, method: 'POST', body: 'x' });
    expect(Buffer.from(body).toString()).toBe('new');
    expect(asked).toEqual(['POST localhost/v1/x?a=1', 'POST localhost/new']);
  });

  it('goes to another origin as any other request does', async () => {
    const elsewhere = await startServer({ '/': respond(200, 'elsewhere') });
    onTestFinished(() => elsewhere.close());
    const { socketPath } = await listening((_, response) =>
      response.writeHead(302, { location: `${elsewhere.origin}/` }).end(),
    );
    await expect(ask({ socketPath })).rejects.toMatchObject({ kind: 'egress_blocked' });
    const { body } = await ask({ socketPath }, { allow: [elsewhere.authority] });
    expect(Buffer.from(body).toString()).toBe('elsewhere');
  });

  it('is reached by no redirect from outside', async () => {
    const { asked } = await listening();
    const outside = await startServer({
      '/': (socket) =>
        socket.end('HTTP/1.1 302 Found\r\nlocation: http://localhost/\r\ncontent-length: 0\r\n\r\n'),
    });
    onTestFinished(() => outside.close());
    const led = ask({ url: `${outside.origin}/` }, { allow: [outside.authority] });
    await expect(led).rejects.toMatchObject({ kind: 'egress_blocked' });
    expect(asked).toEqual([]);
  });

  it('has no TLS', async () => {
    const { socketPath, asked } = await listening();
    await expect(ask({ socketPath, url: 'https://localhost/' })).rejects.toMatchObject({
      kind: 'request_invalid',
      sent: 'none',
    });
    expect(asked).toEqual([]);
  });

  it('says which socket is not there', async () => {
    const socketPath = join(tmpdir(), 'toolcrib-no-such.sock');
    await expect(ask({ socketPath, method: 'POST' })).rejects.toMatchObject({
      kind: 'connect_refused',
      sent: 'none',
      message: `There is no socket ${socketPath} (ENOENT)`,
    });
  });
});
