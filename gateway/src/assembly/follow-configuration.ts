import { watchFiles } from '../catalog/watch-files.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Gateway } from '../gateway-api.ts';
import { queue } from '../operations/queue.ts';
import type { Faults } from './faults.ts';

export interface FollowedConfiguration {
  /** Absolute path of the file. */
  readonly file: string;
  /** Reads and validates it again. Rejects with `configuration_invalid`, `source_unreadable`. */
  readonly read: () => Promise<Configuration>;
  /** What changes while the gateway starts is taken over then. */
  readonly started: Promise<void>;
  readonly reconfigure: Gateway['reconfigure'];
  readonly faults: () => Promise<Faults>;
  readonly report: (error: unknown, what: string) => void;
}

/**
 * Takes over the configuration file whenever it changes, one change after the other; one that cannot be used changes
 * nothing. Ends by the returned function.
 */
export function followConfiguration(parts: FollowedConfiguration): () => void {
  const { file, read, started, reconfigure, faults, report } = parts;
  const take = async () => {
    const { afterRestart } = await reconfigure(await read());
    if (afterRestart.length === 0) return;
    const { logger } = await faults();
    logger.warn(
      { keys: afterRestart },
      `${file} changed; this counts after a restart: ${afterRestart.join(', ')}.`,
    );
  };
  const inTurn = queue();
  const changed = async () => {
    try {
      await inTurn(take);
    } catch (error) {
      report(error, `${file} changed and cannot be used: the gateway goes on as it is.`);
    }
  };
  return watchFiles([file], () => void started.then(changed, () => undefined));
}
