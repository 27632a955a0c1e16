import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ToolcribError } from '../../errors.ts';
import { type Answer, WholeAnswer } from '../whole-answer.ts';

/** Accepts connections for a web-standard handler. Port 0 picks a free one. Throws `port_in_use`, `configuration_invalid`. */
export async function startListening(
  fetch: (request: Request) => Promise<Answer>,
  host: string,
  port: number,
): Promise<{ server: Server; port: number; url: string }> {
  const server = createServer(
    getRequestListener(
      async (request, bindings) => {
        const { incoming, outgoing } = bindings as HttpBindings;
        const answer = await fetch(request);
        // who kept the connection for its next request finds another gateway
        if (!server.listening) outgoing.shouldKeepAlive = false;
        if (incoming.httpVersion === '1.0') return untilTheEnd(answer);
        return answer instanceof WholeAnswer ? writtenAtOnce(answer, outgoing) : streamedAtOnce(answer);
      },
      { overrideGlobalObjects: false },
    ),
  );
  const listening = Promise.withResolvers<void>();
  // stays: a connection that could not be accepted is an error of the server, too, and nobody else listens to it
  server.on('error', (error: NodeJS.ErrnoException) => listening.reject(listenError(error, host, port)));
  server.listen({ host, port }, () => listening.resolve());
  await listening.promise;
  const bound = (server.address() as AddressInfo).port;
  return { server, port: bound, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` };
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
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    response.headers.set('transfer-encoding', 'chunked');
  }
  return response;
}

/**
 * HTTP/1.0, as some proxies still ask: it knows no chunks (RFC 9112 §6.1), and what has no length ends with its
 * connection.
 */
function untilTheEnd(answer: Answer): Response {
  const response = answer instanceof WholeAnswer ? answer.toResponse() : answer;
  response.headers.delete('connection');
  return response;
}

/** Refuses new connections at once; what is still open after `graceMs` is cut. */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
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
