import { performance } from 'node:perf_hooks';
import type { Change } from '../../gateway-core.ts';
import { remember } from '../../operations/work/remember.ts';
import { createPace } from '../../upstreams/pace.ts';
import type { UpstreamChange, Upstreams } from '../../upstreams/upstreams.ts';

export interface UpstreamChangesOptions {
  readonly upstreams: Pick<Upstreams, 'onChange'>;
  /** Lists the source again and swaps the catalog; its clients are told what really changed. */
  readonly refresh: (source: string) => Promise<void>;
  readonly announce: (change: Change) => void;
  /** Milliseconds that this process has been at work. */
  readonly workedMs?: () => number;
}

/** Listings of one source in a row; beyond them one follows in so many milliseconds. Each costs every caller. */
const AT_ONCE = 10;
const APART_MS = 5_000;
/** Milliseconds of work that one listing may take; a longer one counts as several. */
const LISTING_MS = 200;
const MOST_SOURCES = 10_000;

/**
 * Passes an upstream's change notices on: a changed list is listed again, once for all notices that come together
 * and never twice at a time; one that goes on changing is listed at a slower pace, a long one at a still slower one,
 * its last state always. A changed resource is told at once. The returned function ends it.
 */
export function followUpstreamChanges(options: UpstreamChangesOptions): () => void {
  const { upstreams, refresh, announce } = options;
  const { workedMs = () => performance.eventLoopUtilization().active } = options;
  const paceOf = remember(MOST_SOURCES, () => createPace(1_000 / APART_MS, AT_ONCE * APART_MS));
  /** Sources that are listed again now, or were a moment ago; true: once more afterwards. */
  const listing = new Map<string, boolean>();
  let ended = false;
  const again = async (source: string): Promise<void> => {
    listing.set(source, false);
    const before = workedMs();
    await refresh(source).catch(() => undefined);
    const pauseMs = paceOf(source).after(Math.max(1, (workedMs() - before) / LISTING_MS));
    if (pauseMs > 0) await new Promise<void>((resolve) => void setTimeout(resolve, pauseMs).unref());
    const more = listing.get(source) === true;
    listing.delete(source);
    if (more && !ended) void again(source);
  };
  const stop = upstreams.onChange((source: string, change: UpstreamChange) => {
    if (ended) return;
    if (typeof change === 'object') announce({ ...change, source });
    else if (listing.has(source)) listing.set(source, true);
    else {
      listing.set(source, false);
      setImmediate(() => void (ended ? listing.delete(source) : again(source)));
    }
  });
  return () => {
    ended = true;
    stop();
  };
}
