import {
  type Egress,
  EgressFailure,
  type EgressLimits,
  type EgressResponse,
  type OutgoingRequest,
} from './egress.ts';
import { decodeText } from './text.ts';

/** What may be said about a request afterwards. */
export type Outcome = 'ok' | 'failed' | 'unknown_outcome' | 'blocked';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export function isReadingMethod(method: string): boolean {
  return READING.has(method.toUpperCase());
}

/**
 * An answer from 400 up is a failure. A write whose answer is lost is unknown, unless the service had
 * already refused it (4xx).
 */
export function outcomeOf(result: EgressResponse | EgressFailure, reading: boolean): Outcome {
  if (!(result instanceof EgressFailure)) return result.status < 400 ? 'ok' : 'failed';
  const refused = result.status !== undefined && result.status >= 400 && result.status < 500;
  if (!reading && result.sent !== 'none' && !refused) return 'unknown_outcome';
  return result.kind === 'egress_blocked' ? 'blocked' : 'failed';
}

interface CallOutcome {
  readonly outcome: Outcome;
  readonly status?: number;
  readonly text?: string;
  readonly json?: unknown;
  readonly reason?: string;
}

/** One request without repeats, told as an outcome instead of an exception. */
export async function callOnce(
  egress: Egress,
  request: OutgoingRequest,
  limits: EgressLimits,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const reading = isReadingMethod(request.method);
  try {
    const response = await egress.request(request, limits, signal);
    const type = response.headers['content-type'];
    const text = decodeText(response.body, type);
    return { outcome: outcomeOf(response, reading), status: response.status, text, ...jsonOf(text, type) };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    return {
      outcome: outcomeOf(error, reading),
      reason: error.message,
      ...(error.status === undefined ? {} : { status: error.status }),
    };
  }
}

function jsonOf(text: string, contentType: string | undefined): { json?: unknown } {
  if (!/[/+]json$/i.test((contentType ?? '').split(';', 1)[0]!.trimEnd())) return {};
  try {
    return { json: JSON.parse(text) };
  } catch {
    return {};
  }
}
