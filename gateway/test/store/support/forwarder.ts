import { connect, createServer, type Socket } from 'node:net';

export interface Forwarder {
  readonly port: number;
  /** Everything that goes over the connections that are open now is lost, and nobody is told. */
  swallow(): void;
  close(): void;
}

/** A way to another address, for as long as it passes anything on. */
export async function forwarderTo({ hostname, port }: URL): Promise<Forwarder> {
  const open = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    const pair = [near, far] as const;
    open.add(pair);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('data', (bytes) => void (open.has(pair) && other.write(bytes)));
      one.on('error', () => undefined);
      one.on('close', () => {
        if (open.delete(pair)) other.destroy();
      });
    }
    pairs.add(pair);
  });
  const pairs = new Set<readonly [Socket, Socket]>();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as { readonly port: number }).port,
    swallow: () => open.clear(),
    close() {
      for (const socket of [...pairs].flat()) socket.destroy();
      server.close();
    },
  };
}
