import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Change, GatewayCore } from '../../../gateway-core.ts';
import type { Principal } from '../../../operations/index.ts';
import { createOpenStreams, LISTEN_STREAMS } from '../../open-streams.ts';
import { forwardChanges } from '../change-notices.ts';

/** Who sends a request, and the resources that it listens to. */
interface Listening {
  readonly principal: Principal;
  readonly uris: readonly string[];
  /** Whether it is a `subscriptions/listen` at all. */
  readonly listens: boolean;
}

/** A request that may open a stream: its place is taken before the SDK is asked. */
interface Opening extends Listening {
  opened: boolean;
  readonly release: () => void;
}

/**
 * Where the SDK's streams of `subscriptions/listen` hear of changes. The SDK tells a bus nothing of who listens, so a
 * stream belongs to the request that `serve` runs while it is opened; one that belongs to none hears nothing.
 */
export function createListenBus(
  core: Pick<GatewayCore, 'onChange' | 'mayRead'>,
  onError?: (error: Error) => void,
) {
  const requests = new AsyncLocalStorage<Opening>();
  const streams = createOpenStreams(LISTEN_STREAMS);
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
      const stop = forwardChanges(core, listener, onError);
      request.opened = true;
      return () => {
        stop();
        request.release();
      };
    },
  };
  return {
    bus,
    /** Throws `overloaded` where a user, or all of them, have too many streams open. */
    async serve<T>(request: Listening, run: () => Promise<T>): Promise<T> {
      const release = request.listens ? streams.open(request.principal) : () => undefined;
      const opening: Opening = { ...request, opened: false, release };
      try {
        return await requests.run(opening, run);
      } finally {
        if (!opening.opened) release();
      }
    },
  };
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
