import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  type JSONRPCMessage,
  type Server,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { startListening, stopListening } from '../../src/server/http/listening/listener.ts';
import { createFixture } from './fixture-server.ts';

export interface HttpFixture {
  readonly url: string;
  close(): Promise<void>;
}

/** The fixture server at a loopback address: Streamable HTTP of one era, or the older HTTP+SSE. */
export async function httpFixture(kind: 'http' | 'sse', era: 'legacy' | 'modern'): Promise<HttpFixture> {
  const servers = new Set<Server>();
  const modern = createMcpHandler(() => create(), { legacy: 'reject' });
  const create = createFixture((what) => {
    if (what === 'tools') modern.notify.toolsChanged();
    else modern.notify.resourceUpdated(what.resource);
    for (const server of servers) {
      if (server.transport === undefined) continue;
      if (what === 'tools') void server.sendToolListChanged();
      else void server.sendResourceUpdated({ uri: what.resource });
    }
  });
  const connect = async (transport: Transport) => {
    const server = create();
    servers.add(server);
    await server.connect(transport);
  };
  const serve =
    kind === 'sse' ? sseServer(connect) : era === 'modern' ? modern.fetch : sessionServer(connect);
  const { server, url } = await startListening((request) => serve(request), '127.0.0.1', 0);
  return {
    url: new URL(kind === 'sse' ? '/sse' : '/mcp', url).href,
    async close() {
      await modern.close();
      await Promise.all([...servers].map((one) => one.close()));
      await stopListening(server, 0);
    },
  };
}

type Connect = (transport: Transport) => Promise<void>;

function sessionServer(connect: Connect): (request: Request) => Promise<Response> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null) return new Response('no such session', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await connect(transport);
    return transport.handleRequest(request);
  };
}

/** HTTP+SSE of 2024-11-05: one stream to the client, messages by POST to the address that its first event names. */
function sseServer(connect: Connect): (request: Request) => Promise<Response> {
  const streams = new Map<string, Transport>();
  return async (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && url.pathname === '/sse') {
      const id = randomUUID();
      const encoder = new TextEncoder();
      let controller: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start: (own) => {
          controller = own;
        },
        cancel: () => void streams.get(id)?.close(),
      });
      const event = (name: string, data: string) =>
        controller.enqueue(encoder.encode(`event: ${name}\ndata: ${data}\n\n`));
      const transport: Transport = {
        start: async () => event('endpoint', `/messages?id=${id}`),
        send: async (message) => event('message', JSON.stringify(message)),
        async close() {
          if (!streams.delete(id)) return;
          try {
            controller.close();
          } catch {
            // the client has closed it
          }
          transport.onclose?.();
        },
      };
      streams.set(id, transport);
      await connect(transport);
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    const transport = streams.get(url.searchParams.get('id') ?? '');
    if (request.method !== 'POST' || transport === undefined)
      return new Response('not here', { status: 404 });
    transport.onmessage?.((await request.json()) as JSONRPCMessage);
    return new Response('accepted', { status: 202 });
  };
}
