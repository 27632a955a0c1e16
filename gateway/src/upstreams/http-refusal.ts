import { isToolcribError, ToolcribError } from '../errors.ts';
import { isObject } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import { SessionError } from './session-error.ts';

const MAX_WORDS = 300;
const MAX_LOOKED_AT = 4_096;

/**
 * What an error of an HTTP transport means: 404 to a request with a session id says that the session is unknown (MCP
 * transports, session management), another 4xx that the request was not carried out; everything else leaves it open.
 */
export function refusalOf(error: unknown, name: string, hasSession: boolean): Error {
  if (isToolcribError(error)) return error;
  const status = statusOf(error);
  if (status === 404 && hasSession)
    return new SessionError('session_lost', 'The server no longer knows the session.', error);
  if (status === 401 || (error instanceof Error && error.name === 'UnauthorizedError'))
    return new ToolcribError('authorization_required', `The server "${name}" asks for a sign-in.`, {
      cause: error,
    });
  if (status === 403)
    return new ToolcribError('credentials_refused', `The server "${name}" refuses the credentials.`, {
      status,
      cause: error,
    });
  if (status === 429)
    return new ToolcribError('rate_limited', `The server "${name}" asks to wait.`, { status, cause: error });
  if (status !== undefined && status >= 400 && status < 500)
    return new ToolcribError(
      'upstream_failed',
      `The server "${name}" refused the request with HTTP ${status}.`,
      {
        status,
        cause: error,
      },
    );
  const what = status === undefined ? 'The connection broke' : `The server answered HTTP ${status}`;
  return new SessionError('lost', `${what}.`, error);
}

/** What a server answered to a handshake that it refused, with its own words; undefined for every other error. */
export function refusedHandshake(error: unknown, redact: (text: string) => string): string | undefined {
  const status = statusOf(error);
  if (status === undefined) return undefined;
  const text = (error as { data?: { text?: unknown } }).data?.text;
  const plain =
    typeof text === 'string' ? redact(text.slice(0, MAX_LOOKED_AT)).replace(/<[^<>]*>/g, ' ') : '';
  const words = printable(plain.replace(/\s+/g, ' ').trim(), MAX_WORDS);
  return `it answered HTTP ${status}${words === '' ? '' : `: "${words}"`}.`;
}

/** The SDK keeps it in `data`. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const data = 'data' in error && isObject(error.data) ? error.data : {};
  const status = data['status'] ?? ('status' in error ? error.status : undefined);
  return typeof status === 'number' ? status : undefined;
}
