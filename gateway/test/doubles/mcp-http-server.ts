import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import {
  createMcpHandler,
  type JSONRPCMessage,
  McpServer,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface McpHttpOptions {
  /** `session`: Streamable HTTP of 2025; `stateless`: of 2026; `sse`: HTTP+SSE of 2024. */
  readonly era: 'session' | 'stateless' | 'sse';
  /** Looks at a request before anything else; what it returns is the answer. */
  readonly guard?: (headers: IncomingHttpHeaders, body: string) => Refusal | undefined;
  /** Speaks TLS with these. */
  readonly secure?: ServerOptions;
  /** Other paths of the same origin. */
  readonly routes?: Readonly<Record<string, () => Refusal>>;
}

export interface McpHttpDouble {
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly { method: string; path: string; headers: IncomingHttpHeaders; body: string }[];
  /** Common names of the certificates that clients showed, a request each. */
  readonly clients: readonly (string | undefined)[];
  /** Texts that the tool `echo` was given. */
  readonly executed: readonly string[];
  /** As after a restart: no session is known. */
  forgetSessions(): void;
  /** Destroys every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * A server with the tools `echo` (answers its text), `cut` (loses the connection instead of answering; the answer
 * waits for a client that comes back) and `die` (loses it for good).
 */
export async function startMcpServer(options: McpHttpOptions): Promise<McpHttpDouble> {
  const { era, guard, secure, routes = {} } = options;
  const requests: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const executed: string[] = [];
  const clients: (string | undefined)[] = [];
  const cut = () => server.closeAllConnections();
  const make = () => toolServer(executed, cut);
  const serve = era === 'sse' ? oldTransport(make) : era === 'session' ? sessions(make) : stateless(make);
  const listen = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const path = incoming.url!.split('?', 1)[0]!;
    requests.push({ method: incoming.method!, path, headers: incoming.headers, body });
    if (secure) clients.push((incoming.socket as TLSSocket).getPeerCertificate().subject?.CN as string);
    const refusal =
      routes[path]?.() ?? (serve.paths.includes(path) ? guard?.(incoming.headers, body) : { status: 404 });
    if (refusal === undefined) await serve.handle(incoming, response, body);
    else {
      const { status, headers = {}, body: said } = refusal;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(said === undefined ? '' : JSON.stringify(said));
    }
  };
  const server = secure === undefined ? createServer(listen) : createSecureServer(secure, listen);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `${secure === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}${serve.paths[0]}`,
    requests,
    executed,
    clients,
    forgetSessions: () => serve.forget?.(),
    cut,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Served {
  readonly paths: readonly string[];
  handle(incoming: IncomingMessage, response: ServerResponse, body: string): Promise<void>;
  forget?(): void;
}

function toolServer(executed: string[], cut: () => void): McpServer {
  const server = new McpServer({ name: 'http-double', version: '1.0.0' });
  server.registerTool('echo', { description: 'Says it again' }, async () => {
    executed.push('echo');
    return { content: [{ type: 'text', text: 'echo' }] };
  });
  server.registerTool('cut', { description: 'Loses the connection once' }, async () => {
    executed.push('cut');
    setImmediate(cut);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { content: [{ type: 'text', text: 'after the cut' }] };
  });
  return server;
}

function sessions(make: () => McpServer): Served {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return {
    paths: ['/mcp'],
    forget: () => open.clear(),
    async handle(incoming, response, body) {
      const id = incoming.headers['mcp-session-id'];
      let transport = open.get(String(id));
      if (id !== undefined && transport === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}');
        return;
      }
      if (transport === undefined) {
        transport = new WebStandardStreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          eventStore: eventStore(),
          retryInterval: 20,
          onsessioninitialized: (session) => void open.set(session, transport!),
          onsessionclosed: (session) => void open.delete(session),
        });
        await make().connect(transport);
      }
      await answer(await transport.handleRequest(requestOf(incoming, body)), response);
    },
  };
}

function stateless(make: () => McpServer): Served {
  const handler = createMcpHandler(make, { legacy: 'reject' });
  return {
    paths: ['/mcp'],
    handle: async (incoming, response, body) =>
      answer(await handler.fetch(requestOf(incoming, body)), response),
  };
}

/** MCP 2024-11-05: an event stream that names where to post. */
function oldTransport(make: () => McpServer): Served {
  const open = new Map<string, Transport>();
  return {
    paths: ['/sse', '/messages'],
    async handle(incoming, response, body) {
      const url = new URL(incoming.url!, 'http://double');
      if (url.pathname === '/messages') {
        const transport = open.get(url.searchParams.get('session') ?? '');
        response.writeHead(transport === undefined ? 404 : 202).end();
        if (transport !== undefined) transport.onmessage?.(JSON.parse(body) as JSONRPCMessage);
        return;
      }
      if (incoming.method !== 'GET') {
        response.writeHead(405).end();
        return;
      }
      const session = randomUUID();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?session=${session}\n\n`);
      const transport: Transport = {
        start: async () => {},
        send: async (message) => void response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
        close: async () => void response.end(),
      };
      open.set(session, transport);
      await make().connect(transport);
    },
  };
}

function eventStore() {
  const events: { id: string; stream: string; message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(stream: string, message: JSONRPCMessage) {
      const id = String(events.length);
      events.push({ id, stream, message });
      return id;
    },
    getStreamIdForEventId: async (id: string) => events[Number(id)]?.stream,
    async replayEventsAfter(
      last: string,
      { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
    ) {
      const stream = events[Number(last)]?.stream ?? '';
      for (const event of events.slice(Number(last) + 1)) {
        if (event.stream === stream) await send(event.id, event.message);
      }
      return stream;
    },
  };
}

function requestOf(incoming: IncomingMessage, body: string): Request {
  const headers = new Headers(incoming.headers as Record<string, string>);
  const url = `http://${incoming.headers.host}${incoming.url}`;
  return new Request(url, { method: incoming.method!, headers, ...(body === '' ? {} : { body }) });
}

async function answer(from: Response, response: ServerResponse): Promise<void> {
  response.writeHead(from.status, Object.fromEntries(from.headers));
  response.flushHeaders();
  if (from.body === null) return void response.end();
  const body = Readable.fromWeb(from.body as import('node:stream/web').ReadableStream);
  body.on('error', () => response.destroy());
  response.on('close', () => body.destroy());
  body.pipe(response);
}
