import type { Client } from '@modelcontextprotocol/client';
import { isObject } from '../../operations/index.ts';
import type { SessionFacts } from './session-facts.ts';

/** Keeps a session told of changed lists and followed resources, in the way of its era. */
export interface Following {
  /** All resources to follow; the first time it begins to listen. */
  set(uris: ReadonlySet<string>): void;
  stop(): void;
}

/** First wait after a subscription failed or was closed; doubles up to the longest. */
const RELISTEN_MS = 1_000;
const LONGEST_RELISTEN_MS = 60_000;
const REQUEST_MS = 30_000;
/** A subscription that was open this long was a success: the next wait is the first one again. */
const PROVEN_MS = 20_000;

type Filter = Parameters<Client['listen']>[0];
type Subscription = Awaited<ReturnType<Client['listen']>>;

/** @param missed called when a closed subscription is open again: what changed meanwhile was not told */
export function createFollowing(
  client: Client,
  facts: () => SessionFacts | undefined,
  missed: () => void,
): Following {
  let wanted: ReadonlySet<string> = new Set();
  let subscribed: ReadonlySet<string> = new Set();
  let listening: Subscription | undefined;
  let begun = false;
  let stopped = false;
  let queue: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  /** A subscription failed or was closed since the last one was opened. */
  let hasMissed = false;

  const refresh = () => {
    queue = queue
      .then(() => (stopped ? undefined : apply()))
      .then(() => {
        if (hasMissed && !stopped) missed();
        hasMissed = false;
      })
      .catch(() => retryLater());
  };
  const retryLater = () => {
    hasMissed = true;
    if (stopped || timer !== undefined) return;
    const waitMs = Math.min(RELISTEN_MS * 2 ** failures, LONGEST_RELISTEN_MS);
    failures += 1;
    timer = setTimeout(() => {
      timer = undefined;
      refresh();
    }, waitMs);
    timer.unref();
  };
  const apply = async () => {
    const known = facts();
    if (known === undefined) return;
    if (known.era === 'modern') await listen(known);
    else if (offers(known, 'resources', 'subscribe')) await subscribe();
  };

  /** A stream with the new wishes is opened before the old one is closed, so that nothing is missed between. */
  const listen = async (known: SessionFacts) => {
    const filter = filterOf(known, wanted);
    const previous = listening;
    if (Object.keys(filter).length > 0) {
      const current = await client.listen(filter, { timeout: REQUEST_MS });
      listening = current;
      const openedAt = performance.now();
      void current.closed.then(() => {
        if (listening !== current) return;
        listening = undefined;
        if (performance.now() - openedAt >= PROVEN_MS) failures = 0;
        retryLater();
      });
    } else listening = undefined;
    await previous?.close();
  };

  const subscribe = async () => {
    const now = wanted;
    const options = { timeout: REQUEST_MS };
    const before = subscribed;
    subscribed = now;
    // one resource that the server refuses does not keep the others from being followed
    for (const uri of now)
      if (!before.has(uri)) await client.subscribeResource({ uri }, options).catch(() => undefined);
    for (const uri of before)
      if (!now.has(uri)) await client.unsubscribeResource({ uri }, options).catch(() => undefined);
  };

  return {
    set(uris) {
      const isSame = begun && uris.size === wanted.size && [...uris].every((uri) => wanted.has(uri));
      if (isSame) return;
      begun = true;
      wanted = new Set(uris);
      refresh();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function filterOf(known: SessionFacts, uris: ReadonlySet<string>): Filter {
  return {
    ...(offers(known, 'tools', 'listChanged') ? { toolsListChanged: true } : {}),
    ...(offers(known, 'resources', 'listChanged') ? { resourcesListChanged: true } : {}),
    ...(offers(known, 'prompts', 'listChanged') ? { promptsListChanged: true } : {}),
    ...(uris.size > 0 && offers(known, 'resources', 'subscribe') ? { resourceSubscriptions: [...uris] } : {}),
  };
}

function offers({ capabilities }: SessionFacts, kind: string, feature: string): boolean {
  const capability = capabilities[kind];
  return isObject(capability) && capability[feature] === true;
}
