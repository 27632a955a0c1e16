import type { Catalog } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/index.ts';
import { createOriginReview, type RefusedOrigin } from '../../egress/refused-origin.ts';
import { servicesOf } from './service-addresses.ts';

/** Services to which the egress door sends nothing, as their names and literal addresses tell. No name is looked up. */
export function refusedServices(configuration: Configuration, catalog: Catalog): RefusedOrigin[] {
  const refusalOf = createOriginReview(configuration.egress);
  return servicesOf(configuration, catalog).services.flatMap((service) => refusalOf(service) ?? []);
}
