import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createSecretReader } from '../../src/credentials/secret-reference.ts';
import { createEgress } from '../../src/egress/index.ts';
import type { TlsSettings } from '../../src/operations/index.ts';
import { createUpstreamSignIns } from '../../src/upstreams/oauth/upstream-oauth.ts';
import { createOpenTransport } from '../../src/upstreams/transports/open-transport.ts';
import type { RemoteTransport } from '../../src/upstreams/transports/transport.ts';
import { type McpHttpOptions, startMcpServer } from '../doubles/mcp-http-server.ts';
import {
  AUTHORITY,
  CLIENT_CERTIFICATE,
  CLIENT_KEY,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from '../egress/certificates.ts';
import { type TlsService, tlsService } from '../egress/tls-service.ts';
import { remote } from './remote.ts';

const CLIENT: TlsSettings = { certificate: CLIENT_CERTIFICATE, key: CLIENT_KEY, ca: AUTHORITY };
const SECURE = {
  cert: SERVER_CERTIFICATE,
  key: SERVER_KEY,
  ca: AUTHORITY,
  requestCert: true,
  rejectUnauthorized: true,
};

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function serve(options: Partial<McpHttpOptions> = {}) {
  const server = await startMcpServer({ era: 'session', secure: SECURE, ...options });
  open.push(() => server.close());
  return server;
}

/** An authorization server that gives a token to whoever has a client id. */
async function authorizationServer(asks: 'requires' | 'asks'): Promise<TlsService> {
  const service: TlsService = await tlsService(asks, (url) => ({
    body: JSON.stringify(
      url === '/token'
        ? { access_token: 'the-token', token_type: 'Bearer', expires_in: 3600 }
        : {
            issuer: service.base,
            authorization_endpoint: `${service.base}/authorize`,
            token_endpoint: `${service.base}/token`,
            token_endpoint_auth_methods_supported: ['tls_client_auth'],
            code_challenge_methods_supported: ['S256'],
            response_types_supported: ['code'],
          },
    ),
  }));
  open.push(service.close);
  return service;
}

async function connect(url: string, changes: Partial<RemoteTransport>, allow: readonly string[] = []) {
  const egress = createEgress({ allow: [new URL(url).origin, ...allow] });
  open.push(() => egress.close());
  const secrets = createSecretReader({}, () => {});
  const signIns = createUpstreamSignIns({ egress, secrets, announce: () => {} });
  const openTransport = createOpenTransport({ egress, secrets, signIns });
  const { transport } = await openTransport(remote(url, changes), '', AbortSignal.timeout(5_000));
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  open.push(() => client.close());
  await client.connect(transport, { timeout: 5_000 });
  return client;
}

describe('the client certificate of an upstream server', () => {
  it.each([
    ['session', 'http'],
    ['stateless', 'http'],
    ['sse', 'sse'],
  ] as const)('is shown with every request: %s', async (era, kind) => {
    const server = await serve({ era });
    const client = await connect(server.url, { kind, tls: CLIENT });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'cut']);
    expect(new Set(server.clients)).toEqual(new Set(['toolcrib']));
  });

  it('is missed where there is none', async () => {
    const server = await serve();
    await expect(connect(server.url, { tls: { ca: AUTHORITY } })).rejects.toThrow();
    await expect(connect(server.url, {})).rejects.toThrow();
    expect(server.requests).toEqual([]);
  });

  it('is never sent over http', async () => {
    const server = await startMcpServer({ era: 'session' });
    open.push(() => server.close());
    await connect(server.url, { tls: CLIENT }).catch(() => undefined);
    expect(server.requests).toEqual([]);
  });

  it('that cannot be read is said as that, and nothing is sent', async () => {
    const server = await serve();
    const tls = { ...CLIENT, certificate: { file: '/nowhere/client.pem' } };
    await expect(connect(server.url, { tls })).rejects.toThrow(/sources\.remote\.tls\.certificate/);
    expect(server.requests).toEqual([]);
  });

  it('stands for a client secret at the token endpoint, and is not shown to what else leads there', async () => {
    const oauth = await authorizationServer('asks');
    const server = await serve({
      guard: ({ authorization }) =>
        authorization === 'Bearer the-token'
          ? undefined
          : {
              status: 401,
              headers: { 'www-authenticate': `Bearer resource_metadata="${server.origin}/metadata"` },
            },
      routes: {
        '/metadata': () => ({
          status: 200,
          body: { resource: server.url, authorization_servers: [oauth.base] },
        }),
      },
    });
    const settings = { grant: 'client_credentials', clientId: 'gateway' } as const;
    const client = await connect(server.url, { tls: CLIENT, oauth: settings }, [oauth.base]);
    expect((await client.listTools()).tools).toHaveLength(2);
    expect(new Set(server.clients)).toEqual(new Set(['toolcrib']));
    const [asked, ...others] = oauth.seen.toReversed();
    expect(asked).toMatchObject({ url: '/token', client: 'toolcrib', authorization: undefined });
    expect(asked?.body).toContain('client_id=gateway');
    expect(others.map(({ client: shown }) => shown)).toEqual([undefined]);
  });
});
