import type { Catalog } from '../../catalog/catalog.ts';
import { withNamedDestinations } from '../../config/allowed-destinations.ts';
import type { Configuration, EgressConfiguration } from '../../config/configuration.ts';
import { originOf } from '../connections.ts';

/**
 * Destinations that the configuration opens, and those that the served sources were opened with: while the next state of
 * a source is compiled, and where it cannot be, calls still go where it led before.
 */
export function reachedDestinations(
  configuration: Configuration,
  catalog: Pick<Catalog, 'sources' | 'connection'>,
): EgressConfiguration {
  const served = catalog.sources.flatMap(({ name }) => {
    const connection = catalog.connection(name);
    const source = connection && originOf(connection)?.source;
    return source === undefined ? [] : [[name, source] as const];
  });
  return withNamedDestinations({ ...configuration, sources: Object.fromEntries(served) });
}
