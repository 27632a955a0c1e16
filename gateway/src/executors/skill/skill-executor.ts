import { setTimeout as wait } from 'node:timers/promises';
import { isTimeout } from '../../egress/index.ts';
import { asToolcribError, ToolcribError } from '../../errors.ts';
import {
  type Call,
  isOfSkill,
  type ScriptInvocation,
  type TemplateInvocation,
} from '../../operations/index.ts';
import type { ExecuteContext, Executor, RawResult } from '../executor.ts';
import type { Attempt, AttemptOutcome, FailedAttempt } from './attempt.ts';
import { type CallEvents, callEvents } from './call-events.ts';
import { type Admission, createDegradedTools, type DegradedTools } from './degraded-tools.ts';
import { givenUpError, pausedError } from './given-up.ts';
import { noteAttempt } from './note-attempt.ts';
import { countsAgainstTool, isRepeatable, isUnknown, keepsItsCode, pauseBefore } from './retry-plan.ts';
import type { SkillParts } from './skill-parts.ts';

export type SkillAttempts = Readonly<Record<'script' | 'template', Attempt>>;

export interface SkillExecutorOptions {
  readonly attempts: SkillAttempts;
  /** Throw what an attempt would throw for what is missing, before there is one. */
  readonly ready?: Readonly<Record<'script' | 'template', NonNullable<Executor['ready']>>>;
  /** Shared with whoever shows which tools are degraded; default: one of its own. */
  readonly degraded?: DegradedTools;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Rejects once the signal is aborted. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

type RunOptions = Required<Omit<SkillExecutorOptions, 'ready'>>;

type SkillCall = Call & {
  readonly operation: { readonly invocation: ScriptInvocation | TemplateInvocation };
};

/**
 * Carries out calls of skills' tools: attempts as the manifest says, then the call is given up, and a tool that is given
 * up repeatedly pauses. What an attempt answers reaches the caller as it is. Throws ToolcribError:
 * `dynamic_tool_failed_after_retries`, `outcome_unknown`, `dynamic_tool_degraded`, and under their own codes `cancelled`,
 * refusals and what is wrong with arguments.
 */
export function createSkillExecutor(
  parts: Pick<SkillParts, 'note' | 'policy' | 'remaining'>,
  options: SkillExecutorOptions,
): Executor {
  const { attempts, now = Date.now, sleep = (ms, signal) => wait(ms, undefined, { signal }) } = options;
  const degraded = options.degraded ?? createDegradedTools({ policy: parts.policy, now });
  return {
    async ready(call, context) {
      if (isSkillCall(call)) await options.ready?.[call.operation.invocation.kind](call, context);
    },
    async execute(call, context) {
      if (!isSkillCall(call))
        throw new ToolcribError('internal', `${call.operation.id} is no tool of a skill.`);
      if (call.dryRun) return dryRun(call, context, attempts, now());
      const running = new SkillRun(call, context, parts, { attempts, degraded, now, sleep });
      return running.execute();
    },
  };
}

function isSkillCall(call: Call): call is SkillCall {
  return isOfSkill(call.operation.invocation);
}

/** Nothing happens, so that nothing is counted or told. */
async function dryRun(
  call: SkillCall,
  context: ExecuteContext,
  attempts: SkillAttempts,
  now: number,
): Promise<RawResult> {
  const { kind, timeoutMs } = call.operation.invocation;
  const deadline = Math.min(now + timeoutMs, context.deadline);
  const outcome = await attempts[kind](call, { ...context, attempt: 1, deadline });
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome.result;
}

/** One call from its admission to its end. */
class SkillRun {
  readonly #call: SkillCall;
  readonly #context: ExecuteContext;
  readonly #attempt: Attempt;
  readonly #parts: Pick<SkillParts, 'remaining'>;
  readonly #options: RunOptions;
  readonly #tell: CallEvents;
  readonly #started: number;

  constructor(
    call: SkillCall,
    context: ExecuteContext,
    parts: Pick<SkillParts, 'note' | 'remaining'>,
    options: RunOptions,
  ) {
    const { invocation } = call.operation;
    this.#call = call;
    this.#context = context;
    this.#attempt = options.attempts[invocation.kind];
    this.#parts = parts;
    this.#options = options;
    this.#tell = callEvents(parts, call, invocation);
    this.#started = options.now();
  }

  async execute(): Promise<RawResult> {
    const { operation } = this.#call;
    const { degraded } = this.#options;
    const admission = degraded.admit(operation);
    if (admission.kind === 'paused') throw this.#turnedAway(admission.untilMs);
    try {
      return await this.#attempts(admission);
    } finally {
      // an end that says nothing about the tool must not leave its trial open
      degraded.undecided(operation, admission);
    }
  }

  async #attempts(admission: Admission): Promise<RawResult> {
    const { retry } = this.#call.operation.invocation;
    const repeatable = isRepeatable(this.#call.operation);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#once(attempt);
      if (outcome.kind === 'done') {
        this.#recovered();
        return outcome.result;
      }
      const { deadline } = this.#context;
      const question = { failed: outcome, attempt, retry, repeatable, deadline };
      const pause = pauseBefore({ ...question, now: this.#options.now() });
      if (pause === undefined || !(await this.#pause(pause, attempt)))
        throw this.#givenUp(outcome, attempt, repeatable, admission);
      const { code } = outcome.error;
      this.#tell('dynamic_tool.retry', { status: 'failed', attempt: attempt + 1, latencyMs: pause, code });
    }
  }

  /** Throws what ends the call under its own code. */
  async #once(attempt: number): Promise<AttemptOutcome> {
    const { now } = this.#options;
    const started = now();
    const begun = performance.now();
    const deadline = Math.min(started + this.#call.operation.invocation.timeoutMs, this.#context.deadline);
    let outcome: AttemptOutcome;
    try {
      outcome = await this.#attempt(this.#call, { ...this.#context, attempt, deadline });
    } catch (thrown) {
      noteAttempt(this.#call, attempt, begun, asToolcribError(thrown).code);
      throw this.#ended(thrown, attempt, now() - started);
    }
    noteAttempt(this.#call, attempt, begun, outcome.kind === 'done' ? undefined : outcome.error.code);
    if (outcome.kind === 'done') {
      this.#tell('dynamic_tool.call', { status: 'ok', attempt, latencyMs: now() - started });
      return outcome;
    }
    const { error, latencyMs } = outcome;
    if (keepsItsCode(error.code)) throw this.#ended(error, attempt, latencyMs);
    this.#tell('dynamic_tool.call', {
      status: 'failed',
      attempt,
      latencyMs,
      code: error.code,
      message: reasonOf(outcome),
    });
    return outcome;
  }

  /** False: the deadline of the call came first. Throws `cancelled`. */
  async #pause(milliseconds: number, attempts: number): Promise<boolean> {
    const { signal } = this.#context;
    try {
      signal.throwIfAborted();
      await this.#options.sleep(milliseconds, signal);
      return true;
    } catch (error) {
      if (!signal.aborted) throw error;
      if (isTimeout(signal.reason)) return false;
      const times = attempts === 1 ? 'one failed attempt' : `${attempts} failed attempts`;
      const gone = new ToolcribError(
        'cancelled',
        `The caller of ${this.#call.tool} went away after ${times}.`,
      );
      this.#tell('dynamic_tool.failed', { status: 'failed', latencyMs: this.#elapsed(), code: gone.code });
      throw gone;
    }
  }

  #ended(thrown: unknown, attempt: number, latencyMs: number): unknown {
    const { code } = asToolcribError(thrown);
    this.#tell('dynamic_tool.call', { status: 'failed', attempt, latencyMs, code });
    this.#tell('dynamic_tool.failed', { status: 'failed', attempt, latencyMs: this.#elapsed(), code });
    return thrown;
  }

  #turnedAway(untilMs: number): ToolcribError {
    const error = pausedError(this.#call, untilMs, this.#parts.remaining(this.#call));
    this.#tell('dynamic_tool.degraded', { status: 'failed', latencyMs: 0, code: error.code });
    return error;
  }

  #givenUp(
    failed: FailedAttempt,
    attempts: number,
    repeatable: boolean,
    admission: Admission,
  ): ToolcribError {
    const call = this.#call;
    const unknown = isUnknown(failed, repeatable);
    const remaining = this.#parts.remaining(call);
    const error = givenUpError({ call, failed, attempts, remaining, unknown, repeatable });
    const told = {
      status: 'failed' as const,
      attempt: attempts,
      latencyMs: this.#elapsed(),
      message: reasonOf(failed),
    };
    this.#tell('dynamic_tool.failed', { ...told, code: failed.error.code });
    this.#tell('dynamic_tool.degraded', { ...told, code: error.code });
    if (countsAgainstTool(failed)) this.#counted(admission);
    return error;
  }

  #counted(admission: Admission): void {
    const paused = this.#options.degraded.failed(this.#call.operation, admission);
    if (paused === undefined) return;
    const { pauseMs, failures } = paused;
    this.#tell('dynamic_tool.degraded', {
      status: 'paused',
      latencyMs: this.#elapsed(),
      code: 'dynamic_tool_degraded',
      message: `Failed ${failures} times in a row: pauses for ${Math.ceil(pauseMs / 1000)} s.`,
    });
  }

  #recovered(): void {
    if (!this.#options.degraded.succeeded(this.#call.operation)) return;
    this.#tell('dynamic_tool.degraded', {
      status: 'recovered',
      latencyMs: this.#elapsed(),
      message: 'A call succeeded: the tool is available again.',
    });
  }

  #elapsed(): number {
    return this.#options.now() - this.#started;
  }
}

/** Numbers only: never what a service or a program said. */
function reasonOf({ error, output }: FailedAttempt): string {
  if (output?.exitCode !== undefined) return `Exit code ${output.exitCode}.`;
  if (error.status !== undefined) return `The service answered ${error.status}.`;
  return `Ended with ${error.code}.`;
}
