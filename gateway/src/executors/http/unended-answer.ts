import { EgressFailure, type EgressResponse } from '../../egress/index.ts';
import { wholePieces } from '../../results/whole-pieces.ts';

interface UnendedResponse extends EgressResponse {
  readonly unended: true;
}

/** Beside what had come. */
export const UNENDED =
  'The answer had not ended when the time of the call was over: this is what had come of it until then.';

/**
 * A watch, a followed log or a stream of events never ends by itself: the answer is what happened while the call waited.
 * Throws the failure where a part of the answer means nothing.
 */
export function soFar(failure: unknown): UnendedResponse {
  const received = failure instanceof EgressFailure ? failure.received : undefined;
  const body = received && wholePieces(received.body, received.headers['content-type']);
  if (received === undefined || body === undefined) throw failure;
  return { ...received, body, unended: true };
}

export function isUnended(response: EgressResponse): boolean {
  return 'unended' in response;
}
