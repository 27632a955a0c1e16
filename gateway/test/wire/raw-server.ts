import { createServer, type Socket } from 'node:net';

/** One request as it came over the wire. */
export interface RawRequest {
  /** `GET /path?query HTTP/1.1` */
  readonly line: string;
  /** Lower-case names, values as sent; repeated headers stay apart. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  /** Bytes as Latin-1 text, chunks joined. */
  readonly body: string;
}

export interface RawServer {
  readonly origin: string;
  readonly requests: RawRequest[];
  close(): Promise<void>;
}

const ANSWER =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}';

/** A TCP server on 127.0.0.1 that keeps every byte and parses nothing but the framing. */
export async function startRawServer(answer: string = ANSWER): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const request = wholeRequest(received);
      if (request === undefined) return;
      received = '';
      requests.push(request);
      socket.end(answer, 'latin1');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        for (const socket of sockets) socket.destroy();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}

function wholeRequest(received: string): RawRequest | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = lines.map((header) => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).replace(/^ /, '')] as const;
  });
  const rest = received.slice(end + 4);
  const length = headers.find(([name]) => name === 'content-length')?.[1];
  if (headers.some(([name]) => name === 'transfer-encoding')) throw new Error('requests carry their length');
  if (rest.length < Number(length ?? 0)) return undefined;
  return { line, headers, body: rest };
}
