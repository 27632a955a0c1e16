import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Connections that have not shaken hands yet: they ask nothing, and whatever closes a server's connections does not know
 * them. The returned function cuts them.
 */
export function watchHandshakes(server: Server): () => void {
  const open = new Map<string, Socket>();
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    open.set(key, socket);
    socket.once('close', () => {
      if (open.get(key) === socket) open.delete(key);
    });
  });
  server.on('secureConnection', (socket) => open.delete(keyOf(socket)));
  return () => {
    for (const socket of open.values()) socket.destroy();
  };
}
