import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts';

export interface ConnectProxy {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly port: number;
  /** What it was asked to lead to, with `Proxy-Authorization`. */
  readonly asked: ReadonlyArray<{ readonly target: string; readonly authorization: string | undefined }>;
  /** Requests that were no `CONNECT`. */
  readonly others: readonly string[];
  close(): Promise<void>;
}

export interface ConnectProxyOptions {
  /** Where tunnels really end, whatever they were asked for: `127.0.0.1:PORT`. */
  readonly leadsTo: string;
  /** Status instead of a tunnel. */
  readonly refuse?: (target: string) => number | undefined;
  /** Never answers. */
  readonly silent?: boolean;
  readonly secure?: boolean;
}

/** A forward proxy on loopback that opens tunnels as RFC 9110 §9.3.6 says. */
export async function startConnectProxy(options: ConnectProxyOptions): Promise<ConnectProxy> {
  const { leadsTo, refuse = () => undefined, silent = false, secure = false } = options;
  const asked: Array<{ target: string; authorization: string | undefined }> = [];
  const others: string[] = [];
  const sockets = new Set<Duplex>();
  const server = secure ? createSecureServer({ cert: SERVER_CERTIFICATE, key: SERVER_KEY }) : createServer();
  server.on('request', (request, response) => {
    others.push(`${request.method} ${request.url}`);
    response.writeHead(400).end();
  });
  server.on('connection', (socket: Duplex) => sockets.add(socket));
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    const target = request.url ?? '';
    asked.push({ target, authorization: request.headers['proxy-authorization'] });
    if (silent) return;
    const status = refuse(target);
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 6\r\n\r\nno way`);
      return;
    }
    const [host, port] = leadsTo.split(':');
    const onward = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    sockets.add(onward);
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    origin: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    asked,
    others,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
