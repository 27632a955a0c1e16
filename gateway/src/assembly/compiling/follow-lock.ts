import { type Stats, unwatchFile, watchFile } from 'node:fs';
import type { LockConfiguration } from '../../config/configuration.ts';

export interface FollowedLock {
  /** What changes while the gateway starts is taken over then. */
  readonly started: Promise<void>;
  readonly review: () => Promise<void>;
  readonly report: (error: unknown, what: string) => void;
}

/** Milliseconds between two looks. The lock may lie beside the store, whose every write would wake one who watches the folder. */
const LOOK_MS = 1_000;

/**
 * What a person accepts on the command line counts in the gateways that run: the catalog is held against the lock
 * again whenever its file changes. In mode `accept` nothing waits for anybody, and two gateways of one lock would write
 * it in turns without end. Ends by the returned function.
 */
export function followLock({ file, mode }: LockConfiguration, parts: FollowedLock): () => void {
  if (mode === 'accept') return () => undefined;
  const review = () =>
    parts.review().catch((error) => parts.report(error, `${file} changed and cannot be used.`));
  const look = (now: Stats, before: Stats) => {
    const isSame = now.mtimeMs === before.mtimeMs && now.ino === before.ino && now.size === before.size;
    if (!isSame) void parts.started.then(review, () => undefined);
  };
  watchFile(file, { persistent: false, interval: LOOK_MS }, look);
  return () => unwatchFile(file, look);
}
