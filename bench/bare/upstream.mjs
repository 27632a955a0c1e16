// A loopback service that answers at once; what both servers of calls.mjs talk to. Prints its address.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const id = Number(pathname.split('/')[2]);
  const item = {
    id,
    name: `item ${id}`,
    verbose: searchParams.get('verbose') === 'true',
    tags: ['a', 'b', 'c'],
    notes: 'x'.repeat(600),
  };
  const body = JSON.stringify(item);
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ type: 'listening', url: `http://127.0.0.1:${server.address().port}` })),
);
