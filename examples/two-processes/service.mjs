// A stock of three items. `node service.mjs` serves it on port 8791.
import { once } from 'node:events';
import { createServer } from 'node:http';

export async function startStock(port = 0) {
  const items = new Set([1, 2, 3]);
  const log = [];
  const server = createServer((request, response) => {
    const id = Number(/^\/items\/(\d+)$/.exec(request.url)?.[1]);
    if (request.method === 'GET') {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items: [...items] }));
      return;
    }
    log.push(`${request.method} ${id}`);
    if (request.method === 'DELETE') items.delete(id);
    request.resume();
    response.writeHead(204).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, log, close: () => server.close() };
}

if (process.argv[1] === import.meta.filename) {
  const { url } = await startStock(8791);
  console.log(`Stock: ${url}`);
}
