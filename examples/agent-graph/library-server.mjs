// The same shelf as an MCP server on standard input and output.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { find } from './shelf.mjs';

serveStdio(() => {
  const server = new Server({ name: 'library', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [
      {
        name: 'look_up',
        description: 'Finds entries by the words of a query.',
        inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
        annotations: { readOnlyHint: true },
      },
    ],
  }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify({ results: find(params.arguments.query) }) }],
  }));
  return server;
});
