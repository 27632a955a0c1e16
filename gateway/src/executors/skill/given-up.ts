import { ToolcribError } from '../../errors.ts';
import { type Call, isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { cutText } from '../../operations/text/cut-text.ts';
import { cleanJson, cleanValue } from '../../results/untrusted/clean-json.ts';
import type { FailedAttempt } from './attempt.ts';
import type { SkillParts } from './skill-parts.ts';

/** Characters of each stream that a caller is shown, from its end. */
const TAIL = 2000;

type Remaining = ReturnType<SkillParts['remaining']>;

export interface GivenUp {
  readonly call: Call;
  readonly failed: FailedAttempt;
  readonly attempts: number;
  readonly remaining: Remaining;
  /** Whether it was carried out is not known, and it may not be done twice. */
  readonly unknown: boolean;
  /** A repetition has no further effect. */
  readonly repeatable: boolean;
}

/**
 * The call as its caller sees it once it is given up: `dynamic_tool_failed_after_retries`, or `outcome_unknown` where it
 * may have been carried out. Both hold the same details, in the words of platforms with such tools.
 */
export function givenUpError({
  call,
  failed,
  attempts,
  remaining,
  unknown,
  repeatable,
}: GivenUp): ToolcribError {
  const { error, ran } = failed;
  const code = unknown ? 'outcome_unknown' : 'dynamic_tool_failed_after_retries';
  const detail = cleanValue(error.message);
  const often = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const mayHaveRun = ran === 'maybe' && call.operation.access !== 'read';
  const advice = [
    ...(mayHaveRun ? [repeatable ? HARMLESS : CHECK] : []),
    ...(mayHaveRun && error.code === 'upstream_status' ? [] : [unknown ? '' : cleanValue(error.next)]),
    whatRemains(remaining),
  ];
  return new ToolcribError(code, `${call.tool} failed (${often}): ${detail}`, {
    ...(error.status === undefined ? {} : { status: error.status }),
    next: advice.filter((sentence) => sentence !== '').join(' '),
    details: {
      error: code,
      tool: call.tool,
      attempts,
      last_code: error.code,
      detail,
      ...(error.status === undefined ? {} : { status: error.status }),
      ...said(failed),
      ...bodyOf(error),
      ...(mayHaveRun ? { outcome: 'unknown_outcome' } : {}),
      remaining,
      _dynamic_tool: true,
      _dynamic_tool_degraded: true,
    },
    cause: error,
  });
}

const CHECK = 'It may have happened: check its effect before you try again.';
const HARMLESS = 'It may have happened; calling it again has no further effect.';

/** A call of a tool that pauses: nothing was begun. */
export function pausedError(call: Call, untilMs: number, remaining: Remaining): ToolcribError {
  const seconds = Math.max(1, Math.ceil(untilMs / 1000));
  return new ToolcribError(
    'dynamic_tool_degraded',
    `${call.tool} failed repeatedly and pauses for ${seconds} s more; nothing was begun.`,
    {
      next: `Try it again after ${seconds} s. ${whatRemains(remaining)}`,
      details: {
        error: 'dynamic_tool_degraded',
        tool: call.tool,
        attempts: 0,
        retry_after_seconds: seconds,
        remaining,
        _dynamic_tool: true,
        _dynamic_tool_degraded: true,
      },
    },
  );
}

/** For a model: the conversation goes on. */
export function whatRemains({ count, names }: Remaining): string {
  if (count === 0) return 'No other tool is available: answer with what you have.';
  const some = names.length === 0 ? '' : ` (${names.join(', ')}${names.length < count ? ', …' : ''})`;
  const tools = count === 1 ? '1 other tool is' : `${count} other tools are`;
  return `${tools} available${some}: go on without this one.`;
}

function said({ output }: FailedAttempt): JsonObject {
  if (output === undefined) return {};
  const { exitCode, stdout, stderr } = output;
  return {
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(stdout === undefined || stdout === '' ? {} : { stdout: tail(stdout) }),
    ...(stderr === undefined || stderr === '' ? {} : { stderr: tail(stderr) }),
  };
}

/** The end of a text is where programs say what went wrong. */
function tail(text: string): string {
  if (text.length <= TAIL) return cleanValue(text);
  const first = text.charCodeAt(text.length - TAIL);
  const isHalf = first >= 0xdc00 && first <= 0xdfff;
  return `…${cleanValue(text.slice(text.length - TAIL + (isHalf ? 1 : 0)))}`;
}

/** What a service answered, where that is short enough to travel. */
function bodyOf({ details }: ToolcribError): JsonObject {
  const body = details?.['body'] as Json | undefined;
  if (body === undefined) return {};
  if (typeof body === 'string') return { body: cleanValue(cutText(body, TAIL)) };
  return isObject(body) || Array.isArray(body) ? { body: cleanJson(body) } : { body };
}
