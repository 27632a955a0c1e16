import { isObject, type Json } from '../../operations/index.ts';
import { isShallow } from '../../operations/json/is-shallow.ts';

/** Why a request got no result, before it is known what that means for its caller. */
export type SessionErrorKind =
  /** Nothing was written. */
  | 'unsent'
  /** The session ended, or the request's stream did, after it was written. */
  | 'lost'
  /** What came is no answer. */
  | 'malformed'
  /** The HTTP server does not know the session: nothing was carried out. */
  | 'session_lost'
  | 'deadline'
  | 'cancelled';

export class SessionError extends Error {
  readonly kind: SessionErrorKind;

  constructor(kind: SessionErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SessionError';
    this.kind = kind;
  }
}

/** A JSON-RPC error that the server answered. */
export class ServerError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = 'ServerError';
    this.code = code;
    this.data = data;
  }
}

/** Of a call whose signal has aborted: its caller went away, or its time is over. */
export function abortedCall({ reason }: AbortSignal): SessionError {
  return (reason as Error | undefined)?.name === 'TimeoutError'
    ? lateCall()
    : new SessionError('cancelled', 'The caller cancelled the call.');
}

export function lateCall(): SessionError {
  return new SessionError('deadline', 'The deadline passed.');
}

/** The error of a JSON-RPC answer or of a failed task. */
export function serverError(error: unknown): ServerError | SessionError {
  const { code, message, data } = (isObject(error) ? error : {}) as Record<string, Json | undefined>;
  if (typeof code !== 'number' || typeof message !== 'string')
    return new SessionError('malformed', 'The error answer has no code and message.');
  return new ServerError(code, message, data === undefined || isShallow(data) ? data : undefined);
}

export function malformedAnswer(what: string): SessionError {
  return new SessionError('malformed', `The answer is malformed: ${what}.`);
}
