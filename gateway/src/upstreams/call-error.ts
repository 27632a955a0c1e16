import { ERRORS, type ErrorCode, isToolcribError, ToolcribError } from '../errors.ts';
import { isObject, type JsonObject } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import { ServerError, SessionError } from './session/session-error.ts';

/** What a server offers; every other request is named by a caller. */
export const LIST = 'list';

/** What was asked, for messages and for what a lost answer means. */
export interface Asked {
  /** The server's name. */
  readonly name: string;
  /** `tool search`, `resource file:///a`, … */
  readonly what: string;
  readonly repeatable: boolean;
  /** The code of an answer that says that there is no such thing. */
  readonly unknown?: ErrorCode;
}

const RPC = { invalidParams: -32602, resourceMissing: -32002, capabilityMissing: -32021, pageToOpen: -32042 };
/** Many servers answer each failure of a tool so; why it failed often stands at the end. */
const MAX_MESSAGE = 4_096;
/** What leaves open whether a call was carried out. */
const OPEN: ReadonlySet<SessionError['kind']> = new Set(['lost', 'malformed', 'deadline', 'cancelled']);

/** Every error of a request, told to its caller: a lost answer of what must not be repeated is `outcome_unknown`. */
export function callErrorOf(error: unknown, asked: Asked): ToolcribError {
  if (isToolcribError(error)) return error;
  if (error instanceof ServerError) return answeredError(error, asked);
  if (error instanceof SessionError) return lostError(error, asked);
  return new ToolcribError('upstream_failed', `The ${asked.what} of "${asked.name}" could not be asked.`, {
    cause: error,
  });
}

function lostError(error: SessionError, { name, what, repeatable }: Asked): ToolcribError {
  const because = `The ${what} of "${name}" gave no answer: ${lowerFirst(error.message)}`;
  const code = codeOf(error);
  if (OPEN.has(error.kind) && !repeatable)
    // only a caller who went away hears `cancelled`
    return new ToolcribError(
      error.kind === 'cancelled' ? code : 'outcome_unknown',
      `${because} Whether it was carried out is not known.`,
      { cause: error, details: { lost: error.kind }, next: ERRORS.outcome_unknown.next },
    );
  return new ToolcribError(code, because, { cause: error });
}

function codeOf({ kind }: SessionError): ErrorCode {
  switch (kind) {
    case 'unsent':
    case 'session_lost':
      return 'upstream_unavailable';
    case 'lost':
      return 'upstream_crashed';
    case 'malformed':
      return 'upstream_failed';
    case 'deadline':
      return 'deadline_exceeded';
    case 'cancelled':
      return 'cancelled';
  }
}

/** The server answered with an error: nothing is in doubt. Its words are foreign text, cut and in quotes. */
function answeredError(error: ServerError, { name, what, unknown }: Asked): ToolcribError {
  const { code, data } = error;
  const kept = isObject(data) ? bounded(data) : undefined;
  const details = { rpc: code, ...(kept === undefined ? {} : { data: kept }) };
  const said = `"${name}" answered the ${what} with error ${code}: "${printable(error.message, MAX_MESSAGE)}"`;
  if (code === RPC.capabilityMissing) {
    const required = kept === undefined ? {} : { requiredCapabilities: kept['requiredCapabilities'] ?? {} };
    return new ToolcribError('capability_missing', said, { details: { ...details, ...required } });
  }
  if (unknown !== undefined && (code === RPC.invalidParams || code === RPC.resourceMissing))
    // what is asked for was listed: mostly it is an argument that the server does not take
    return new ToolcribError(unknown, said, {
      details,
      ...(code === RPC.invalidParams
        ? { next: 'Read what the server says: correct what was asked, or list again.' }
        : {}),
    });
  return new ToolcribError('upstream_failed', said, {
    details,
    next: what === LIST ? UNLISTED : nextAfter(code),
  });
}

const UNLISTED =
  'Read what the server says: it runs, and cannot say what it offers. Mostly it does not reach its own service, or needs a credential under `env` or `headers`.';

function nextAfter(code: number): string {
  if (code === RPC.invalidParams) return 'Read what the server says and correct the arguments.';
  // whoever agreed to open a page has not done there yet what it is for
  if (code === RPC.pageToOpen) return 'Finish what the server has a person do on its page, then call again.';
  return 'Read what the server says: correct the call, or call again later.';
}

function bounded(data: JsonObject): JsonObject {
  return JSON.stringify(data).length <= 4_096 ? data : {};
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
