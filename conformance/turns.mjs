import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const VARIABLE = 'TOOLCRIB_CONFORMANCE_TURNS';

/** Lets so many of the clients that the suite starts all at once work at the same time; a turn ends with its process. */
export async function giveTurns(width) {
  const waiting = [];
  let working = 0;
  const next = () => {
    while (working < width && waiting.length > 0) {
      const socket = waiting.shift();
      if (socket.destroyed) continue;
      working++;
      socket.once('close', () => {
        working--;
        next();
      });
      socket.write('go');
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    waiting.push(socket);
    next();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  process.env[VARIABLE] = String(server.address().port);
  return server;
}

/** Waits for a turn; at once where nobody gives them. The function that it resolves with ends it. */
export async function takeTurn() {
  const port = process.env[VARIABLE];
  if (port === undefined) return () => undefined;
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'data');
  return () => socket.destroy();
}
