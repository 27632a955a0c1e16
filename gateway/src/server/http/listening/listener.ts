import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ToolcribError } from '../../../errors.ts';
import { type Answer, WholeAnswer } from '../../whole-answer.ts';
import { watchHandshakes } from './handshakes.ts';
import type { ServerCertificate } from './server-certificate.ts';

/** Unanswered requests of one connection: clients send the next one after the answer, or a few ahead. */
const MOST_AHEAD = 100;

/** Who opens a connection and does not shake hands holds it no longer, milliseconds. */
const HANDSHAKE_MS = 15_000;

const handshakesOf = new WeakMap<Server, () => void>();

/**
 * Accepts connections for a web-standard handler, and tells when a request is over. Port 0 picks a free one; with a
 * certificate it speaks https. Throws `port_in_use`, `configuration_invalid`.
 */
export async function startListening(
  fetch: (request: Request) => Promise<Answer>,
  host: string,
  port: number,
  ended: (request: Request) => void = () => undefined,
  certificate?: ServerCertificate,
  /** Told of an answer that broke off after it had begun. */
  broken: (error: unknown) => void = () => undefined,
): Promise<{ server: Server; port: number; url: string }> {
  const goesOn = createUnanswered();
  const listener = getRequestListener(
    async (request, bindings) => {
      const { incoming, outgoing } = bindings as HttpBindings;
      if (!goesOn(incoming.socket, outgoing, () => ended(request))) return RESPONSE_ALREADY_SENT;
      const answer = await fetch(request);
      // who kept the connection for its next request finds another gateway
      if (!server.listening) outgoing.shouldKeepAlive = false;
      const isOld = incoming.httpVersion === '1.0';
      if (answer instanceof WholeAnswer)
        return isOld ? untilTheEnd(answer.toResponse()) : writtenAtOnce(answer, outgoing);
      const response = cutWhereItBreaks(answer, (error) => {
        broken(error);
        outgoing.destroy();
      });
      return isOld ? untilTheEnd(response) : streamedAtOnce(response);
    },
    { overrideGlobalObjects: false },
  );
  const server =
    certificate === undefined ? createServer(listener) : await createSecure(listener, certificate);
  const listening = Promise.withResolvers<void>();
  // stays: a connection that could not be accepted is an error of the server, too, and nobody else listens to it
  server.on('error', (error: NodeJS.ErrnoException) => listening.reject(listenError(error, host, port)));
  server.listen({ host, port }, () => listening.resolve());
  await listening.promise;
  const bound = (server.address() as AddressInfo).port;
  const scheme = certificate === undefined ? 'http' : 'https';
  return { server, port: bound, url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}` };
}

async function createSecure(listener: RequestListener, { options }: ServerCertificate): Promise<Server> {
  const { createServer: createTlsServer } = await import('node:https');
  const server = createTlsServer({ ...options, handshakeTimeout: HANDSHAKE_MS }, listener);
  handshakesOf.set(server, watchHandshakes(server));
  return server;
}

/**
 * Counts the unanswered requests of each connection, and cuts one that sends on and on: they would all be begun, and
 * their answers kept. A connection that is gone ends what waits in line for it, of which nothing else is told.
 */
function createUnanswered() {
  const connections = new WeakMap<Socket, Set<() => void>>();
  const unansweredOf = (socket: Socket): Set<() => void> => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const unanswered = new Set<() => void>();
    connections.set(socket, unanswered);
    socket.once('close', () => {
      for (const end of unanswered) end();
    });
    return unanswered;
  };
  /** False when the connection is cut. */
  return (socket: Socket, outgoing: HttpBindings['outgoing'], ended: () => void): boolean => {
    const unanswered = unansweredOf(socket);
    unanswered.add(ended);
    outgoing.once('close', () => {
      unanswered.delete(ended);
      ended();
    });
    if (unanswered.size > MOST_AHEAD) socket.destroy();
    return !socket.destroyed;
  };
}

/** Head and body in one write. */
function writtenAtOnce({ status, headers, text }: WholeAnswer, outgoing: HttpBindings['outgoing']): Response {
  headers.set('content-length', String(Buffer.byteLength(text)));
  outgoing.writeHead(status, Object.fromEntries(headers));
  outgoing.end(text);
  return RESPONSE_ALREADY_SENT;
}

/**
 * The adapter holds back the first event of a stream for a timer's turn, to see whether the stream ends; a
 * response that names its transfer coding is written as it comes.
 */
function streamedAtOnce(response: Response): Response {
  if (isEventStream(response)) response.headers.set('transfer-encoding', 'chunked');
  return response;
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** Streams and artifacts are read while they are written, which can fail: the adapter would print that with its stack. */
function cutWhereItBreaks(response: Response, cut: (error: unknown) => void): Response {
  const { body, headers } = response;
  if (body === null || !(isEventStream(response) || headers.has('content-length'))) return response;
  const reader = body.getReader();
  let left = false;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const part = await reader.read().catch((error: unknown) => {
      if (!left) cut(error);
    });
    if (left) return;
    if (part?.value === undefined) controller.close();
    else controller.enqueue(part.value);
  };
  const cancel = (reason: unknown) => {
    left = true;
    return reader.cancel(reason);
  };
  const whole = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  return new Response(whole, response);
}

/**
 * HTTP/1.0, as some proxies still ask: it knows no chunks (RFC 9112 §6.1), and what has no length ends with its
 * connection.
 */
function untilTheEnd(response: Response): Response {
  response.headers.delete('connection');
  return response;
}

/** Refuses new connections at once; what is still open after `graceMs`, and once all callers were `told`, is cut. */
export async function stopListening(server: Server, graceMs: number, told?: Promise<unknown>): Promise<void> {
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  server.closeIdleConnections();
  handshakesOf.get(server)?.();
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(async () => {
    await told;
    server.closeAllConnections();
  }, graceMs);
  await closed.promise;
  clearInterval(idle);
  clearTimeout(cut);
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): ToolcribError {
  if (error.code === 'EADDRINUSE') {
    return new ToolcribError('port_in_use', `Port ${port} on ${host} is in use.`, { cause: error });
  }
  const why = error.code === 'EACCES' ? 'this user may not use that port' : error.message;
  return new ToolcribError('configuration_invalid', `Cannot listen on ${host}, port ${port}: ${why}.`, {
    cause: error,
  });
}
