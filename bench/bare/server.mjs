// The floor: the SDK's low-level Server, the same tool definition, one undici request, nothing else.
// node server.mjs UPSTREAM TOOLS.json [--stdio]
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Agent, request } from 'undici';

const [upstream, file, mode] = process.argv.slice(2);
const tools = JSON.parse(readFileSync(file, 'utf8'));
const dispatcher = new Agent();

function create() {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { id, verbose } = params.arguments;
    const url = `${upstream}/items/${encodeURIComponent(id)}${verbose === undefined ? '' : `?verbose=${verbose}`}`;
    const { body } = await request(url, { dispatcher, headers: { accept: 'application/json' } });
    const text = await body.text();
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
  });
  return server;
}

if (mode === '--stdio') serveStdio(create);
else {
  const modern = createMcpHandler(create, { legacy: 'reject' });
  const sessions = new Map();
  const handler = {
    async fetch(incoming) {
      if (incoming.method !== 'POST') return new Response(null, { status: 405 });
      const body = await incoming.json();
      if (!(await isLegacyRequest(incoming, body))) return modern.fetch(incoming, { parsedBody: body });
      return (sessions.get(incoming.headers.get('mcp-session-id')) ?? (await openSession())).handleRequest(
        incoming,
        { parsedBody: body },
      );
    },
  };
  const openSession = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await create().connect(transport);
    return transport;
  };
  const http = createServer(toNodeHandler(handler));
  http.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ type: 'listening', mcp: `http://127.0.0.1:${http.address().port}/mcp` })),
  );
}
