import { isToolcribError, ToolcribError } from '../../errors.ts';

/** Why a call ends whose gateway stops: its caller is there still, and hears what became of it. */
export function gatewayStops(): ToolcribError {
  return new ToolcribError('cancelled', 'The gateway stopped.', { details: { gatewayStops: true } });
}

export function isGatewayStopping({ aborted, reason }: AbortSignal): boolean {
  return aborted && isToolcribError(reason) && reason.details?.['gatewayStops'] === true;
}
