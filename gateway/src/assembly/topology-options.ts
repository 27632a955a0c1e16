import type { Configuration } from '../config/configuration.ts';
import { DEFAULT_SURFACE } from '../config/topology.ts';
import type { TopologyOptions } from '../operations/index.ts';

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
  const { options } = surface;
  const permissions = Object.values(sources).flatMap((source) => source.permissions ?? []);
  const hidden = permissions.flatMap(({ adminOnlyTags }) => adminOnlyTags);
  if (hidden.length === 0) return options;
  return {
    ...options,
    adminOnlyTags: [...new Set([...options.adminOnlyTags, ...hidden])],
    adminRoles: [...new Set([...options.adminRoles, ...permissions.flatMap(({ adminRoles }) => adminRoles)])],
  };
}
