import { asToolcribError, ERRORS, type ToolcribError } from '../../errors.ts';
import { rpcErrorResponse } from '../mcp/http/rpc-error-response.ts';

/** The body of every failed request of the HTTP API. */
interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly next: string;
    readonly pointer?: string;
  };
}

function errorBody(error: ToolcribError): ErrorBody {
  const { code, message, next, pointer } = error;
  return { error: { code, message, next, ...(pointer === undefined ? {} : { pointer }) } };
}

/** Any thrown value as an answer, with the status of its row in the registry. Foreign errors lose their text. */
export function errorResponse(thrown: unknown, challenge?: Challenge): Response {
  const error = asToolcribError(thrown);
  return Response.json(errorBody(error), {
    status: ERRORS[error.code].status,
    headers: headersOf(error, challenge),
  });
}

/** The same for a client of MCP that was refused before its message was read: it shows a JSON-RPC error and no other. */
export function mcpErrorResponse(thrown: unknown, challenge?: Challenge): Response {
  const error = asToolcribError(thrown);
  const message = `${error.code}: ${error.message} ${error.next}`;
  return rpcErrorResponse(ERRORS[error.code].status, -32000, message, headersOf(error, challenge));
}

/** The value of `WWW-Authenticate` where a credential was refused, by the message of the refusal. */
export type Challenge = (message: string) => string;

function headersOf({ code, message }: ToolcribError, challenge?: Challenge): Record<string, string> {
  if (code !== 'unauthorized') return {};
  return { 'www-authenticate': challenge?.(message) ?? 'Bearer realm="toolcrib"' };
}
