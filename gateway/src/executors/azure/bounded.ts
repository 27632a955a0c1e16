import { isToolcribError } from '../../errors.ts';

/**
 * What is asked beside a call may not hold it up: after `milliseconds`, and at any failure but `arguments_invalid`, the
 * answer is `otherwise`. Rejects with the signal's reason once that is aborted.
 */
export async function bounded<T>(
  signal: AbortSignal,
  milliseconds: number,
  ask: (signal: AbortSignal) => Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await ask(AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]));
  } catch (error) {
    signal.throwIfAborted();
    if (isToolcribError(error) && error.code === 'arguments_invalid') throw error;
    return otherwise;
  }
}
