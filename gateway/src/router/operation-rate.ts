import { isToolcribError, ToolcribError } from '../errors.ts';
import type { Connection, Operation } from '../operations/index.ts';
import type { RateLimiter, Release } from './rate-limit.ts';

/**
 * Waits for a slot of the operation's own rate and then for one of its connection's; undefined where neither has a
 * limit. Throws what `RateLimiter.admit` throws; `rate_limited` names the operation where its own rate is used up.
 */
export function admitRequest(
  rates: RateLimiter,
  { name, rateLimit }: Pick<Connection, 'name' | 'rateLimit'>,
  operation: Pick<Operation, 'id' | 'limits'>,
  signal: AbortSignal,
  deadline: number,
): Promise<Release> | undefined {
  const own = operation.limits?.rate;
  if (own === undefined) {
    return rateLimit === undefined ? undefined : rates.admit(name, rateLimit, signal, deadline);
  }
  return admitBoth();

  async function admitBoth(): Promise<Release> {
    const limit = { requests: own!.calls, windowSeconds: own!.windowMs / 1000 };
    const ofOperation = await rates
      .admit(`${name} ${operation.id}`, limit, signal, deadline)
      .catch((error: unknown) => {
        throw isToolcribError(error) && error.code === 'rate_limited' ? used(error) : error;
      });
    if (rateLimit === undefined) return ofOperation;
    try {
      const ofConnection = await rates.admit(name, rateLimit, signal, deadline);
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
    return new ToolcribError(
      'rate_limited',
      `Operation ${operation.id} has used the ${calls} calls per ${windowMs / 1000} s that its description allows.`,
      { details: { ...details, connection: name, operation: operation.id } },
    );
  }
}
