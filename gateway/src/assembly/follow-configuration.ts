import { watchFiles } from '../catalog/watch-files.ts';
import type { Configuration } from '../config/configuration.ts';

export interface FollowedConfiguration {
  /** Absolute path of the file. */
  readonly file: string;
  /** Reads and validates it again. Rejects with `configuration_invalid`, `source_unreadable`. */
  readonly read: () => Promise<Configuration>;
  readonly take: (next: Configuration) => Promise<unknown>;
  /** The file cannot be used: the gateway goes on as it is. */
  readonly failed: (error: unknown) => void;
}

/** Takes over the configuration file whenever it changes, one change after the other. Ends by the returned function. */
export function followConfiguration({ file, read, take, failed }: FollowedConfiguration): () => void {
  let queue: Promise<unknown> = Promise.resolve();
  return watchFiles([file], () => {
    queue = queue.then(async () => take(await read())).catch(failed);
  });
}
