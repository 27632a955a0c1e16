// One node:http server with the company's API and, at /mcp, the same API as tools. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway } from 'toolcrib';
import { createService } from './service.mjs';

const service = createService();
let mcp;
const server = createServer((request, response) =>
  (request.url.startsWith('/mcp') ? mcp : service)(request, response),
);
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}`;

const gateway = await createGateway(
  {
    name: 'orders',
    sources: { orders: { openapi: 'orders.yaml', prefix: 'none', baseUrl: url } },
    watch: false,
    cache: false,
  },
  { baseDirectory: import.meta.dirname },
);
mcp = getRequestListener(gateway.fetch);
const client = new Client(
  { name: 'embed-node-http', version: '1.0.0' },
  { capabilities: { elicitation: {} } },
);
// A delete asks the person at the client before it goes out; this one agrees, but for order 2.
const asked = [];
client.setRequestHandler('elicitation/create', ({ params }) => {
  asked.push(params.message);
  const decision = /\bid: 2\b/.test(params.message) ? 'reject' : 'approve';
  return { action: 'accept', content: { decision } };
});

try {
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['cancelOrder', 'listOrders', 'placeOrder'],
  );

  const call = (name, args) => client.callTool({ name, arguments: args });
  const placed = await call('placeOrder', { article: 'ladder, 3 m', quantity: 2 });
  assert.deepEqual(placed.structuredContent, { id: 1, article: 'ladder, 3 m', quantity: 2, status: 'open' });
  await call('placeOrder', { article: 'paint' });
  assert.notEqual((await call('cancelOrder', { id: 1 })).isError, true);
  const kept = await call('cancelOrder', { id: 2 });
  assert.match(kept.content[0].text, /approval_rejected/);
  assert.equal(asked.length, 2);
  const { structuredContent } = await call('listOrders', { status: ['cancelled', 'sent'] });
  assert.deepEqual(
    structuredContent.result.map(({ id }) => id),
    [1],
  );

  const missing = await call('cancelOrder', { id: 99 });
  assert.equal(missing.isError, true);
  assert.match(missing.content[0].text, /404[\s\S]*There is no order 99/);
  const wrong = await call('placeOrder', { article: 'nails', quantity: 1000 });
  assert.match(wrong.content[0].text, /quantity/);

  // The library itself calls without a client or a server.
  const direct = await gateway.call({ tool: 'listOrders' });
  assert.deepEqual(
    direct.structured.result.map(({ article }) => article),
    ['paint', 'ladder, 3 m'],
  );
  console.log('ok  embed-node-http: an API and its tools live in one server');
} finally {
  await client.close();
  await gateway.close();
  server.close();
  server.closeAllConnections();
}
