import { setTimeout as wait } from 'node:timers/promises';
import type { SkillFile } from '../../sources/skill/snapshot.ts';
import { PATIENCE_MS, QUIET_MS } from '../limits.ts';
import { ChangedMeanwhile, copyPackage } from './copy-package.ts';
import { isSameMoment, listPackage, type PackageListing } from './listing.ts';

export interface SettledPackage {
  readonly listing: PackageListing;
  readonly files: readonly SkillFile[];
  /** Holds exactly these files. */
  readonly copy: string;
}

interface SettleOptions {
  readonly folder: string;
  readonly realRoot: string;
  /** A new empty folder. */
  stage(): Promise<string>;
  discard(copy: string): Promise<void>;
  readonly signal: AbortSignal;
  /** Nobody else writes there: nothing to wait for. */
  readonly still?: boolean;
}

/**
 * A copy of a package as it was at one moment: nothing changed for a while before it was read, nor while it was.
 * Undefined where it did not come to rest within the patience. Throws what listing and copying throw.
 */
export async function settledPackage(options: SettleOptions): Promise<SettledPackage | undefined> {
  const { folder, realRoot, stage, discard, signal, still = false } = options;
  const end = performance.now() + PATIENCE_MS;
  let listing = listPackage(folder, realRoot);
  do {
    if (!still) {
      const quiet = await atRest(listing, end, signal);
      if (quiet === undefined) return undefined;
      listing = quiet;
    }
    signal.throwIfAborted();
    const copy = await stage();
    try {
      const files = await copyPackage(listing, copy);
      const after = listPackage(folder, realRoot);
      if (isSameMoment(listing, after)) return { listing, files, copy };
      listing = after;
    } catch (error) {
      await discard(copy);
      if (!(error instanceof ChangedMeanwhile)) throw error;
      listing = listPackage(folder, realRoot);
      continue;
    }
    await discard(copy);
  } while (performance.now() < end);
  return undefined;
}

/**
 * The listing once it is older than the quiet time, or was seen unchanged that long: the clock of a file system may be
 * ahead. Undefined at the end of patience.
 */
async function atRest(
  first: PackageListing,
  end: number,
  signal: AbortSignal,
): Promise<PackageListing | undefined> {
  let listing = first;
  while (listing.changedMs > Date.now() - QUIET_MS) {
    if (performance.now() + QUIET_MS > end) return undefined;
    await wait(QUIET_MS, undefined, { signal });
    const next = listPackage(listing.folder, listing.realRoot);
    if (isSameMoment(listing, next)) return next;
    listing = next;
  }
  return listing;
}
