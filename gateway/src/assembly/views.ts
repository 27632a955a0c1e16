import type { Catalog } from '../catalog/catalog.ts';
import type { View } from '../gateway-types.ts';
import type { Principal } from '../operations/index.ts';
import { deriveVisibility } from '../policy/visibility.ts';
import type { Topology } from '../topology/topology.ts';

/** Views by catalog and principal, made once each; a catalog that is gone takes its views along. */
export function createViews(topology: Topology): (catalog: Catalog, principal: Principal) => View {
  const views = new WeakMap<Catalog, Map<string, View>>();
  return (catalog, principal) => {
    const known = views.get(catalog) ?? new Map<string, View>();
    views.set(catalog, known);
    const key = JSON.stringify([principal.id, principal.maxAccess, principal.roles]);
    let view = known.get(key);
    if (view === undefined) {
      view = viewOf(catalog, topology, principal);
      known.set(key, view);
    }
    return view;
  };
}

function viewOf(catalog: Catalog, topology: Topology, principal: Principal): View {
  const { visible } = deriveVisibility(catalog.entries, principal);
  return {
    catalog,
    tools: topology.publish({ tools: visible }),
    resources: catalog.resources,
    resourceTemplates: catalog.resourceTemplates,
    prompts: catalog.prompts,
  };
}
