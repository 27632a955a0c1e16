import { parseAllowList } from '../operations/http/allow-list.ts';
import { createDestinationCheck } from './destination.ts';
import type { EgressOptions, Resolve } from './egress.ts';

/** Whether a redirect may lead from one origin to another; rejects with `egress_blocked`. */
export type ForeignCheck = (from: URL, to: URL) => Promise<void>;

/**
 * A private address that stands in the configuration for one source is for the calls of that source: a redirect of
 * another one would show its caller what answers there. It leads to public addresses, and to those of `redirects`.
 */
export function createForeignCheck(
  { allow = [], redirects, proxy }: Pick<EgressOptions, 'allow' | 'redirects' | 'proxy'>,
  resolve: Resolve,
): ForeignCheck {
  if (redirects === undefined || allow.every((entry) => redirects.includes(entry)))
    return async () => undefined;
  const [named, listed] = [parseAllowList(allow), parseAllowList(redirects)];
  const strict = createDestinationCheck(redirects);
  return async (from, to) => {
    // what is not named is checked like any other address
    if (from.origin === to.origin || !named.permits(to) || listed.permits(to)) return;
    strict.parse(to.href);
    // names that only the proxy resolves are its business
    if (proxy?.resolve !== 'proxy') await strict.addresses(to, resolve);
  };
}
