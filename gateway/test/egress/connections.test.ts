import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { createEgress } from '../../src/egress/index.ts';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts';
import { respond, startServer } from './recording-server.ts';

const LIMITS = { timeoutMs: 10_000, maxBytes: 1000, maxRedirects: 0 };
const { signal } = new AbortController();

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

it('speaks HTTP/1.1, also with a service that offers HTTP/2: how far a request got is known of it alone', async () => {
  const versions: string[] = [];
  const settings = { allowHTTP1: true, cert: SERVER_CERTIFICATE, key: SERVER_KEY };
  const server = http2.createSecureServer(settings, (request, response) => {
    versions.push(request.httpVersion);
    response.end('ok');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const egress = createEgress({ allow: ['127.0.0.1'] });
  open.push(server, egress);
  const tls = { id: 'tests', context: createSecureContext({ ca: AUTHORITY }) };
  const { status } = await egress.request({ method: 'GET', url: base, headers: [], tls }, LIMITS, signal);
  expect(status).toBe(200);
  expect(versions).toEqual(['1.1']);
});

it('takes heads of answers up to 64 KiB', async () => {
  const server = await startServer({
    '/much': respond(200, 'ok', { 'x-much': 'x'.repeat(40_000) }),
    '/more': respond(200, 'ok', { 'x-much': 'x'.repeat(70_000) }),
  });
  const egress = createEgress({ allow: [server.authority] });
  open.push(server, egress);
  const get = (path: string) =>
    egress.request({ method: 'GET', url: `${server.origin}${path}`, headers: [] }, LIMITS, signal);
  expect((await get('/much')).headers['x-much']).toHaveLength(40_000);
  await expect(get('/more')).rejects.toMatchObject({ kind: 'malformed' });
});
