import { isToolcribError, ToolcribError } from '../../errors.ts';
import { isObject } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { SessionError } from './session-error.ts';

const MAX_WORDS = 300;
const MAX_LOOKED_AT = 4_096;

/**
 * What an error of an HTTP transport means: 404 to a request with a session id says that the session is unknown (MCP
 * transports, session management), another 4xx that the request was not carried out; everything else leaves it open.
 */
export function refusalOf(
  error: unknown,
  name: string,
  hasSession: boolean,
  conceal: (text: string) => string = (text) => text,
): Error {
  if (isToolcribError(error)) return error;
  const status = statusOf(error);
  if (status === 404 && hasSession)
    return new SessionError('session_lost', 'The server no longer knows the session.', error);
  if (status === 403)
    return new ToolcribError('credentials_refused', `The server "${name}" refuses the credentials.`, {
      status,
      cause: error,
    });
  if (status === 429) return askedToWait(error, name, saidIn(error, conceal));
  if (status !== undefined && status >= 400 && status < 500)
    return new ToolcribError(
      'upstream_failed',
      `The server "${name}" refused the request with HTTP ${status}${saidIn(error, conceal)}.`,
      { status, cause: error },
    );
  const unread = unreadAnswer(error);
  if (unread !== undefined) return new SessionError('malformed', unread, error);
  const what = status === undefined ? 'The connection broke' : `The server answered HTTP ${status}`;
  return new SessionError('lost', `${what}.`, error);
}

/** How long is in `data.retryAfterMs`, where the server said it. */
function askedToWait(error: unknown, name: string, said: string): ToolcribError {
  const asked = (error as { data?: { retryAfterMs?: unknown } }).data?.retryAfterMs;
  if (typeof asked !== 'number') {
    return new ToolcribError('rate_limited', `The server "${name}" asks to wait, not how long${said}.`, {
      status: 429,
      next: 'Call again later, and less often.',
      cause: error,
    });
  }
  const retryAfterSeconds = Math.ceil(asked / 1000);
  return new ToolcribError(
    'rate_limited',
    `The server "${name}" asks to wait ${retryAfterSeconds} s${said}.`,
    {
      status: 429,
      details: { retryAfterSeconds },
      cause: error,
    },
  );
}

/** What a server answered to a handshake that it refused, with its own words; undefined for every other error. */
export function refusedHandshake(error: unknown, redact: (text: string) => string): string | undefined {
  const status = statusOf(error);
  return status === undefined ? undefined : `it answered HTTP ${status}${saidIn(error, redact)}.`;
}

/** The server, or what stands before it, was asked too often. */
export function isThrottled(error: unknown): boolean {
  return statusOf(error) === 429;
}

/** The server's own words behind a colon; foreign text, cut and in quotes. */
function saidIn(error: unknown, conceal: (text: string) => string): string {
  const text = (error as { data?: { text?: unknown } }).data?.text;
  if (typeof text !== 'string') return '';
  const plain = conceal(rpcMessageIn(text) ?? text.slice(0, MAX_LOOKED_AT)).replace(/<[^<>]*>/g, ' ');
  const words = printable(plain.replace(/\s+/g, ' ').trim(), MAX_WORDS);
  return words === '' ? '' : `: "${words}"`;
}

/** Many servers refuse with an error of JSON-RPC in the body. */
function rpcMessageIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  } catch {
    return undefined;
  }
}

/** An answer came whole and is none of MCP: a page, nothing, or JSON that is no message. */
function unreadAnswer(error: unknown): string | undefined {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  const contentType = isObject(data) ? data['contentType'] : undefined;
  if (contentType === null) return 'The server answered without a content type.';
  if (typeof contentType === 'string')
    return `The server answered with ${printable(contentType, 80)}, which is no answer of MCP.`;
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError'))
    return 'The server answered with what is no message of JSON-RPC.';
  return undefined;
}

/** The SDK keeps it in `data`. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const data = 'data' in error && isObject(error.data) ? error.data : {};
  const status = data['status'] ?? ('status' in error ? error.status : undefined);
  return typeof status === 'number' ? status : undefined;
}
