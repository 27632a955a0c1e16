import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts';

interface Seen {
  readonly url: string;
  /** Common name of the client's certificate. */
  readonly client: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

export interface TlsService {
  readonly base: string;
  readonly seen: readonly Seen[];
  readonly connections: number;
  close(): void;
}

/** Speaks TLS to whoever trusts the tests' authority; `asks` for a client certificate of the same one. */
export async function tlsService(
  asks: 'requires' | 'asks' | 'neither' = 'requires',
  answer = (_url: string): { status?: number; headers?: Record<string, string>; body?: string } => ({}),
): Promise<TlsService> {
  const seen: Seen[] = [];
  let connections = 0;
  const tls = { requestCert: asks !== 'neither', rejectUnauthorized: asks === 'requires' };
  const server: Server = createServer(
    { cert: SERVER_CERTIFICATE, key: SERVER_KEY, ca: AUTHORITY, ...tls },
    async (request, response) => {
      const { url = '', headers } = request;
      let body = '';
      for await (const piece of request) body += piece;
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      seen.push({
        url,
        client: subject?.CN as string | undefined,
        authorization: headers.authorization,
        body,
      });
      const answered = answer(url);
      response.writeHead(answered.status ?? 200, { 'content-type': 'application/json', ...answered.headers });
      response.end(answered.body ?? '{}');
    },
  );
  server.on('secureConnection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    get connections() {
      return connections;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
