import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/index.ts';
import { createDestinationCheck } from '../../egress/destination.ts';
import { EgressFailure } from '../../egress/egress.ts';
import { servicesOf } from './service-addresses.ts';

export interface RefusedService {
  /** `host:port`, as `egress.allow` takes it. */
  readonly host: string;
  /** `127.0.0.1 is no public address` */
  readonly why: string;
}

/** Services to which the egress door sends nothing, as their names and literal addresses tell. No name is looked up. */
export function refusedServices(configuration: Configuration, catalog: Catalog): RefusedService[] {
  const check = createDestinationCheck(configuration.egress.allow);
  return servicesOf(configuration, catalog).services.flatMap(({ origin, socketPath }) => {
    // through a socket nothing goes to the host
    if (socketPath !== undefined) return [];
    try {
      check.parse(origin);
      return [];
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      return [{ host: new URL(origin).host, why: error.message.replace(/: refused before.*$/, '') }];
    }
  });
}
