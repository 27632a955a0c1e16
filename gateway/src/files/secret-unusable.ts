import { asToolcribError, ToolcribError } from '../errors.ts';

interface Unusable {
  readonly location: string;
  readonly cause: unknown;
  /** Where the machine has room for it. */
  readonly next: string;
}

/** `store_unavailable` for a secret in the state directory; a full disk and the like are told as what they are. */
export function secretUnusable(message: string, { location, cause, next }: Unusable): ToolcribError {
  const lack = cause === undefined ? undefined : asToolcribError(cause);
  if (lack?.code !== 'file_unusable')
    return new ToolcribError('store_unavailable', message, { location, cause, next });
  return new ToolcribError('store_unavailable', `${message} ${lack.message}`, {
    location,
    cause,
    next: lack.next,
  });
}
