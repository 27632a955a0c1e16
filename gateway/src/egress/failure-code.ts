import type { ErrorCode } from '../errors.ts';
import type { EgressFailure } from './egress.ts';

/** The code under which a failed request reaches people, where nothing more is known of the call. */
export function failureCode({ kind, sent }: EgressFailure): ErrorCode {
  switch (kind) {
    case 'egress_blocked':
      return 'egress_blocked';
    case 'request_invalid':
      return 'arguments_invalid';
    case 'timeout':
      return 'deadline_exceeded';
    case 'cancelled':
      return 'cancelled';
    case 'too_large':
      return 'upstream_too_large';
    default:
      return sent === 'none' && kind !== 'redirect' ? 'upstream_unreachable' : 'upstream_failed';
  }
}
