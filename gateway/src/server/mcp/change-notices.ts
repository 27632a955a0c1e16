import type { Server } from '@modelcontextprotocol/server';
import type { Change, GatewayCore } from '../../gateway-types.ts';

/** Sends a connection its change notices; `wants` says which resources it follows. Ends by the returned function. */
export function forwardChanges(
  core: GatewayCore,
  server: Server,
  wants: (uri: string) => boolean,
): () => void {
  return core.onChange((change) => {
    if (server.transport === undefined) return;
    if (typeof change === 'object' && !wants(change.resource)) return;
    void notice(server, change).catch((error: unknown) => server.onerror?.(error as Error));
  });
}

function notice(server: Server, change: Change): Promise<void> {
  switch (change) {
    case 'tools':
      return server.sendToolListChanged();
    case 'prompts':
      return server.sendPromptListChanged();
    case 'resources':
      return server.sendResourceListChanged();
    default:
      return server.sendResourceUpdated({ uri: change.resource });
  }
}
