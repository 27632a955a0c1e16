import type { Environment } from '../config/index.ts';
import type { Finding } from './finding.ts';

const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** Names of the proxy variables that are set, as they are written. */
export function proxyVariables(env: Environment): string[] {
  const written = NAMES.flatMap((name) => [name, name.toLowerCase()]);
  return written.filter((name) => (env[name] ?? '') !== '');
}

/** The egress door connects directly, to addresses that it has checked itself. The value, which may hold a password, stays out. */
export function checkProxies(env: Environment): Finding[] {
  const set = proxyVariables(env);
  if (set.length === 0) return [];
  return [
    {
      check: 'proxy',
      status: 'info',
      message: `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set, and not used: requests go out directly, to addresses that were checked.`,
      next: 'Where only a proxy leads out, let this machine reach the services directly, or name one that forwards to a service as its `baseUrl`.',
    },
  ];
}
