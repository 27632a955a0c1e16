import type { EgressConfiguration } from '../config/configuration.ts';
import type { Environment } from '../config/index.ts';
import type { Finding } from './finding.ts';

/** For whoever can get out through a proxy only. */
const PROXY_ADVICE =
  'Where only a proxy leads out, name it: `egress: { proxy: { url: { env: HTTPS_PROXY } } }`, or the variable TOOLCRIB_PROXY.';
const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** Names of the proxy variables that are set, as they are written. */
export function proxyVariables(env: Environment): string[] {
  const written = NAMES.flatMap((name) => [name, name.toLowerCase()]);
  return written.filter((name) => (env[name] ?? '') !== '');
}

/** The egress door uses the operator's own proxy, none of these. The value, which may hold a password, stays out. */
export function checkProxies({ proxy }: EgressConfiguration, env: Environment): Finding[] {
  const set = proxyVariables(env);
  if (proxy !== undefined) {
    const { host } = new URL(proxy.url);
    const who = proxy.resolve === 'proxy' ? ', which resolves their names' : '';
    return [{ check: 'proxy', status: 'ok', message: `Public addresses are reached through ${host}${who}.` }];
  }
  if (set.length === 0) return [];
  return [
    {
      check: 'proxy',
      status: 'info',
      message: `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set, and not used: requests go out directly, to addresses that were checked.`,
      next: PROXY_ADVICE,
    },
  ];
}
