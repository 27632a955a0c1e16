import type { ToolcribError } from '../../errors.ts';
import type { Call } from '../../operations/index.ts';
import type { ExecuteContext, RawResult } from '../executor.ts';

/** The time of an attempt is the manifest's. */
export const MORE_TIME =
  'Call again with less work, or raise `timeout_sec` of the tool in the manifest of its skill.';

/** What one attempt of a skill's tool needs beside its call. */
export interface AttemptContext extends ExecuteContext {
  /** The first is 1. */
  readonly attempt: number;
  /** When this attempt ends at the latest, milliseconds since the epoch; never later than the call. */
  readonly deadline: number;
}

/** What a program of a skill wrote, each cut to `SKILL_LIMITS.outputCharacters`. */
export interface AttemptOutput {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** How one attempt ended. */
export type AttemptOutcome = { readonly kind: 'done'; readonly result: RawResult } | FailedAttempt;

/** What another attempt might mend, or a model should read. */
export interface FailedAttempt {
  readonly kind: 'failed';
  readonly error: ToolcribError;
  /** Whether it took effect: `no` can always be repeated, the others only what is idempotent. */
  readonly ran: 'no' | 'yes' | 'maybe';
  /** As the service asked for. */
  readonly retryAfterMs?: number;
  readonly latencyMs: number;
  /** Another attempt would end the same way: it is not made. */
  readonly final?: true;
  readonly output?: AttemptOutput;
}

/**
 * Carries out a call once. Throws ToolcribError for what another attempt cannot change: `cancelled`,
 * `template_value_missing`, `credentials_missing`, `skill_forbidden`, `skill_unknown`, `sandbox_unavailable`.
 */
export type Attempt = (call: Call, context: AttemptContext) => Promise<AttemptOutcome>;
