import type { Environment } from '../../config/index.ts';
import type { EgressFailure } from '../../egress/egress.ts';
import { proxyAdvice, tlsAdvice } from '../../egress/index.ts';
import { ERRORS } from '../../errors.ts';
import type { Finding } from '../finding.ts';
import { proxyVariables } from '../proxies.ts';
import type { Service } from './service-addresses.ts';

/** What there is of proxies: the operator's own, and variables that play no part. */
export interface Proxies {
  readonly proxy: boolean;
  readonly env: Environment;
}

const OPEN_SOCKET =
  'Start the service, correct `socketPath`, or let the user that runs the gateway open it: often a group of the service may.';

/** Why a service cannot be reached, and what to do about this reason. */
export function unreachable(
  service: Pick<Service, 'origin' | 'setting' | 'socketPath'>,
  failure: EgressFailure,
  proxies: Proxies,
): Finding {
  const { origin, setting, socketPath } = service;
  const message =
    failure.kind === 'egress_blocked'
      ? `${origin}: ${failure.message}`
      : `${origin} does not answer: ${failure.message}`;
  return {
    check: 'service',
    status: 'error',
    message,
    next:
      socketPath !== undefined && failure.kind === 'connect_refused'
        ? OPEN_SOCKET
        : (proxyAdvice(failure.kind) ?? `${advice(failure, setting)}${aboutProxy(failure, proxies)}`),
  };
}

function advice({ kind, tls = 'untrusted' }: EgressFailure, setting = 'baseUrl'): string {
  switch (kind) {
    case 'egress_blocked':
      return ERRORS.egress_blocked.next;
    case 'dns':
      return setting === 'baseUrl'
        ? 'Check the spelling of the host in `baseUrl` or in `servers` of the document, and the network or VPN.'
        : `Check the spelling of the host in \`${setting}\`, and the network or VPN.`;
    case 'connect_refused':
      return `Nothing listens there: start the service, or correct host and port of \`${setting}\`.`;
    case 'tls_cert':
      return tlsAdvice(tls, setting);
    case 'connect_timeout':
    case 'timeout':
    case 'cancelled':
      return 'It did not answer in time: a firewall may be between, or the host is down.';
    default:
      return 'Check the address, the network, and whether the service runs.';
  }
}

function aboutProxy({ kind }: EgressFailure, { proxy, env }: Proxies): string {
  const set = kind === 'egress_blocked' ? [] : proxyVariables(env);
  if (proxy || set.length === 0) return '';
  return ` ${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set and not used: \`egress.proxy\` or the variable TOOLCRIB_PROXY names the one that leads out.`;
}
