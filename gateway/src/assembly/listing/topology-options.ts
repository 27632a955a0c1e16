import type { Configuration } from '../../config/configuration.ts';
import { azureOf } from '../../config/settings/azure.ts';
import { DEFAULT_SURFACE } from '../../config/settings/topology.ts';
import type { TopologyOptions } from '../../operations/index.ts';

/** Options of topologies with what single sources add to them; one object for each configuration. */
export function createTopologyOptions(configuration: () => Configuration): () => TopologyOptions {
  const made = new WeakMap<Configuration, TopologyOptions>();
  return () => {
    const now = configuration();
    let options = made.get(now);
    if (options === undefined) {
      options = optionsOf(now);
      made.set(now, options);
    }
    return options;
  };
}

function optionsOf({ surface = DEFAULT_SURFACE, sources }: Configuration): TopologyOptions {
  const listed = listedPerConnector(sources);
  const options = listed === undefined ? surface.options : { ...surface.options, listedPerConnector: listed };
  const permissions = Object.values(sources).flatMap((source) => source.permissions ?? []);
  const hidden = permissions.flatMap(({ adminOnlyTags }) => adminOnlyTags);
  if (hidden.length === 0) return options;
  return {
    ...options,
    adminOnlyTags: [...new Set([...options.adminOnlyTags, ...hidden])],
    adminRoles: [...new Set([...options.adminRoles, ...permissions.flatMap(({ adminRoles }) => adminRoles)])],
  };
}

/** What sources of kind `azure` list of each connection, where they say so. */
function listedPerConnector(sources: Configuration['sources']): TopologyOptions['listedPerConnector'] {
  const stated = Object.entries(sources).flatMap(([name, source]) => {
    const most = azureOf(source)?.maxToolsPerApi;
    return most === undefined ? [] : [[name, most] as const];
  });
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}
