// What the stand-ins of the examples listen with: HTTP on 127.0.0.1 and nowhere else.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Serves `listener`, on a free port where none is given; `close` ends open connections, too. */
export async function listenOnLoopback(listener, port = 0) {
  const server = createServer(listener);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Ends the response with `body` as JSON, or empty where there is none. */
export function answerJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
