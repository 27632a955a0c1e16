import { once } from 'node:events';
import net from 'node:net';

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RecordingServer {
  readonly authority: string;
  readonly origin: string;
  readonly requests: readonly Recorded[];
  readonly connections: number;
  close(): Promise<void>;
}

/** What is written for one path: bytes as they go on the wire, or something done to the socket. */
export type Script = string | Buffer | ((socket: net.Socket) => void);

/** A server on 127.0.0.1 that answers with raw bytes, since a real HTTP server refuses to misbehave. */
export async function startServer(routes: Readonly<Record<string, Script>>): Promise<RecordingServer> {
  const requests: Recorded[] = [];
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let request = takeRequest(received); request; request = takeRequest(received)) {
        received = received.slice(request.length);
        requests.push(request.recorded);
        const script = routes[request.recorded.path] ?? respond(404, '');
        if (typeof script === 'function') script(socket);
        else socket.write(script);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return {
    authority,
    origin: `http://${authority}`,
    requests,
    get connections() {
      return connections;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function takeRequest(text: string): { recorded: Recorded; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = text.slice(0, end).split('\r\n');
  const [method = '', path = ''] = start.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  return { recorded: { method, path, headers, body: text.slice(end + 4, length) }, length };
}

/** A well-formed answer with a length. */
export function respond(status: number, body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ 'content-length': String(bytes.length), ...headers });
  const head = `HTTP/1.1 ${status} Reason\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

export function redirect(status: number, location: string): Buffer {
  return respond(status, '', { location });
}
