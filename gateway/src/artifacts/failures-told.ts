import { isToolcribError } from '../errors.ts';
import type { ArtifactStore } from './artifact.ts';

/**
 * Tells the operator of the first output that could not be stored, and again only once one could be in between: the
 * callers' answers come all the same, so that keys that are refused would go unnoticed. What is too large is no fault.
 */
export function failuresTold(
  put: ArtifactStore['put'],
  failed: (error: unknown) => void,
): ArtifactStore['put'] {
  let failing = false;
  return async (...given) => {
    try {
      const artifact = await put(...given);
      failing = false;
      return artifact;
    } catch (error) {
      const isTooLarge = isToolcribError(error) && error.code === 'artifact_quota_exceeded';
      if (!failing && !isTooLarge) {
        failing = true;
        failed(error);
      }
      throw error;
    }
  };
}
