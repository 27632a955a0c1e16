import { isToolcribError, ToolcribError } from '../../errors.ts';

/** Why a call ends whose caller said that it is not wanted any more, and did not merely go away. */
export function takenBack(message: string): ToolcribError {
  return new ToolcribError('cancelled', message, { details: { takenBack: true } });
}

export function isTakenBack({ aborted, reason }: AbortSignal): boolean {
  return aborted && isToolcribError(reason) && reason.details?.['takenBack'] === true;
}
