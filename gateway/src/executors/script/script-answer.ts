import { type ErrorCode, ToolcribError } from '../../errors.ts';
import { isObject, type Json, SKILL_LIMITS } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { cutText } from '../../operations/text/cut-text.ts';
import type { RawResult } from '../executor.ts';
import { type AttemptOutcome, type AttemptOutput, type FailedAttempt, MORE_TIME } from '../skill/attempt.ts';
import { lastWords } from './last-words.ts';
import type { ScriptIsolation, ScriptOutcome } from './script-run.ts';

/** Stands at the end of a text that was cut, as platforms with such tools write it. */
const CUT = '\n...[truncated]...';
const NO_TEXT =
  'What the script wrote is no UTF-8 text, and bytes of it are lost: a script answers with text or JSON, and with bytes as base64 in it.';
/** A line that begins the answer of a script. */
const ENVELOPE = /^[ \t]*\{\s*"ok"\s*:/m;
const NO_ENVELOPE =
  'What the script wrote has { "ok": … and is no JSON as a whole, so it is all taken as text, and "ok" is not read: a script writes that one object alone, as valid JSON, and messages to standard error.';
/** Characters of what a script says about its failure, in the message. */
const LONGEST_REASON = 500;

/**
 * Most of stdout, bytes: JSON up to there is read whole, whatever of it a caller is shown. A script that writes more is
 * ended, since half of a JSON text is worse than none.
 */
export const MOST_OUTPUT = 4 * 1024 * 1024;

const NO_PACKAGE = /\bModuleNotFoundError: No module named|\bCannot find (?:package|module) '(?![./])/;
const INSTALL =
  'A package that it needs is missing: install it for the `python3` that is first in the gateway’s `PATH`, or in a `node_modules` of the skill.';
/** What its author has to know who wrote the script without an isolation. */
const READ_ONLY = /Read-only file system|\bEROFS\b/;
const KEEP_ELSEWHERE =
  'Its folder is read-only: let it write files below `$TMPDIR`, and print what shall be kept of them.';
const NO_NETWORK =
  /Network is unreachable|Connection refused|name resolution|Name or service not known|Could not resolve host|\b(?:ENETUNREACH|ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\b/;
const DECLARE_NETWORK =
  'It ran without a network: `network: true` of the tool in its manifest gives it one, and then a person agrees.';

interface ScriptSurroundings {
  readonly isolation?: ScriptIsolation;
  /** Takes out of a text what only the gateway knows. */
  readonly plain?: (text: string) => string;
}

/** What an outcome means for its attempt; `cancelled` is left to the caller, and counts as a deadline here. */
export function answerOf(
  given: ScriptOutcome,
  tool: string,
  { isolation = 'none', plain = (text) => text }: ScriptSurroundings = {},
): AttemptOutcome {
  const { class: className, json } = given;
  if (className === 'ok' && !hasFailed(json)) return { kind: 'done', result: resultOf(given) };
  const outcome = { ...given, stdout: plain(given.stdout) };
  const failed = (
    code: ErrorCode,
    message: string,
    ran: FailedAttempt['ran'],
    next?: string,
  ): FailedAttempt => ({
    kind: 'failed',
    error: new ToolcribError(code, message, next === undefined ? {} : { next }),
    ran,
    latencyMs: Math.round(outcome.durationMs),
    output: outputOf(outcome),
  });
  switch (className) {
    case 'spawn_failed':
      return failed(
        'script_unavailable',
        `The script of ${tool} did not start: ${plain(`${outcome.problem}`)}.`,
        'no',
      );
    case 'timeout':
    case 'cancelled':
      return failed(
        'deadline_exceeded',
        `The script of ${tool} did not end before its deadline, after ${(outcome.durationMs / 1000).toFixed(1)} s.`,
        'maybe',
        MORE_TIME,
      );
    case 'output_limit': {
      const message = `The script of ${tool} wrote more than the ${MOST_OUTPUT} bytes that a call may answer, and was ended.`;
      return { ...failed('script_output_limit', message, 'yes'), final: true };
    }
    case 'killed':
      return failed('script_failed', `The script of ${tool} was ended by ${outcome.signal}.`, 'yes');
    default: {
      const how = className === 'ok' ? 'reports a failure' : `exited with code ${outcome.exitCode}`;
      const message = `The script of ${tool} ${how}${reasonOf(outcome, plain)}`;
      return failed('script_failed', message, 'yes', adviceFor(outcome, isolation));
    }
  }
}

/** `{ "ok": false, … }`, whatever else stands in it. */
function hasFailed(json: Json | undefined): boolean {
  return isObject(json) && Object.hasOwn(json, 'ok') && json['ok'] === false;
}

/**
 * What a caller reads: of `{ "ok": true, "data": … }` the data, other JSON as it is, else the text, cut to
 * `SKILL_LIMITS.outputCharacters`. An object is structured content too.
 */
function resultOf({ stdout, json, exactJson, replaced }: ScriptOutcome): RawResult {
  if (json === undefined) {
    const text = shown(stdout);
    const content = [{ type: 'text' as const, text: text === '' ? 'Done.' : text }];
    const warnings = [...(replaced ? [NO_TEXT] : []), ...(ENVELOPE.test(stdout) ? [NO_ENVELOPE] : [])];
    return { kind: 'value', content, ...(warnings.length === 0 ? {} : { warnings }) };
  }
  const value = dataOf(json);
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    kind: 'value',
    content: [{ type: 'text', text: exactJson ?? plain }],
    ...(isObject(value) ? { structured: value } : {}),
  };
}

/** Only of an envelope that holds nothing else. */
function dataOf(json: Json): Json {
  if (!isObject(json) || json['ok'] !== true || !Object.hasOwn(json, 'data')) return json;
  const isEnvelope = Object.keys(json).every((key) => ['ok', 'data', 'error'].includes(key));
  return isEnvelope ? json['data']! : json;
}

function outputOf({ stdout, stderr, exitCode }: ScriptOutcome): AttemptOutput {
  return {
    stdout: shown(stdout),
    stderr: shown(stderr),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

function shown(text: string): string {
  const { outputCharacters } = SKILL_LIMITS;
  return text.length <= outputCharacters ? text : `${cutText(text, outputCharacters)}${CUT}`;
}

/** Where what it met is no matter of the call: a package that is missing, or what an isolation does. */
function adviceFor({ stdout, stderr }: ScriptOutcome, isolation: ScriptIsolation): string | undefined {
  const said = `${stdout.slice(-LONGEST_REASON)}\n${stderr.slice(-10 * LONGEST_REASON)}`;
  if (NO_PACKAGE.test(said)) return INSTALL;
  if (isolation === 'none') return undefined;
  if (READ_ONLY.test(said)) return KEEP_ELSEWHERE;
  return !isolation.network && NO_NETWORK.test(said) ? DECLARE_NETWORK : undefined;
}

/** What it says itself: its `error`, else the end of stderr; of one that exited and wrote nothing there, of stdout. */
function reasonOf(
  { class: className, json, stderr, stdout }: ScriptOutcome,
  plain: (text: string) => string,
): string {
  const error = isObject(json) && Object.hasOwn(json, 'error') ? json['error'] : undefined;
  const said = isObject(error) && typeof error['message'] === 'string' ? error['message'] : error;
  const isNothing = said === undefined || said === null || said === '';
  const last = lastWords(stderr);
  const end = last === '' && className === 'exit_nonzero' ? endOf(stdout) : last;
  const text = isNothing ? end : plain(typeof said === 'string' ? said : JSON.stringify(said));
  const clean = cleanText(cutText(text, 2 * LONGEST_REASON))
    .text.replace(/\s+/g, ' ')
    .trim();
  return clean === '' ? '.' : `: ${cutText(clean, LONGEST_REASON)}`;
}

function endOf(stdout: string): string {
  const text = stdout.trim();
  if (text.length <= LONGEST_REASON) return text;
  return `…${text.slice(1 - LONGEST_REASON).replace(/^[\uDC00-\uDFFF]/, '')}`;
}
