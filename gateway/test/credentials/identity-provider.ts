import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

/** A real HTTP server in the place of an OAuth and OpenID provider; answers by path. */
export interface IdentityProvider {
  readonly origin: string;
  readonly received: readonly ReceivedRequest[];
  on(path: string, answer: Answer): void;
  close(): Promise<void>;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const answers = new Map<string, Answer>();
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '/', 'http://provider');
    const entry = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    received.push(entry);
    const answer = answers.get(pathname);
    if (answer === undefined) response.writeHead(404).end();
    else await answer(entry, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    on: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Issues `token-1`, `token-2` … */
export function issueTokens(extra: Readonly<Record<string, unknown>> = { expires_in: 3600 }): Answer {
  let count = 0;
  return (_, response) =>
    sendJson(response, 200, { access_token: `token-${++count}`, token_type: 'Bearer', ...extra });
}
