import type { GatewayCore } from '../../gateway-core.ts';
import { createHeldCalls, type HeldCalls, type HeldLimits } from './held-calls.ts';
import { createRequestStates, type RequestStates } from './request-states.ts';

/** What one endpoint knows of calls that ask their callers: those that wait, and the states that name them. */
export interface Asking {
  readonly held: HeldCalls;
  readonly states: RequestStates;
}

export function createAsking(
  { requestKey, formFaults }: Pick<GatewayCore, 'requestKey' | 'formFaults'>,
  limits?: HeldLimits,
): Asking {
  return { held: createHeldCalls(limits, formFaults), states: createRequestStates(requestKey) };
}
