import {
  decodeText,
  type Egress,
  EgressFailure,
  type EgressResponse,
  failureCode,
  type OutgoingRequest,
} from '../egress/index.ts';
import { type ErrorCode, ToolcribError } from '../errors.ts';
import { readJson } from '../operations/json/read-json.ts';
import { printable } from '../operations/text/printable.ts';
import type { TimeLeft } from './time-left.ts';

export interface Question {
  /** Provider's name, for errors. */
  readonly provider: string;
  readonly request: OutgoingRequest;
  /** Decoded bytes; default 5 MB. */
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
  /** Milliseconds; the call's deadline counts too. */
  readonly timeoutMs?: number;
}

export const MAX_ANSWER_BYTES = 5_000_000;

/** Sends one request through the door. Resolves for every status; throws ToolcribError without a whole answer. */
export async function send(egress: Egress, question: Question, time: TimeLeft): Promise<EgressResponse> {
  const { provider, request, maxBytes = MAX_ANSWER_BYTES, maxRedirects = 2, timeoutMs } = question;
  const limits = {
    timeoutMs: Math.min(timeoutMs ?? Number.MAX_SAFE_INTEGER, time.left()),
    maxBytes,
    maxRedirects,
  };
  try {
    return await egress.request(request, limits, time.signal);
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    throw new ToolcribError(failureCode(error), `${provider}: ${error.message}.`, {
      details: { provider, kind: error.kind },
      cause: error,
      ...(error.status === undefined ? {} : { status: error.status }),
    });
  }
}

/** A body as JSON. Throws `upstream_failed`. */
export function jsonOf(response: EgressResponse, provider: string): unknown {
  const text = decodeText(response.body, response.headers['content-type']);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ToolcribError('upstream_failed', `${provider} answered ${response.status} with no JSON.`, {
      status: response.status,
      details: { provider, kind: 'not_json' },
      cause,
    });
  }
}

/** JSON that is no answer of this provider: an empty list of results would say that there are none. Names what is missing. */
export function otherAnswer(provider: string, missing: string): ToolcribError {
  return new ToolcribError('upstream_failed', `${provider} answered with JSON that holds ${missing}.`, {
    details: { provider, kind: 'other_answer' },
    next: 'Whatever answers there is something else: the operator checks the address of this provider in the configuration.',
  });
}

/** A body as JSON, where an error answer may be anything. */
export function looseJsonOf(response: EgressResponse): unknown {
  return readJson(decodeText(response.body, response.headers['content-type']));
}

/** Any answer but 2xx: what it means for whoever configured the provider. Secrets are left out of the text. */
export function refused(
  provider: string,
  status: number,
  said: string | undefined,
  options: {
    readonly secrets?: readonly string[];
    readonly code?: ErrorCode;
    readonly details?: object;
    readonly next?: string | undefined;
  } = {},
): ToolcribError {
  const code = options.code ?? (status === 401 || status === 403 ? 'credentials_refused' : 'upstream_status');
  const words = printable(concealed(said ?? '', options.secrets ?? []), 500).trim();
  const end = /[.?!]$/.test(words) ? '' : '.';
  return new ToolcribError(code, `${provider} answered ${status}${words === '' ? '' : `: ${words}`}${end}`, {
    status,
    details: { provider, ...options.details },
    next: options.next ?? nextOf(code, status),
  });
}

/** Arguments seldom are at fault: they were checked, and a provider is asked in its own words. */
function nextOf(code: ErrorCode, status: number): string {
  if (code === 'credentials_refused')
    return 'The operator checks the key of this provider in the configuration, and what it may do.';
  if (status === 402) return 'The service asks for payment: the operator checks the account.';
  if (status === 404)
    return 'Nothing is there: the operator checks the address of this provider in the configuration.';
  return status >= 500
    ? 'The service failed: call again later.'
    : 'Read the answer of the service and correct the call.';
}

function concealed(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '[secret]')), text);
}
