import type { Call } from '../../operations/index.ts';
import type { Layer } from '../compose.ts';

/** Adds to an error what its caller could have done; never throws. */
export type Advise = (error: unknown, call: Call) => Promise<unknown>;

/** Errors of everything below, with what somebody who knows the operation adds to them. */
export function adviseLayer(advise: Advise): Layer {
  return async (call, next) => {
    try {
      return await next(call);
    } catch (error) {
      throw await advise(error, call);
    }
  };
}
