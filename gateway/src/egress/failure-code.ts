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

/** What the operator can do where TLS is the reason; undefined: it is not. `source` has the `tls` that may be set. */
export function tlsAdvice({ kind, message }: EgressFailure): string | undefined {
  if (kind !== 'tls_cert') return undefined;
  if (message.includes('speak TLS')) return 'Begin the base URL with http://, or correct its port.';
  if (message.includes('refuses the TLS'))
    return 'The service may want a client certificate: `tls: { certificate, key }` of the source. Else it knows no version of TLS that is offered.';
  return 'Where an authority of your own signed its certificate, name it by `tls: { ca: { file: FILE } }` of the source; else the certificate has ended, or is of another host than the base URL.';
}

/** What the operator can do about a proxy that leads nowhere; undefined: no proxy is the reason. */
export function proxyAdvice(kind: FailureKind): string | undefined {
  if (kind === 'proxy_unreachable')
    return 'Check that the proxy runs, and its address in `egress.proxy` or TOOLCRIB_PROXY.';
  if (kind === 'proxy_refused')
    return 'Correct the user and password of `egress.proxy.url`, ask whoever runs the proxy for a way there, or put the host into `egress.proxy.bypass` if it can be reached directly.';
  return undefined;
}
