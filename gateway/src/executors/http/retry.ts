import { setTimeout as wait } from 'node:timers/promises';
import {
  EgressFailure,
  type EgressResponse,
  failureCode,
  isTimeout,
  proxyAdvice,
  tlsAdvice,
} from '../../egress/index.ts';
import { ERRORS, ToolcribError } from '../../errors.ts';
import { isSessionEnded } from './ended-session.ts';
import {
  type AttemptResult,
  isReading,
  type RetryCall,
  type RetryOutcome,
  type RetryPolicy,
  retryDecision,
} from './retry-decision.ts';

export * from './retry-decision.ts';

export interface RetriedResponse {
  readonly response: EgressResponse;
  readonly attempts: number;
  /** `unknown_outcome`: the answer is an error, and this or an earlier attempt may have carried out the write. */
  readonly outcome: RetryOutcome;
  /** How every attempt ended, those before the first included. */
  readonly history: readonly AttemptResult[];
}

/** One attempt that has ended, for whoever tells the story of the call. */
export interface EndedAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** When it began, in `performance.now()`. */
  readonly started: number;
  readonly result: AttemptResult;
  /** Before it, milliseconds; 0 for the first. */
  readonly waitedMs: number;
  /** How the attempt before it ended: why there is this one. */
  readonly after?: AttemptResult;
}

/**
 * Sends until there is an answer, a failure that a repeat cannot mend, or no time left. An answer from 400 up
 * is returned. Throws ToolcribError; `details` holds `outcome` and `attempts`. Other errors of `send` pass.
 * @param ended told of every attempt when it has ended
 * @param before attempts of the same call that ended otherwise, such as with a credential that was refused
 */
export async function withRetry(
  send: (attempt: number) => Promise<EgressResponse>,
  call: RetryCall,
  policy: RetryPolicy,
  signal: AbortSignal,
  ended?: (attempt: EndedAttempt) => void,
  before: readonly AttemptResult[] = [],
): Promise<RetriedResponse> {
  const started = performance.now();
  const history: AttemptResult[] = [...before];
  let waitedMs = 0;
  for (let attempt = 1; ; attempt++) {
    const begun = performance.now();
    const answer = await attemptOnce(send, attempt, signal);
    const result = resultOf(answer);
    const after = history.at(-1);
    ended?.({ attempt, started: begun, result, waitedMs, ...(after === undefined ? {} : { after }) });
    const decide = (among: AttemptResult) =>
      retryDecision({
        call,
        result: among,
        attempt,
        policy,
        now: Date.now(),
        elapsedMs: performance.now() - started,
        history,
      });
    history.push(result);
    const decision = decide(result);
    if (!decision.retry) {
      if (answer instanceof EgressFailure) throw errorOf(answer, call, decision.outcome, attempt);
      return { response: answer, attempts: attempt, outcome: decision.outcome, history };
    }
    const gone = await pause(decision.waitMs, signal);
    if (gone) {
      const last = decide({ kind: 'cancelled', sent: 'none' });
      throw errorOf(gone, call, last.retry ? 'failed' : last.outcome, attempt);
    }
    waitedMs = decision.waitMs;
  }
}

async function attemptOnce(
  send: (attempt: number) => Promise<EgressResponse>,
  attempt: number,
  signal: AbortSignal,
): Promise<EgressResponse | EgressFailure> {
  if (signal.aborted) return endedBy(signal);
  try {
    return await send(attempt);
  } catch (error) {
    if (error instanceof EgressFailure) return error;
    throw error;
  }
}

/** Waits; the failure that ended the wait early, if one did. */
async function pause(waitMs: number, signal: AbortSignal): Promise<EgressFailure | undefined> {
  try {
    await wait(waitMs, undefined, { signal });
    return undefined;
  } catch {
    return endedBy(signal);
  }
}

function endedBy(signal: AbortSignal): EgressFailure {
  return isTimeout(signal.reason)
    ? new EgressFailure('timeout', 'none', 'The deadline of the call passed before the next attempt')
    : new EgressFailure('cancelled', 'none', 'The caller went away before the next attempt');
}

function resultOf(answer: EgressResponse | EgressFailure): AttemptResult {
  if (!(answer instanceof EgressFailure)) {
    const { status, headers, afterRedirect } = answer;
    return { kind: 'response', status, headers, afterRedirect, sessionEnded: isSessionEnded(answer) };
  }
  return { kind: answer.kind, sent: answer.sent, status: answer.status };
}

const ASK_FOR_AN_END =
  'Ask for an answer that ends, without watching or following, or for less of it; or raise `limits.timeout` of the source.';

const ASK_FOR_LESS = 'Ask for less: filter, page, or raise `limits.maxBytes` of the source.';

function adviceOn(failure: EgressFailure): { readonly next?: string } {
  const { kind, status, tls } = failure;
  if (kind === 'timeout' && status !== undefined) return { next: ASK_FOR_AN_END };
  if (kind === 'too_large') return { next: ASK_FOR_LESS };
  const next = proxyAdvice(kind) ?? (tls && tlsAdvice(tls));
  if (next === undefined) return {};
  return { next: failure.sent === 'none' ? `Nothing was sent. ${next}` : next };
}

/** A lost write is `outcome_unknown`, whatever lost it; only a caller who went away hears `cancelled`. */
function errorOf(
  failure: EgressFailure,
  call: RetryCall,
  outcome: RetryOutcome,
  attempts: number,
): ToolcribError {
  const unknown = outcome === 'unknown_outcome';
  const code = unknown && failure.kind !== 'cancelled' ? 'outcome_unknown' : failureCode(failure);
  const repeated = attempts > 1 ? ` (${attempts} attempts)` : '';
  const doubt = unknown ? `. Whether the ${call.method} was carried out is not known` : '';
  return new ToolcribError(code, `${failure.message}${repeated}${doubt}.`, {
    ...(failure.status === undefined ? {} : { status: failure.status }),
    details: { outcome, attempts, kind: failure.kind, ...(isReading(call) ? {} : { sent: failure.sent }) },
    // nothing says that it may be called again
    ...(unknown ? { next: ERRORS.outcome_unknown.next } : adviceOn(failure)),
    cause: failure,
  });
}
