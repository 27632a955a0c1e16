// A stock of three items. `node service.mjs` serves it on port 8791.
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

export async function startStock(port = 0) {
  const items = new Set([1, 2, 3]);
  const log = [];
  const listener = (request, response) => {
    const id = Number(/^\/items\/(\d+)$/.exec(request.url)?.[1]);
    if (request.method === 'GET') return answerJson(response, 200, { items: [...items] });
    log.push(`${request.method} ${id}`);
    if (request.method === 'DELETE') items.delete(id);
    request.resume();
    response.writeHead(204).end();
  };
  return { ...(await listenOnLoopback(listener, port)), log };
}

if (process.argv[1] === import.meta.filename) {
  const { url } = await startStock(8791);
  console.log(`Stock: ${url}`);
}
