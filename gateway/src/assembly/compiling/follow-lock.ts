import { watchFiles } from '../../catalog/watch-files.ts';
import type { LockConfiguration } from '../../config/configuration.ts';

export interface FollowedLock {
  /** What changes while the gateway starts is taken over then. */
  readonly started: Promise<void>;
  readonly review: () => Promise<void>;
  readonly report: (error: unknown, what: string) => void;
}

/**
 * What a person accepts on the command line counts in the gateways that run: the catalog is held against the lock
 * again whenever its file changes. In mode `accept` nothing waits for anybody, and two gateways of one lock would write
 * it in turns without end. Ends by the returned function.
 */
export function followLock({ file, mode }: LockConfiguration, parts: FollowedLock): () => void {
  if (mode === 'accept') return () => undefined;
  const review = () =>
    parts.review().catch((error) => parts.report(error, `${file} changed and cannot be used.`));
  return watchFiles([file], () => void parts.started.then(review, () => undefined));
}
