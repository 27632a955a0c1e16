import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import type { View } from '../gateway-types.ts';
import type { Principal, PublishedTool } from '../operations/index.ts';
import type { Topology } from '../topology/topology.ts';

/** Views by catalog and principal, made once each; a catalog that is gone takes its views along. */
export function createViews(
  topology: Topology,
  refusal: (entry: CatalogEntry, principal: Principal) => string | undefined,
): (catalog: Catalog, principal: Principal) => View {
  const views = new WeakMap<Catalog, Map<string, View>>();
  return (catalog, principal) => {
    const known = views.get(catalog) ?? new Map<string, View>();
    views.set(catalog, known);
    const key = JSON.stringify([principal.id, principal.maxAccess, principal.roles]);
    let view = known.get(key);
    if (view === undefined) {
      view = viewOf(catalog, topology, (entry) => refusal(entry, principal) === undefined);
      known.set(key, view);
    }
    return view;
  };
}

function viewOf(catalog: Catalog, topology: Topology, visible: (entry: CatalogEntry) => boolean): View {
  const tools: PublishedTool[] = [];
  for (const entry of catalog.entries) {
    if (!entry.quarantined && visible(entry)) tools.push({ tool: entry.tool, operation: entry.operation });
  }
  return {
    catalog,
    tools: topology.publish({ tools }),
    resources: catalog.resources,
    resourceTemplates: catalog.resourceTemplates,
    prompts: catalog.prompts,
  };
}
