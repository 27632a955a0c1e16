import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Change, GatewayCore } from '../../gateway-types.ts';
import type { Principal } from '../../operations/index.ts';
import { forwardChanges } from './change-notices.ts';

/** Who sends a request, and the resources that it listens to. */
interface Listening {
  readonly principal: Principal;
  readonly uris: readonly string[];
}

/**
 * Where the SDK's streams of `subscriptions/listen` hear of changes. The SDK tells a bus nothing of who listens, so a
 * stream belongs to the request that `serve` runs while it is opened; one that belongs to none hears nothing.
 */
export function createListenBus(
  core: Pick<GatewayCore, 'onChange' | 'mayRead'>,
  onError?: (error: Error) => void,
) {
  const requests = new AsyncLocalStorage<Listening>();
  const bus: ServerEventBus = {
    // changes come from the core alone
    publish: () => undefined,
    subscribe(tell) {
      const request = requests.getStore();
      if (request === undefined) return () => undefined;
      const { principal } = request;
      const uris = new Set(request.uris);
      const listener = {
        principal,
        wants: (uri: string) => uris.has(uri),
        tell: (change: Change) => tell(eventOf(change)),
      };
      return forwardChanges(core, listener, onError);
    },
  };
  return { bus, serve: <T>(request: Listening, run: () => T): T => requests.run(request, run) };
}

function eventOf(change: Change): ServerEvent {
  switch (change) {
    case 'tools':
      return { kind: 'tools_list_changed' };
    case 'prompts':
      return { kind: 'prompts_list_changed' };
    case 'resources':
      return { kind: 'resources_list_changed' };
    default:
      return { kind: 'resource_updated', uri: change.resource };
  }
}
