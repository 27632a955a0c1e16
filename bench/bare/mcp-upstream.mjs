// An upstream MCP server of the official library with one tool. node mcp-upstream.mjs [--http]
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const tool = {
  name: 'echo',
  description: 'Gives back what it was given.',
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

function create() {
  const server = new Server({ name: 'upstream', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: `item ${params.arguments.id}` }],
  }));
  return server;
}

if (process.argv[2] !== '--http') serveStdio(create);
else {
  const modern = createMcpHandler(create, { legacy: 'reject' });
  const sessions = new Map();
  const openSession = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await create().connect(transport);
    return transport;
  };
  const handler = {
    async fetch(incoming) {
      if (incoming.method !== 'POST') return new Response(null, { status: 405 });
      const body = await incoming.json();
      if (!(await isLegacyRequest(incoming, body))) return modern.fetch(incoming, { parsedBody: body });
      const session = sessions.get(incoming.headers.get('mcp-session-id')) ?? (await openSession());
      return session.handleRequest(incoming, { parsedBody: body });
    },
  };
  const http = createServer(toNodeHandler(handler));
  http.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ type: 'listening', mcp: `http://127.0.0.1:${http.address().port}/mcp` })),
  );
}
