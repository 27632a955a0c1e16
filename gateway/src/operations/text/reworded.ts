import { type ErrorPlace, ToolcribError } from '../../errors.ts';

/** The same error in other words: place, status, details and next step stay where `more` does not replace them. */
export function reworded(error: ToolcribError, message: string, more: ErrorPlace = {}): ToolcribError {
  const { code, pointer, location, status, details, next } = error;
  return new ToolcribError(code, message, {
    ...(pointer === undefined ? {} : { pointer }),
    ...(location === undefined ? {} : { location }),
    ...(status === undefined ? {} : { status }),
    ...(details === undefined ? {} : { details }),
    next,
    cause: error,
    ...more,
  });
}
