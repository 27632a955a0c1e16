import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';

/** Servers that code of others opens in a task of ours. */
export interface OpenedServers {
  /** Runs it; the servers that it opens keep no process alive. */
  during<T>(task: () => Promise<T>): Promise<T>;
  /** Closes those that still listen. */
  close(): void;
}

/** Node says here that a server is about to listen, in the context of whoever asked for it. */
const CHANNEL = 'tracing:net.server.listen:asyncStart';

/**
 * A sign-in in the browser listens for its answer for as long as that takes, and the library has no way to end it:
 * without this, a gateway that was told to stop would wait for a person who went away.
 * @param onOpened called for each server
 */
export function watchServers(onOpened: () => void): OpenedServers {
  const context = new AsyncLocalStorage<true>();
  const opened = new Set<Server>();
  const onListen = (message: unknown) => {
    if (context.getStore() === undefined) return;
    const { server } = message as { readonly server: Server };
    server.unref();
    opened.add(server);
    server.once('close', () => opened.delete(server));
    onOpened();
  };
  return {
    async during(task) {
      subscribe(CHANNEL, onListen);
      try {
        return await context.run(true, task);
      } finally {
        unsubscribe(CHANNEL, onListen);
      }
    },
    close() {
      for (const server of opened) {
        server.close();
        if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
      }
    },
  };
}
