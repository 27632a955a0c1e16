import type { EgressFailure, Sent } from '../../egress/egress.ts';
import { isReadingMethod, NO_CONNECTION } from '../../egress/index.ts';
import { retryAfterMs } from '../../operations/http/retry-after.ts';

/** What is known about the request: a declaration wins over the method (RFC 9110 §9.2). */
export interface RetryCall {
  readonly method: string;
  readonly readOnly?: boolean | undefined;
  readonly idempotent?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Who answers stands between us and the service: its 503 may come after the service has carried it out. */
  readonly brokered?: boolean;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  /** The longest single wait; a longer Retry-After ends the attempts. */
  readonly maxDelayMs: number;
  /** All attempts and waits together, from the start of the first. */
  readonly deadlineMs: number;
}

/** How one attempt ended; `status` of a failure is known when the head of the answer had arrived. */
export type AttemptResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
      /** It answers what a redirect led to: it says nothing of the request itself, which that redirect answered. */
      readonly afterRedirect?: boolean | undefined;
      /** It says that the session is over, and would say so again. */
      readonly sessionEnded?: boolean;
    }
  | {
      readonly kind: EgressFailure['kind'];
      readonly sent?: Sent | undefined;
      readonly status?: number | undefined;
    };

export interface RetryQuestion {
  readonly call: RetryCall;
  readonly result: AttemptResult;
  /** 1 for the first. */
  readonly attempt: number;
  readonly policy: RetryPolicy;
  /** Milliseconds since the epoch, for Retry-After dates. */
  readonly now: number;
  readonly elapsedMs: number;
  /** Results of all attempts so far; may or may not end with `result`. */
  readonly history?: readonly AttemptResult[];
  /** In [0, 1). */
  readonly random?: () => number;
}

export type RetryOutcome = 'ok' | 'failed' | 'unknown_outcome';

export type RetryDecision =
  | { readonly retry: true; readonly waitMs: number }
  | { readonly retry: false; readonly outcome: RetryOutcome };

/** Statuses that say "later", RFC 9110 §15.5.9, §15.6. */
const TRANSIENT_STATUS: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);
/** Refusals of the whole request: nothing was carried out. */
const UNSUPPORTED_STATUS: ReadonlySet<number> = new Set([501, 505]);
/** A repeat cannot help, or nobody waits for it. */
const FINAL_KINDS: ReadonlySet<string> = new Set([
  'tls_cert',
  'egress_blocked',
  'proxy_refused',
  'request_invalid',
  'redirect',
  'too_large',
  'malformed',
  'cancelled',
]);
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['PUT', 'DELETE']);

/** Asked after every attempt: once more, and after which wait? Pure. */
export function retryDecision(question: RetryQuestion): RetryDecision {
  const { call, result, attempt, policy } = question;
  if (result.kind === 'response' && result.status < 400) return { retry: false, outcome: 'ok' };
  if (attempt < policy.maxAttempts && mayRepeat(call, result)) {
    const waitMs = waitBefore(question);
    if (waitMs !== undefined && question.elapsedMs + waitMs < policy.deadlineMs)
      return { retry: true, waitMs };
  }
  return { retry: false, outcome: finalOutcome(question) };
}

function mayRepeat(call: RetryCall, result: AttemptResult): boolean {
  if (!isTransient(result)) return false;
  if (result.kind === 'response') return asksBack(result, call) || isRepeatable(call);
  return nothingSent(result) || isRepeatable(call);
}

/** The service says that it carried nothing out and is to be asked later: 429, and 503 with a time (RFC 9110 §15.6.4). */
export function asksBack(
  result: AttemptResult,
  { brokered = false }: Pick<RetryCall, 'brokered'> = {},
): boolean {
  if (result.kind !== 'response' || result.afterRedirect) return false;
  if (result.status === 429) return true;
  return result.status === 503 && !brokered && retryAfterMs(result.headers, 0) !== undefined;
}

/** False: whoever asks the same again gets the same. */
export function isTransient(result: AttemptResult): boolean {
  if (result.kind !== 'response') return !FINAL_KINDS.has(result.kind);
  return !result.sessionEnded && (result.status === 429 || TRANSIENT_STATUS.has(result.status));
}

/** True when the call changes nothing at the service. */
export function isReading(call: RetryCall): boolean {
  return call.readOnly ?? (isReadingMethod(call.method) && call.idempotent !== false);
}

/** May be sent again although it was sent: reading, idempotent or with a key that the service knows. */
function isRepeatable(call: RetryCall): boolean {
  if (isReading(call) || call.idempotencyKey) return true;
  return call.idempotent ?? IDEMPOTENT_METHODS.has(call.method.toUpperCase());
}

/** What does not say how far it got counts as sent, except where there never was a connection. */
export function nothingSent(result: Exclude<AttemptResult, { kind: 'response' }>): boolean {
  if (result.sent !== undefined) return result.sent === 'none';
  return NO_CONNECTION.has(result.kind);
}

/**
 * The service's Retry-After, but never less than our own back-off: exponential, jittered between half of the
 * base delay and the full step. Undefined when the service asks for more than the longest wait.
 */
function waitBefore({
  result,
  attempt,
  policy,
  now,
  random = Math.random,
}: RetryQuestion): number | undefined {
  const least = Math.min(policy.baseDelayMs / 2, policy.maxDelayMs);
  const step = Math.max(
    least,
    Math.min(policy.baseDelayMs * 2 ** Math.min(attempt - 1, 30), policy.maxDelayMs),
  );
  const backoff = least + random() * (step - least);
  const asked = result.kind === 'response' ? retryAfterMs(result.headers, now) : undefined;
  if (asked === undefined) return Math.ceil(backoff);
  return asked > policy.maxDelayMs ? undefined : Math.ceil(Math.max(asked, backoff));
}

/** Unknown when a write may have reached the service in any attempt. */
function finalOutcome({ call, result, history = [] }: RetryQuestion): RetryOutcome {
  if (isReading(call)) return 'failed';
  return [...history, result].some((one) => mayHaveHappened(one, call)) ? 'unknown_outcome' : 'failed';
}

/** The service may have carried out what was asked, although it did not say so. */
export function mayHaveHappened(result: AttemptResult, call?: RetryCall): boolean {
  if (result.kind === 'response' && result.afterRedirect) return true;
  if (result.kind === 'response')
    return result.status >= 500 && !UNSUPPORTED_STATUS.has(result.status) && !asksBack(result, call);
  if (result.status !== undefined && result.status >= 400 && result.status < 500) return false;
  return !nothingSent(result) && !(result.sent === undefined && NEVER_SENT_KINDS.has(result.kind));
}

const NEVER_SENT_KINDS: ReadonlySet<string> = new Set(['egress_blocked', 'request_invalid', 'tls_cert']);
