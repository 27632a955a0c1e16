import { type ErrorCode, isToolcribError, ToolcribError } from '../../errors.ts';

/** Why a call ends whose gateway stops: its caller is there still, and hears what became of it. */
export function gatewayStops(): ToolcribError {
  return new ToolcribError('cancelled', 'The gateway stopped.', { details: { gatewayStops: true } });
}

export function isGatewayStopping({ aborted, reason }: AbortSignal): boolean {
  return aborted && isToolcribError(reason) && reason.details?.['gatewayStops'] === true;
}

/** How a call ends whose gateway stopped, or was killed, in the middle of it. */
export function endOfStopped(changedNothing: boolean): {
  readonly code: ErrorCode;
  readonly message: string;
} {
  return changedNothing
    ? { code: 'interrupted', message: 'The gateway stopped during the call.' }
    : {
        code: 'outcome_unknown',
        message: 'The gateway stopped during the call; it may have taken effect.',
      };
}
