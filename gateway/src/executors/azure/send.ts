import type { EgressResponse } from '../../egress/index.ts';
import { isToolcribError } from '../../errors.ts';
import type { AzureInvocation, ConnectionLimits, Operation } from '../../operations/index.ts';
import { reworded } from '../../operations/text/reworded.ts';
import { type EndedAttempt, type RetryCall, type RetryOutcome, withRetry } from '../http/retry.ts';
import type { ArmRequest, ConnectorRoom } from './connector-room.ts';
import { azureOf, type ConnectorRequest, envelopeOf } from './envelope.ts';
import { type ConnectorAnswer, readAnswer } from './read-answer.ts';

/** Waits between attempts. */
export interface ConnectorRetry {
  /** Milliseconds; doubles with each attempt. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** What Resource Manager's throttling is given where it names no time. */
  readonly throttledSeconds: number;
}

export const DEFAULT_RETRY: ConnectorRetry = {
  baseDelayMs: 250,
  maxDelayMs: 20_000,
  throttledSeconds: 5,
};

/** One request on its way to a connector. */
export interface Sending {
  readonly room: ConnectorRoom;
  readonly operation: Operation;
  readonly request: ConnectorRequest;
  readonly limits: ConnectionLimits;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly retry: ConnectorRetry;
  /** Told of every attempt when it has ended. */
  readonly ended?: ((attempt: EndedAttempt) => void) | undefined;
}

export interface Sent {
  readonly answer: ConnectorAnswer;
  readonly attempts: number;
  readonly outcome: RetryOutcome;
}

/**
 * Sends a request through `dynamicInvoke`, again where the rules of retries allow it; they see the connector's status,
 * else Resource Manager's. Resolves for every status. Throws ToolcribError with a `text` that names the operation.
 */
export async function sendRequest(sending: Sending): Promise<Sent> {
  const { operation, signal, limits, deadline, retry } = sending;
  const invocation = azureOf(operation);
  const own = operation.limits;
  const maxBytes = Math.min(own?.maxOutputBytes ?? limits.maxBytes, limits.maxBytes);
  const remaining = () => Math.max(1, deadline - Date.now());
  const timeoutMs = own?.timeoutMs ?? limits.timeoutMs;
  let answer: ConnectorAnswer | undefined;
  const attempt = async (): Promise<EgressResponse> => {
    const response = await sending.room.send(
      armRequest(sending.room, invocation, sending.request),
      {
        timeoutMs: Math.min(timeoutMs, remaining()),
        maxBytes: carriedBytes(maxBytes),
        // Resource Manager sends nobody elsewhere with what a call says
        maxRedirects: 0,
      },
      signal,
    );
    answer = paced(readAnswer(response, maxBytes), response, retry);
    return answer;
  };
  try {
    const { attempts, outcome } = await withRetry(
      attempt,
      retryCall(operation, sending.request),
      {
        baseDelayMs: retry.baseDelayMs,
        maxDelayMs: retry.maxDelayMs,
        maxAttempts: own?.maxAttempts ?? limits.maxAttempts,
        deadlineMs: remaining(),
      },
      signal,
      sending.ended,
    );
    return { answer: answer!, attempts, outcome };
  } catch (error) {
    throw named(error, invocation);
  }
}

export function armRequest(
  room: ConnectorRoom,
  { connection }: AzureInvocation,
  request: ConnectorRequest,
): ArmRequest {
  return { method: 'POST', path: room.invokePath(connection), body: envelopeOf(request) };
}

/** Failures of connectors begin as those of the server that they come from. */
export function named(error: unknown, { api, operationId }: AzureInvocation): unknown {
  if (!isToolcribError(error) || error.text !== undefined) return error;
  const { message, next } = error;
  return reworded(error, message, { text: `Error invoking ${api}.${operationId}: ${message}\n${next}` });
}

/**
 * What the operation is decides, not that it travels in a POST. A connector's PUT or DELETE promises nothing: only what
 * reads is repeated after it may have been carried out.
 */
function retryCall(operation: Operation, request: ConnectorRequest): RetryCall {
  const readOnly = operation.access === 'read' && operation.limits?.repeat !== false;
  return { method: request.method, readOnly, idempotent: false, brokered: true };
}

/** Bytes travel as base64 within JSON; the connector's own answer keeps to `maxBytes`. */
function carriedBytes(maxBytes: number): number {
  return Math.ceil(maxBytes * 1.4) + 64 * 1024;
}

const REMAINING = /^x-ms-ratelimit-remaining-/;

/** Resource Manager tells by `x-ms-ratelimit-remaining-*` that nothing is left; not every such answer says for how long. */
function paced(answer: ConnectorAnswer, response: EgressResponse, retry: ConnectorRetry): ConnectorAnswer {
  const late = answer.status === 429 || answer.status === 503;
  if (!late || answer.headers['retry-after'] !== undefined) return answer;
  const asked =
    response.headers['retry-after'] ?? (isUsedUp(response) ? `${retry.throttledSeconds}` : undefined);
  return asked === undefined ? answer : { ...answer, headers: { ...answer.headers, 'retry-after': asked } };
}

function isUsedUp({ headers }: EgressResponse): boolean {
  return Object.entries(headers).some(([name, value]) => REMAINING.test(name) && value.trim() === '0');
}
