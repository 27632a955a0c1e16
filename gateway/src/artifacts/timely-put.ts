import { ToolcribError } from '../errors.ts';
import { untilAborted } from '../operations/work/until-aborted.ts';
import type { ArtifactStore } from './artifact.ts';

/** Milliseconds that a call waits for its output to be stored. */
const PATIENCE_MS = 15_000;
/** Bytes that are being stored though nobody waits any more; beyond them nothing more is begun. */
const MOST_LATE_BYTES = 128 * 1024 * 1024;

const SLOW = 'Look at the disk or the bucket of `artifacts`: it is slow, or does not answer at all.';

/**
 * Stores, or throws `store_unavailable` while the caller's client still waits: a store that hangs costs the artifact,
 * never the result. What was begun goes on.
 */
export function timelyPut(put: ArtifactStore['put'], patienceMs: number = PATIENCE_MS): ArtifactStore['put'] {
  let lateBytes = 0;
  return async (bytes, description) => {
    if (lateBytes >= MOST_LATE_BYTES)
      throw new ToolcribError(
        'store_unavailable',
        'The artifact store is still busy with earlier artifacts.',
        { next: SLOW },
      );
    const patience = AbortSignal.timeout(patienceMs);
    const stored = put(bytes, description);
    try {
      return await untilAborted(stored, patience);
    } catch (error) {
      if (error !== patience.reason) throw error;
      lateBytes += bytes.length;
      const ended = () => {
        lateBytes -= bytes.length;
      };
      stored.then(ended, ended);
      throw new ToolcribError(
        'store_unavailable',
        `The artifact store did not take an artifact within ${patienceMs} ms.`,
        { next: SLOW },
      );
    }
  };
}
