import type { GatewayCore } from '../../gateway-core.ts';
import { isObject, type JsonObject, type Principal } from '../../operations/index.ts';

/** Resources that one listening client follows, and characters of one address: both are kept while it listens. */
const MAX_FOLLOWED = 1000;
const MAX_URI = 8192;

/** Resources that clients of one endpoint follow: each is asked for once at whoever offers it. */
export interface FollowedResources {
  /** The returned function ends it, once. */
  follow(uri: string, principal: Principal): () => void;
  close(): void;
}

interface Followed {
  followers: number;
  readonly end: Promise<() => void>;
}

export function createFollowedResources(
  core: Pick<GatewayCore, 'follow'>,
  onError: (error: Error) => void = () => undefined,
): FollowedResources {
  const followed = new Map<string, Followed>();
  const stop = (key: string, { end }: Followed) => {
    followed.delete(key);
    end.then((ended) => ended()).catch(() => undefined);
  };
  return {
    follow(uri, principal) {
      if (core.follow === undefined) return () => undefined;
      const key = JSON.stringify([principal.organisation, principal.id, principal.key, uri]);
      let one = followed.get(key);
      if (one === undefined) {
        const end = core.follow(uri, principal);
        end.catch((error: Error) => onError(error));
        one = { followers: 0, end };
        followed.set(key, one);
      }
      const own = one;
      own.followers++;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        own.followers--;
        if (own.followers === 0 && followed.get(key) === own) stop(key, own);
      };
    },
    close() {
      for (const [key, one] of followed) stop(key, one);
    },
  };
}

/** Whether a message asks to hear of changes (MCP 2026-07-28). */
export function isListen(message: unknown): message is JsonObject {
  return isObject(message) && message['method'] === 'subscriptions/listen';
}

/** The addresses that a `subscriptions/listen` (MCP 2026-07-28) names. */
export function listenedResources(message: unknown): readonly string[] {
  if (!isListen(message)) return [];
  const { params } = message;
  const wanted = isObject(params) && isObject(params['notifications']) ? params['notifications'] : {};
  const uris = wanted['resourceSubscriptions'];
  if (!Array.isArray(uris)) return [];
  const named = uris.filter((uri): uri is string => typeof uri === 'string' && uri.length <= MAX_URI);
  return [...new Set(named)].slice(0, MAX_FOLLOWED);
}
