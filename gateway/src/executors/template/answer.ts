import { type EgressFailure, type EgressResponse, failureCode } from '../../egress/index.ts';
import { type ErrorCode, ToolcribError } from '../../errors.ts';
import { retryAfterMs } from '../../operations/http/retry-after.ts';
import { type Operation, SKILL_LIMITS } from '../../operations/index.ts';
import { failedAnswer } from '../../results/failed-answer.ts';
import type { RawResult } from '../executor.ts';
import { type AttemptResult, asksBack, isTransient, mayHaveHappened, nothingSent } from '../http/retry.ts';
import { type AttemptOutcome, type FailedAttempt, MORE_TIME } from '../skill/attempt.ts';

export interface AnswerFacts {
  readonly operation: Operation;
  readonly attempt: number;
  readonly latencyMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Characters of text that a caller is shown. */
  readonly maxTextLength: number;
}

/**
 * What an answer means for its attempt. From 200 to 299 it goes to the caller as answers of all services do (JSON becomes
 * structured content); any other is a failure that says what the service said.
 */
export async function answered(response: EgressResponse, facts: AnswerFacts): Promise<AttemptOutcome> {
  const { status, headers, afterRedirect } = response;
  const result: Extract<RawResult, { kind: 'http' }> = { kind: 'http', ...response, attempts: facts.attempt };
  if (status >= 200 && status < 300) return { kind: 'done', result };
  const judged: AttemptResult = { kind: 'response', status, headers, afterRedirect };
  const asked = retryAfterMs(headers, facts.now);
  const { operation, maxTextLength, latencyMs } = facts;
  const { error } = await failedAnswer(result, {
    operation,
    limits: { maxTextLength },
    artifacts: undefined,
  });
  return {
    kind: 'failed',
    error: new ToolcribError('upstream_status', error?.message ?? `The service answered ${status}.`, {
      status,
      ...(error?.next === undefined ? {} : { next: error.next }),
      ...(error?.details === undefined ? {} : { details: error.details }),
    }),
    ran: ranBy(judged),
    ...(asked === undefined ? {} : { retryAfterMs: asked }),
    latencyMs,
    ...(isTransient(judged) ? {} : { final: true as const }),
  };
}

function ranBy(answer: Extract<AttemptResult, { kind: 'response' }>): FailedAttempt['ran'] {
  if (mayHaveHappened(answer)) return 'maybe';
  return asksBack(answer) || UNSUPPORTED.has(answer.status) ? 'no' : 'yes';
}

/** The whole request was refused. */
const UNSUPPORTED: ReadonlySet<number> = new Set([501, 505]);

/** No setting of the source or of the gateway gives a tool of a skill more time or a longer answer. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  deadline_exceeded: MORE_TIME,
  upstream_too_large: `Ask for less: filter or page. A tool of a skill reads ${SKILL_LIMITS.httpBytes} bytes of an answer at most.`,
};

/** What a request without a whole answer means for its attempt. */
export function unanswered(failure: EgressFailure, latencyMs: number): FailedAttempt {
  const { kind, sent, status, message } = failure;
  const judged: AttemptResult = { kind, sent, status };
  // the head said that it was done: only its words are missing
  const done = kind === 'too_large' && status !== undefined && status >= 200 && status < 300;
  const code = failureCode(failure);
  const next = ADVICE[code];
  return {
    kind: 'failed',
    error: new ToolcribError(code, `${message}.`, {
      ...(next === undefined ? {} : { next }),
      ...(status === undefined ? {} : { status }),
      details: { kind, sent },
      cause: failure,
    }),
    ran: nothingSent(judged) ? 'no' : done || !mayHaveHappened(judged) ? 'yes' : 'maybe',
    latencyMs,
    ...(isTransient(judged) ? {} : { final: true as const }),
  };
}
