import type { Change } from '../../gateway-types.ts';
import type { UpstreamChange, Upstreams } from '../../upstreams/upstreams.ts';

export interface UpstreamChangesOptions {
  readonly upstreams: Pick<Upstreams, 'onChange'>;
  /** Lists the source again and swaps the catalog; its clients are told what really changed. */
  readonly refresh: (source: string) => Promise<void>;
  readonly announce: (change: Change) => void;
}

/**
 * Passes an upstream's change notices on: a changed list is listed again, once for all notices that come together
 * and never twice at a time; a changed resource is told at once. The returned function ends it.
 */
export function followUpstreamChanges({ upstreams, refresh, announce }: UpstreamChangesOptions): () => void {
  /** Sources that are listed again now; true: once more afterwards. */
  const listing = new Map<string, boolean>();
  let ended = false;
  const again = async (source: string): Promise<void> => {
    listing.set(source, false);
    await refresh(source).catch(() => undefined);
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
