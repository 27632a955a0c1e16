import type { Configuration } from '../../config/configuration.ts';
import type { Gateway, GatewayOptions } from '../../gateway-api.ts';
import { followLock } from '../compiling/follow-lock.ts';
import { withFunctions } from '../compiling/source-compiler.ts';
import type { Faults } from '../faults.ts';
import { followConfiguration } from './follow-configuration.ts';

export interface FollowedFiles {
  readonly options: Pick<GatewayOptions, 'functions' | 'reload'>;
  /** What changes while the gateway starts is taken over then. */
  readonly started: Promise<void>;
  /** Holds the catalog against the lock again. */
  readonly review: () => Promise<void>;
  readonly reconfigure: Gateway['reconfigure'];
  readonly faults: () => Promise<Faults>;
  readonly report: (error: unknown, what: string) => void;
}

/** Takes over changes of the configuration's file and of the lock, where it says to watch. Ends by the returned function. */
export function followFiles(configuration: Configuration, parts: FollowedFiles): () => void {
  const { options, started, review, reconfigure, faults, report } = parts;
  const { file, presetFiles, sources, watch, lock } = configuration;
  if (!watch) return () => undefined;
  const unfollowLock = followLock(lock, { started, review, report });
  if (file === undefined || options.reload === undefined) return unfollowLock;
  const unfollow = followConfiguration({
    file,
    presetFiles,
    read: options.reload,
    started,
    isEmpty: (next) =>
      Object.keys(sources).length > 0 &&
      Object.keys(withFunctions(next.sources, options.functions ?? {})).length === 0,
    reconfigure,
    faults,
    report,
  });
  return () => {
    unfollow();
    unfollowLock();
  };
}
