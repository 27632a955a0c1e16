import { createDestinationCheck } from './destination.ts';
import { EgressFailure, type EgressOptions } from './egress.ts';

/** Where the calls of a source go. */
export interface CalledOrigin {
  readonly origin: string;
  readonly socketPath?: string | undefined;
  /** As in `OutgoingRequest`. */
  readonly named?: readonly string[] | undefined;
}

export interface RefusedOrigin {
  /** `host:port`, as `egress.allow` takes it. */
  readonly host: string;
  /** `127.0.0.1 is no public address` */
  readonly why: string;
}

/**
 * Says before any call whether the egress door refuses where calls go, as the name or the literal address tells: what a
 * name resolves to is seen at the call. Through a socket nothing goes to the host, so nothing is refused.
 */
export function createOriginReview({
  allow,
  redirects = allow,
}: Pick<EgressOptions, 'allow' | 'redirects'>): (called: CalledOrigin) => RefusedOrigin | undefined {
  const check = createDestinationCheck(allow);
  const foreign = createDestinationCheck(redirects);
  return ({ origin, socketPath, named }) => {
    if (socketPath !== undefined) return undefined;
    try {
      (named === undefined || named.includes(origin) ? check : foreign).parse(origin);
      return undefined;
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      const why = error.message.replace(/: refused before.*$/, '').replace(/\.$/, '');
      return { host: new URL(origin).host, why };
    }
  };
}
