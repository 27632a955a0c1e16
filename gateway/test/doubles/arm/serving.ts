import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ArmAnswer } from './arm-errors.ts';
import type { ArmRequestRecord } from './interference.ts';

/** A server on 127.0.0.1. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1; undefined: any free one. Rejects where it is taken. */
export async function listening(
  port: number | undefined,
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Listening> {
  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The whole request, without its token. */
export async function received(incoming: IncomingMessage): Promise<ArmRequestRecord> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const [path = '', ...rest] = incoming.url!.split('?');
  const { authorization, ...headers } = incoming.headers;
  return {
    method: incoming.method!,
    path,
    query: Object.fromEntries(new URLSearchParams(rest.join('?'))),
    headers: headers as Record<string, string>,
    authorized: authorization !== undefined,
    body: Buffer.concat(chunks).toString(),
    status: 0,
  };
}

/** Ids of the request, and what is left of the subscription's requests. */
export function armHeaders(
  { method, headers }: ArmRequestRecord,
  left: { count: number },
): Record<string, string> {
  const kind = method === 'GET' ? 'reads' : method === 'DELETE' ? 'deletes' : 'writes';
  const id = randomUUID();
  left.count = Math.max(0, left.count - 1);
  return {
    'x-ms-request-id': id,
    'x-ms-correlation-request-id': headers['x-ms-correlation-request-id'] ?? id,
    'x-ms-routing-request-id': `WESTUS:20260304T050607Z:${id}`,
    [`x-ms-ratelimit-remaining-subscription-${kind}`]: String(left.count),
    ...(headers['x-ms-client-request-id'] === undefined
      ? {}
      : { 'x-ms-client-request-id': headers['x-ms-client-request-id'] }),
  };
}

/** Text goes out as it is, everything else as JSON. */
export function send(response: ServerResponse, { status, headers = {}, body }: ArmAnswer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const raw = typeof body === 'string';
  response.writeHead(
    status,
    raw ? headers : { 'content-type': 'application/json; charset=utf-8', ...headers },
  );
  response.end(raw ? body : JSON.stringify(body));
}
