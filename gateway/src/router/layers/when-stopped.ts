import { ToolcribError } from '../../errors.ts';
import type { Call } from '../../operations/index.ts';
import { endOfStopped, isGatewayStopping } from '../../operations/work/gateway-stops.ts';

/** How long the end of a call may take to be written once the gateway stops, milliseconds. */
const LAST_WRITE_MS = 1_000;

/**
 * A call that the gateway cut off, in the words that recovery has for it after a crash: `cancelled` would say that its
 * caller went away. What never reached its service changed nothing, whatever it would have done there.
 */
export function whenStopped(error: ToolcribError, { operation, signal }: Call): ToolcribError {
  if (error.code !== 'cancelled' || !isGatewayStopping(signal)) return error;
  const { details } = error;
  const { code, message } = endOfStopped(operation.access === 'read' || details?.['outcome'] === 'failed');
  return new ToolcribError(code, message, { ...(details === undefined ? {} : { details }), cause: error });
}

/**
 * Once the gateway stops, a store that does not answer keeps no answer from its caller for long. Throws
 * `store_unavailable` then: what was not written, another process writes.
 */
export function unlessStopped(written: Promise<unknown>, { signal }: Pick<Call, 'signal'>): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      if (isGatewayStopping(signal)) timer = setTimeout(() => end(reject, notTaken()), LAST_WRITE_MS);
    };
    const end = <T>(settle: (outcome: T) => void, outcome: T) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle(outcome);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    written.then(
      () => end(resolve, undefined),
      (error) => end(reject, error),
    );
  });
}

function notTaken(): ToolcribError {
  return new ToolcribError(
    'store_unavailable',
    `The gateway stopped, and the store did not take the end of the call within ${LAST_WRITE_MS} ms.`,
  );
}
