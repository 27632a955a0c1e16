import { asToolcribError, ERRORS, type ToolcribError } from '../../errors.ts';

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
export function errorResponse(thrown: unknown): Response {
  const error = asToolcribError(thrown);
  const headers: Record<string, string> = {};
  if (error.code === 'unauthorized') headers['www-authenticate'] = 'Bearer realm="toolcrib"';
  return Response.json(errorBody(error), { status: ERRORS[error.code].status, headers });
}
