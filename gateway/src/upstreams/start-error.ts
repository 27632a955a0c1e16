import { ERRORS, isToolcribError, ToolcribError } from '../errors.ts';
import { messageOf } from '../operations/text/message-of.ts';
import { otherRevision } from './other-revision.ts';
import { isThrottled, refusedHandshake } from './session/http-refusal.ts';
import type { UpstreamDefinition } from './upstreams.ts';

const PROGRAM_ADVICE =
  'Nothing was sent. Install the program, make it executable, or correct `command` and `cwd` of this server.';

const COMMAND_LINE_ADVICE =
  'Nothing was sent. `command` names the program alone: write its arguments under `args`. Otherwise install the program.';

const START_ADVICE =
  'Nothing was sent. Correct `args` and `env` of this server, which gets no other variables, or raise `startTimeout`; otherwise call again later.';
const REACH_ADVICE =
  'Nothing was sent. See whether the server runs, and correct its `url` and `headers`; otherwise call again later.';
const THROTTLED_ADVICE = 'The server asks to be asked less often: call again later.';

/** The program is not there, or may not be run. */
export function hasNoProgram(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ENOENT' || code === 'EACCES';
}

/** Why a server did not start, in its own words where it has said some. `redact` takes secrets out of them. */
export function startError(
  error: unknown,
  definition: UpstreamDefinition,
  redact: (text: string) => string,
): ToolcribError {
  const { name, startTimeoutMs } = definition;
  if (isToolcribError(error) && error.code !== 'upstream_unavailable') return error;
  const revision = otherRevision(error, definition);
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const because = isTimeout
    ? `it did not shake hands within ${startTimeoutMs} ms.`
    : (revision?.because ?? refusedHandshake(error, redact) ?? messageOf(error));
  const cause = isToolcribError(error) ? error.cause : error;
  return new ToolcribError('upstream_unavailable', `The server "${name}" did not start: ${because}`, {
    next: revision?.next ?? startAdvice(error, definition),
    cause,
  });
}

function startAdvice(error: unknown, { transport }: UpstreamDefinition): string {
  if (hasNoProgram(error) || (error instanceof Error && hasNoProgram(error.cause))) {
    return transport.kind === 'stdio' && /\s/.test(transport.command) ? COMMAND_LINE_ADVICE : PROGRAM_ADVICE;
  }
  if (isToolcribError(error) && error.next !== ERRORS.upstream_unavailable.next) return error.next;
  if (isThrottled(error)) return THROTTLED_ADVICE;
  return transport.kind === 'stdio' ? START_ADVICE : REACH_ADVICE;
}
