import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Agent, fetch as send } from 'undici';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkPort } from '../../../src/doctor/port/port.ts';
import { type ConfigurationInput, createGateway, type Gateway } from '../../../src/index.ts';
import { startListening, stopListening } from '../../../src/server/http/listening/listener.ts';
import {
  followCertificate,
  type ServerCertificate,
} from '../../../src/server/http/listening/server-certificate.ts';
import {
  AUTHORITY,
  CLIENT_CERTIFICATE,
  CLIENT_KEY,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from '../../egress/certificates.ts';

const dispatcher = new Agent({ connect: { ca: AUTHORITY } });
/** As clients that trust the company's authority. */
const ask = ((url: string | URL, init?: object) => send(url, { ...init, dispatcher })) as typeof fetch;

let folder: string;
let gateway: Gateway;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-https-'));
  await writeFile(join(folder, 'server.pem'), SERVER_CERTIFICATE);
  await writeFile(join(folder, 'server.key'), SERVER_KEY);
});

afterEach(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true, force: true });
});

async function listen(server: ConfigurationInput['server'] = {}) {
  gateway = await createGateway({
    stateDirectory: join(folder, 'state'),
    store: 'none',
    sources: { gateway: { self: {} } },
    server: {
      port: 0,
      tls: { certificate: { file: join(folder, 'server.pem') }, key: { file: join(folder, 'server.key') } },
      ...server,
    },
  });
  return gateway.listen();
}

const shown = (port: number) =>
  new Promise<string | undefined>((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.subject);
      socket.destroy();
    });
    socket.on('error', reject);
  });

it('serves MCP, the API and the console over https', async () => {
  const { url } = await listen();
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: ask }));
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  await client.close();
  expect(await (await ask(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
});

it('keeps the cookie of a browser for https alone', async () => {
  const { url } = await listen({ token: 'a-token-of-the-operator' });
  const answer = await ask(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ token: 'a-token-of-the-operator' }),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('set-cookie')).toMatch(/^__Host-toolcrib_session_\d+=.*; Secure$/);
});

it('cuts who speaks http, and whoever never shakes hands when it closes', async () => {
  const { url, port } = await listen({ drain: '1h' });
  await expect(fetch(url.replace('https', 'http'))).rejects.toThrow('fetch failed');
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  // a second connection is accepted after the first
  await ask(`${url}/healthz`);
  const cut = once(silent, 'close');
  silent.on('error', () => undefined);
  await gateway.close();
  await cut;
});

it.each([
  [
    'credentials_missing',
    'a file that is missing',
    { certificate: { file: '/nowhere.pem' }, key: SERVER_KEY },
  ],
  ['configuration_invalid', 'a key of another', { certificate: SERVER_CERTIFICATE, key: CLIENT_KEY }],
  ['configuration_invalid', 'what is no certificate', { certificate: SERVER_KEY, key: SERVER_KEY }],
])('does not listen (%s) with %s', async (code, _what, tls) => {
  await expect(listen({ tls })).rejects.toMatchObject({
    code,
    message: expect.stringContaining('server.tls'),
  });
});

it('needs certificate and key', async () => {
  await expect(listen({ tls: { certificate: 'x' } as never })).rejects.toMatchObject({
    code: 'configuration_invalid',
    message: expect.stringContaining('server.tls.key'),
  });
});

it('shows new connections the certificate that was put in the place of its own', async () => {
  const first = { id: 'first', options: { cert: SERVER_CERTIFICATE, key: SERVER_KEY } };
  const second = { id: 'second', options: { cert: CLIENT_CERTIFICATE, key: CLIENT_KEY } };
  const { server, port } = await startListening(
    async () => new Response('here'),
    '127.0.0.1',
    0,
    undefined,
    first,
  );
  expect(await shown(port)).toBe('CN=api.example.com');
  const answers: (ServerCertificate | Error)[] = [
    first,
    new Error('half written'),
    new Error('half written'),
    second,
    new Error('half written'),
  ];
  const errors: string[] = [];
  const done = Promise.withResolvers<void>();
  const end = followCertificate(server as Server, {
    shown: first,
    async read() {
      const now = answers.shift();
      if (now === undefined) done.resolve();
      if (now instanceof Error) throw now;
      return now ?? second;
    },
    onError: ({ message }) => errors.push(message),
    everyMs: 1,
  });
  await done.promise;
  end();
  expect(await shown(port)).toBe('CN=toolcrib');
  expect(errors).toEqual(['half written', 'half written']);
  await stopListening(server, 100);
});

it('is known by its certificate to the doctor of the next start', async () => {
  const { port } = await listen();
  const { server } = gateway.configuration;
  const at = (tls: object) =>
    checkPort({ server: { ...server, port, tls }, auth: { mode: 'local' } } as never, {});
  expect(await at(server.tls!)).toMatchObject({
    status: 'info',
    message: expect.stringContaining(`console at https://127.0.0.1:${port}/`),
  });
  expect(await at({ certificate: CLIENT_CERTIFICATE, key: CLIENT_KEY })).toMatchObject({ status: 'warning' });
});
