import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { watchFiles } from '../../catalog/watch-files.ts';
import type { Configuration } from '../../config/configuration.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway-api.ts';
import { queue } from '../../operations/work/queue.ts';
import type { Faults } from '../faults.ts';

export interface FollowedConfiguration {
  /** Absolute path of the file. */
  readonly file: string;
  /** Presets that it was read with. */
  readonly presetFiles?: readonly string[] | undefined;
  /** Reads and validates it again. Rejects with `configuration_invalid`, `source_unreadable`. */
  readonly read: () => Promise<Configuration>;
  /** What changes while the gateway starts is taken over then. */
  readonly started: Promise<void>;
  /** Whether nothing would be left to serve. */
  readonly isEmpty: (configuration: Configuration) => boolean;
  readonly reconfigure: Gateway['reconfigure'];
  readonly faults: () => Promise<Faults>;
  readonly report: (error: unknown, what: string) => void;
}

/**
 * Takes over the configuration file whenever it or a preset of it changes, one change after the other; one that cannot
 * be used changes nothing. Ends by the returned function.
 */
export function followConfiguration(parts: FollowedConfiguration): () => void {
  const { file, presetFiles = [], read, started, isEmpty, reconfigure, faults, report } = parts;
  const inTurn = queue();
  let watched: readonly string[] = [];
  let unwatch: (() => void) | undefined;
  let ended = false;
  const watch = (presets: readonly string[]) => {
    const files = [file, ...presets];
    if (ended || isDeepStrictEqual(files, watched)) return;
    const before = unwatch;
    watched = files;
    unwatch = watchFiles(files, () => void started.then(changed, () => undefined));
    before?.();
  };
  const take = async () => {
    const next = await read();
    // no gateway starts with it, and a file that is being written is empty at first
    if (isEmpty(next))
      throw new ToolcribError('configuration_invalid', 'The configuration names no source.', {
        location: file,
        pointer: '#/sources',
      });
    watch(next.presetFiles ?? []);
    const { afterRestart } = await reconfigure(next);
    if (afterRestart.length === 0) return;
    const { logger } = await faults();
    logger.warn(
      { keys: afterRestart },
      `${file} changed; this counts after a restart: ${afterRestart.join(', ')}.`,
    );
  };
  let isRefused = false;
  const changed = async () => {
    try {
      await inTurn(take);
      if (!isRefused) return;
      isRefused = false;
      const { logger } = await faults();
      logger.info(`${file} can be used again: what it says counts.`);
    } catch (error) {
      isRefused = true;
      const place = placeOf(error);
      if (place !== undefined && !watched.includes(place)) watch([...watched.slice(1), place]);
      report(error, `${file} changed and cannot be used: the gateway goes on as it is.`);
    }
  };
  watch(presetFiles);
  return () => {
    ended = true;
    unwatch?.();
  };
}

/** The file that is to be mended, where the error names one. */
function placeOf(error: unknown): string | undefined {
  const location = isToolcribError(error) ? error.location?.replace(/:\d+$/, '') : undefined;
  return location !== undefined && isAbsolute(location) ? location : undefined;
}
