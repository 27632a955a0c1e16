import { parseAllowList } from '../operations/http/allow-list.ts';
import { createDestinationCheck } from './destination.ts';
import { EgressFailure, type EgressOptions, type Resolve } from './egress.ts';

/** What leads a request to an address. */
export interface Leading {
  /** As in `OutgoingRequest`. */
  readonly named?: readonly string[] | undefined;
  /** Where a redirect came from; absent: the request's own address. */
  readonly from?: URL | undefined;
}

/** Undefined: nothing is to be asked about. Rejects with `egress_blocked`. */
export type ForeignCheck = (to: URL, leading: Leading) => Promise<void> | undefined;

/**
 * A private address that stands in the configuration for one source is for the calls of that source. The document of
 * another one, or a redirect of its service, would show its callers what answers there. They lead to public addresses,
 * to those of `redirects`, and to what the configuration names for their own source.
 */
export function createForeignCheck(
  { allow = [], redirects, proxy }: Pick<EgressOptions, 'allow' | 'redirects' | 'proxy'>,
  resolve: Resolve,
): ForeignCheck {
  if (redirects === undefined || allow.every((entry) => redirects.includes(entry))) return () => undefined;
  const [all, listed] = [parseAllowList(allow), parseAllowList(redirects)];
  const strict = createDestinationCheck(redirects);
  return (to, { named, from }) => {
    const isLed = from === undefined ? named !== undefined : from.origin !== to.origin;
    // what is not named at all is checked like any other address
    if (!isLed || named?.includes(to.origin) || !all.permits(to) || listed.permits(to)) return undefined;
    return refused(async () => {
      strict.parse(to.href);
      // names that only the proxy resolves are its business
      if (proxy?.resolve !== 'proxy') await strict.addresses(to, resolve);
    });
  };
}

/** Whoever looks for the address finds it in the configuration. */
async function refused(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof EgressFailure) || error.kind !== 'egress_blocked') throw error;
    const { kind, sent, message } = error;
    throw new EgressFailure(kind, sent, `${message}; the configuration names it for others`, {
      cause: error,
    });
  }
}
