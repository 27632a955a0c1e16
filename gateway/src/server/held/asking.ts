import { createHeldCalls, type HeldCalls, type HeldLimits } from './held-calls.ts';
import { createRequestStates, type RequestStates } from './request-states.ts';

/** What one endpoint knows of calls that ask their callers: those that wait, and the states that name them. */
export interface Asking {
  readonly held: HeldCalls;
  readonly states: RequestStates;
}

/** @param sharedKey 32 bytes that processes of one store share; absent: there are no others */
export function createAsking(sharedKey?: () => Promise<Uint8Array>, limits?: HeldLimits): Asking {
  return { held: createHeldCalls(limits), states: createRequestStates(sharedKey) };
}
