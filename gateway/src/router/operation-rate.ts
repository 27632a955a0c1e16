import { isToolcribError, ToolcribError } from '../errors.ts';
import type { Connection, Operation } from '../operations/index.ts';
import { nextAfter, type RateLimiter, type Release } from './rate-limit.ts';

/** Of the time that a call has left, this much stays for the request itself, at most so many milliseconds. */
const ANSWER_SHARE = 1 / 4;
const LONGEST_ANSWER_MS = 3_000;

/**
 * Waits for a slot of the operation's own rate and then for one of its connection's; undefined where neither has a
 * limit. Who would be sent just before the deadline is refused: nobody would hear whether it happened. Throws what
 * `RateLimiter.admit` throws; `rate_limited` names the operation where its own rate is used up.
 */
export function admitRequest(
  rates: RateLimiter,
  { name, rateLimit }: Pick<Connection, 'name' | 'rateLimit'>,
  operation: Pick<Operation, 'id' | 'limits'>,
  signal: AbortSignal,
  deadline: number,
): Promise<Release> | undefined {
  const own = operation.limits?.rate;
  const sentBy = deadline - Math.min(LONGEST_ANSWER_MS, (deadline - Date.now()) * ANSWER_SHARE);
  if (own === undefined) {
    return rateLimit === undefined ? undefined : rates.admit(name, rateLimit, signal, sentBy);
  }
  return admitBoth();

  async function admitBoth(): Promise<Release> {
    const limit = { requests: own!.calls, windowSeconds: own!.windowMs / 1000 };
    const ofOperation = await rates
      .admit(`${name} ${operation.id}`, limit, signal, sentBy)
      .catch((error: unknown) => {
        throw isToolcribError(error) && error.code === 'rate_limited' ? used(error) : error;
      });
    if (rateLimit === undefined) return ofOperation;
    try {
      const ofConnection = await rates.admit(name, rateLimit, signal, sentBy);
      return () => {
        ofConnection();
        ofOperation();
      };
    } catch (error) {
      ofOperation();
      throw error;
    }
  }

  function used({ details }: ToolcribError): ToolcribError {
    const { calls, windowMs } = own!;
    const after = details?.['retryAfterMs'];
    const when = typeof after === 'number' ? `; ${nextAfter(after)}` : '';
    return new ToolcribError(
      'rate_limited',
      `Operation ${operation.id} has used the ${calls} calls per ${windowMs / 1000} s that its description allows${when}.`,
      { details: { ...details, connection: name, operation: operation.id } },
    );
  }
}
