import { setTimeout as delay } from 'node:timers/promises';
import { type Egress, EgressFailure, isTimeout, NO_CONNECTION } from '../../egress/index.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { ANSWER_TIMEOUT_MS } from '../limits.ts';
import { askOnce } from './ask-once.ts';
import type { ModelAnswer, ModelRequest } from './model.ts';
import { Refusal, refused } from './refusal.ts';

export interface AskModelOptions {
  readonly egress: Pick<Egress, 'fetch'>;
  /** Waits before a repetition, milliseconds; replaceable for tests. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MAX_ATTEMPTS = 3;
/** Before the second attempt, doubled before the third; an endpoint that asks for more than the most is not waited for. */
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 20_000;

const wait = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal });

/**
 * One answer of the model: its text as it comes. Refused before a word was said (429, 5xx, no connection), it is asked
 * again, at most twice. Throws `model_failed`, `egress_blocked`, `cancelled`.
 */
export async function* askModel(
  { egress, pause = wait }: AskModelOptions,
  request: ModelRequest,
): AsyncGenerator<string, ModelAnswer> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
  for (let attempt = 1; ; attempt++) {
    try {
      return yield* askOnce(egress, request, signal);
    } catch (error) {
      const ms = signal.aborted || attempt === MAX_ATTEMPTS ? undefined : pauseBefore(attempt + 1, error);
      if (ms === undefined) throw told(error, signal);
      await pause(ms, signal).catch(() => {
        throw told(error, signal);
      });
    }
  }
}

/** Undefined: another attempt would repeat what was paid for, or be refused the same way. */
function pauseBefore(next: number, error: unknown): number | undefined {
  const own = PAUSE_MS * 2 ** (next - 2);
  if (error instanceof EgressFailure) {
    const lost = NO_CONNECTION.has(error.kind) || error.kind === 'reset';
    return lost && error.sent === 'none' ? own : undefined;
  }
  if (!(error instanceof Refusal) || (error.status !== 429 && error.status < 500)) return undefined;
  const asked = error.retryAfterMs;
  if (asked === undefined) return own;
  return asked > MAX_PAUSE_MS ? undefined : asked;
}

/** What the caller of the chat reads. */
function told(error: unknown, signal: AbortSignal): ToolcribError {
  if (signal.aborted && !isTimeout(signal.reason)) {
    return new ToolcribError('cancelled', 'The conversation was broken off.', { cause: error });
  }
  if (isToolcribError(error)) return error;
  if (error instanceof Refusal) return refused(error);
  if (error instanceof EgressFailure) {
    const status = error.status === undefined ? {} : { status: error.status };
    const code = error.kind === 'egress_blocked' ? 'egress_blocked' : 'model_failed';
    return new ToolcribError(code, `The model's endpoint: ${error.message}.`, { ...status, cause: error });
  }
  return new ToolcribError('model_failed', "The model's endpoint could not be asked.", { cause: error });
}
