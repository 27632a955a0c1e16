import type { Event } from '../operations/index.ts';

export interface Followed {
  /** Oldest first; a page is enough. */
  read(after: number): Promise<readonly Event[]>;
  /** Calls `wake` after each commit. Returns the function that ends it. */
  onNews(wake: () => void): () => void;
}

/** How long a log that cannot be read is left alone, milliseconds. */
const PAUSE_MS = 1000;

/** Reads by sequence, so that a follower holds no queue of its own. Ends with the signal, without an error. */
export async function* followEvents(
  log: Followed,
  signal: AbortSignal,
  start: () => Promise<number>,
): AsyncGenerator<Event, void, undefined> {
  let wake = Promise.withResolvers<void>();
  const unsubscribe = log.onNews(() => wake.resolve());
  const onAbort = () => wake.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    let seen: number | undefined;
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>();
      const page = await attempt(async () => {
        seen ??= await start();
        return log.read(seen);
      });
      if (page === undefined) await pause(wake.promise);
      for (const event of page ?? []) {
        if (signal.aborted) return;
        seen = event.sequence;
        yield event;
      }
      if (page?.length === 0 && !signal.aborted) await wake.promise;
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', onAbort);
  }
}

async function attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

async function pause(wake: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PAUSE_MS);
  await Promise.race([promise, wake]);
  clearTimeout(timer);
}
