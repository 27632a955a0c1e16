import { afterEach, describe, expect, it } from 'vitest';
import { createCredentialProvider } from '../../src/credentials/index.ts';
import { createEgress, type OutgoingRequest } from '../../src/egress/index.ts';
import { type Connection, DEFAULT_LIMITS, type TlsSettings } from '../../src/operations/index.ts';
import {
  AUTHORITY,
  CLIENT_CERTIFICATE,
  CLIENT_KEY,
  ENCRYPTED_CLIENT_KEY,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from '../egress/certificates.ts';
import { startConnectProxy } from '../egress/connect-proxy.ts';
import { tlsService } from '../egress/tls-service.ts';

const LIMITS = { timeoutMs: 5000, maxBytes: 100_000, maxRedirects: 3 };
const CLIENT: TlsSettings = { certificate: CLIENT_CERTIFICATE, key: CLIENT_KEY, ca: AUTHORITY };

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const service: typeof tlsService = async (...asked) => {
  const started = await tlsService(...asked);
  open.push(started.close);
  return started;
};

function connectionTo(baseUrl: string, more: Partial<Connection> = {}): Connection {
  return { name: 'bank', source: 'bank', baseUrl, securitySchemes: {}, limits: DEFAULT_LIMITS, ...more };
}

function caller(allow: readonly string[], env: Record<string, string> = {}) {
  const egress = createEgress({ allow });
  open.push(() => egress.close());
  const secrets: string[] = [];
  const credentials = createCredentialProvider({
    egress,
    env,
    redactor: { add: (one) => void secrets.push(one) },
  });
  const { signal } = new AbortController();
  return {
    egress,
    secrets,
    authorize: (
      request: OutgoingRequest,
      connection: Connection,
      security: Parameters<typeof credentials.authorize>[2] = [],
    ) => credentials.authorize(request, connection, security, signal),
    async call(
      connection: Connection,
      path = '/',
      more: Partial<OutgoingRequest> = {},
      security: Parameters<typeof credentials.authorize>[2] = [],
    ) {
      const plain = { method: 'GET', url: `${connection.baseUrl}${path}`, headers: [], ...more };
      return egress.request(await credentials.authorize(plain, connection, security, signal), LIMITS, signal);
    },
  };
}

describe('a client certificate', () => {
  it('is shown to the service that asks for it, whose authority is trusted', async () => {
    const bank = await service();
    const { call } = caller([bank.base]);
    expect(await call(connectionTo(bank.base, { tls: CLIENT }))).toMatchObject({ status: 200 });
    expect(bank.seen).toMatchObject([{ client: 'toolcrib' }]);
  });

  it('is told to be missing where the service ends TLS for want of one, which it may say late', async () => {
    const bank = await service();
    const { call } = caller([bank.base]);
    const connection = connectionTo(bank.base, { tls: { ca: AUTHORITY } });
    await expect(call(connection)).rejects.toMatchObject({
      kind: 'tls_cert',
      tls: 'refused',
      message: expect.stringContaining(
        'refuses the TLS connection (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)',
      ),
    });
    expect(bank.seen).toEqual([]);
  });

  it('may have a key with a passphrase; key and passphrase are known as secrets', async () => {
    const bank = await service();
    const { call, secrets } = caller([bank.base], { KEY: ENCRYPTED_CLIENT_KEY, WORD: 'open-sesame' });
    const tls = { ...CLIENT, key: { env: 'KEY' }, passphrase: { env: 'WORD' } };
    await call(connectionTo(bank.base, { tls }));
    expect(bank.seen).toMatchObject([{ client: 'toolcrib' }]);
    expect(secrets).toEqual([ENCRYPTED_CLIENT_KEY.trim(), 'open-sesame']);
  });

  it('is of one source: another that goes to the same address shows none, over connections of its own', async () => {
    const bank = await service('asks');
    const { call } = caller([bank.base]);
    const named = connectionTo(bank.base, { tls: CLIENT });
    const nameless = connectionTo(bank.base, { name: 'other', source: 'other', tls: { ca: AUTHORITY } });
    for (const connection of [named, nameless, named, nameless]) await call(connection);
    expect(bank.seen.map(({ client }) => client)).toEqual(['toolcrib', undefined, 'toolcrib', undefined]);
    expect(bank.connections).toBe(2);
  });

  it('counts with the next call when it is exchanged', async () => {
    const bank = await service('asks');
    const env: Record<string, string> = { CERTIFICATE: CLIENT_CERTIFICATE, KEY: CLIENT_KEY };
    const { call } = caller([bank.base], env);
    const tls = { certificate: { env: 'CERTIFICATE' }, key: { env: 'KEY' }, ca: AUTHORITY };
    await call(connectionTo(bank.base, { tls }));
    Object.assign(env, { CERTIFICATE: SERVER_CERTIFICATE, KEY: SERVER_KEY });
    await call(connectionTo(bank.base, { tls }));
    expect(bank.seen.map(({ client }) => client)).toEqual(['toolcrib', 'api.example.com']);
  });

  it('does not follow a redirect to another origin', async () => {
    const other = await service('asks');
    const bank = await service('asks', () => ({ status: 302, headers: { location: `${other.base}/there` } }));
    const { call } = caller([bank.base, other.base]);
    // nor does the trust: the other one's certificate is of an authority that only this source trusts
    await expect(call(connectionTo(bank.base, { tls: CLIENT }))).rejects.toMatchObject({ kind: 'tls_cert' });
    expect(other.seen).toEqual([]);
    expect(bank.seen).toMatchObject([{ client: 'toolcrib' }]);
  });

  it('goes through a proxy, which sees nothing of it', async () => {
    const bank = await service();
    const proxy = await startConnectProxy({ leadsTo: new URL(bank.base).host });
    open.push(() => proxy.close());
    const egress = createEgress({
      proxy: { url: proxy.origin },
      resolve: async () => [{ address: '93.184.215.14', family: 4 }],
    });
    open.push(() => egress.close());
    const credentials = createCredentialProvider({ egress, env: {} });
    const connection = connectionTo('https://api.example.com', { tls: CLIENT });
    const { signal } = new AbortController();
    const request = await credentials.authorize(
      { method: 'GET', url: 'https://api.example.com/', headers: [] },
      connection,
      [],
      signal,
    );
    expect(await egress.request(request, LIMITS, signal)).toMatchObject({ status: 200 });
    expect(bank.seen).toMatchObject([{ client: 'toolcrib' }]);
    expect(proxy.asked).toMatchObject([{ target: '93.184.215.14:443' }]);
  });

  it('is missed: the service ends the handshake, and nothing was sent', async () => {
    const bank = await service();
    const { call } = caller([bank.base]);
    await expect(call(connectionTo(bank.base, { tls: { ca: AUTHORITY } }))).rejects.toMatchObject({
      name: 'EgressFailure',
    });
    expect(bank.seen).toEqual([]);
  });
});

describe('what cannot be used', () => {
  it.each([
    ['a key of another certificate', { key: SERVER_KEY }, 'the key does not belong to the certificate'],
    ['a key that is none', { key: 'nonsense' }, 'the key is no private key in PEM'],
    ['no passphrase', { key: ENCRYPTED_CLIENT_KEY }, 'the key needs a passphrase'],
    [
      'a wrong passphrase',
      { key: ENCRYPTED_CLIENT_KEY, passphrase: 'guess' },
      'the passphrase does not open the key',
    ],
    [
      'a certificate that is none',
      { certificate: 'nonsense' },
      'certificate cannot be used: it holds no certificate',
    ],
    ['an authority that is none', { ca: 'nonsense' }, 'ca cannot be used: it holds no certificate in PEM'],
  ])('%s', async (_what, wrong, message) => {
    const { call } = caller(['127.0.0.1']);
    const tls = { ...CLIENT, ...wrong };
    await expect(call(connectionTo('https://127.0.0.1:9', { tls }))).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining(message),
    });
  });

  it('the name of a file in the place of what is in it', async () => {
    const { call } = caller(['127.0.0.1']);
    const wrong = connectionTo('https://127.0.0.1:9', { tls: { ca: './bank-ca.pem' } });
    await expect(call(wrong)).rejects.toMatchObject({
      code: 'configuration_invalid',
      next: 'A file is named by { file: … }: sources.bank.tls.ca: { file: ./bank-ca.pem }.',
    });
  });

  it('a file that is missing', async () => {
    const { call } = caller(['127.0.0.1']);
    const tls = { ...CLIENT, key: { file: '/nowhere/client.key' } };
    await expect(call(connectionTo('https://127.0.0.1:9', { tls }))).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('sources.bank.tls.key'),
    });
  });

  it('an address without TLS', async () => {
    const { call } = caller(['127.0.0.1']);
    await expect(call(connectionTo('http://127.0.0.1:9', { tls: CLIENT }))).rejects.toMatchObject({
      kind: 'request_invalid',
      sent: 'none',
      message: expect.stringContaining('needs https'),
    });
  });

  it('an address that is not the source’s', async () => {
    const { authorize } = caller(['127.0.0.1']);
    const request = { method: 'GET', url: 'https://127.0.0.1:10/', headers: [] };
    await expect(
      authorize(request, connectionTo('https://127.0.0.1:9', { tls: CLIENT })),
    ).rejects.toMatchObject({
      code: expect.any(String),
    });
  });
});

describe('a scheme of type mutualTLS', () => {
  const securitySchemes = {
    certificate: { type: 'mutualTLS' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  } as const;
  const credentials = { apiKey: 'word' };

  it('is satisfied by the certificate, alone or beside another', async () => {
    const bank = await service();
    const { call } = caller([bank.base]);
    const connection = connectionTo(bank.base, { tls: CLIENT, securitySchemes, credentials });
    await call(connection, '/', {}, [{ certificate: [] }]);
    await call(connection, '/', {}, [{ certificate: [], key: [] }]);
    expect(bank.seen).toHaveLength(2);
  });

  it('says what is to be set where there is none', async () => {
    const { call } = caller(['127.0.0.1']);
    const connection = connectionTo('https://127.0.0.1:9', { securitySchemes });
    await expect(call(connection, '/', {}, [{ certificate: [] }])).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('set sources.bank.tls.certificate and sources.bank.tls.key'),
    });
  });

  it('is no credential of an account that somebody connected: it says who runs the gateway', async () => {
    const bank = await service();
    const { call } = caller([bank.base]);
    const account = connectionTo(bank.base, {
      tls: CLIENT,
      securitySchemes,
      credentials,
      account: 'c1',
      accountOwner: 'organisation',
    });
    await expect(call(account, '/', {}, [{ certificate: [] }])).rejects.toMatchObject({
      code: 'connection_missing',
    });
    expect(await call(account, '/', {}, [{ certificate: [], key: [] }])).toMatchObject({ status: 200 });
  });
});

describe('a token endpoint', () => {
  it('sees the certificate, which stands for a secret (RFC 8705)', async () => {
    const bank = await service('requires', (url) =>
      url === '/token' ? { body: '{"access_token":"issued","token_type":"Bearer","expires_in":600}' } : {},
    );
    const { call } = caller([bank.base]);
    const connection = connectionTo(bank.base, {
      tls: CLIENT,
      securitySchemes: { oauth: { type: 'oauth2', tokenUrl: `${bank.base}/token`, scopes: ['accounts'] } },
      credentials: { oauth2: { clientId: 'toolcrib-client' } },
    });
    await call(connection, '/accounts', {}, [{ oauth: ['accounts'] }]);
    expect(bank.seen).toEqual([
      {
        url: '/token',
        client: 'toolcrib',
        authorization: undefined,
        body: 'grant_type=client_credentials&scope=accounts&client_id=toolcrib-client',
      },
      { url: '/accounts', client: 'toolcrib', authorization: 'Bearer issued', body: '' },
    ]);
  });
});
