import type { ErrorCode } from '../errors.ts';
import type { EgressFailure, FailureKind } from './egress.ts';

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

/** What the operator can do about a proxy that leads nowhere; undefined: no proxy is the reason. */
export function proxyAdvice(kind: FailureKind): string | undefined {
  if (kind === 'proxy_unreachable')
    return 'Check that the proxy runs, and its address in `egress.proxy` or TOOLCRIB_PROXY.';
  if (kind === 'proxy_refused')
    return 'Correct the user and password of `egress.proxy.url`, ask whoever runs the proxy for a way there, or put the host into `egress.proxy.bypass` if it can be reached directly.';
  return undefined;
}
