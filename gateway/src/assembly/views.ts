import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import type { View } from '../gateway-types.ts';
import { DEFAULT_TOPOLOGY_OPTIONS, type Grants, type PublishedTool } from '../operations/index.ts';
import { deriveVisibility } from '../policy/visibility.ts';
import { type GenericProvider, type GenericTool, genericTools } from '../topology/generic/generic-tools.ts';
import type { OperationSet, Topology } from '../topology/topology.ts';
import type { GenericData } from './generic-data.ts';
import { readableSources } from './readable-sources.ts';

/** A view with those of its tools that reach several operations. */
export interface ComputedView extends View {
  readonly generic: ReadonlyMap<string, GenericTool>;
}

/** Views kept a catalog: principals with the same rights share one. */
const MAX_VIEWS = 1000;

/** Views by catalog and by what the grants come to, made once each; a catalog that is gone takes its views along. */
export function createViews(
  topology: Topology,
  data: () => GenericData | undefined,
): (catalog: Catalog, grants: Grants) => ComputedView {
  const byCatalog = new WeakMap<Catalog, CatalogViews>();
  return (catalog, grants) => {
    let views = byCatalog.get(catalog);
    if (views === undefined) {
      views = { byGrants: new WeakMap(), byRights: new Map() };
      byCatalog.set(catalog, views);
    }
    const known = views.byGrants.get(grants);
    if (known !== undefined) return known;
    const view = sharedView(views.byRights, catalog, grants, () => viewOf(catalog, grants, topology, data()));
    views.byGrants.set(grants, view);
    return view;
  };
}

interface CatalogViews {
  readonly byGrants: WeakMap<Grants, ComputedView>;
  /** Least recently used first. */
  readonly byRights: Map<string, ComputedView>;
}

function sharedView(
  views: Map<string, ComputedView>,
  catalog: Catalog,
  grants: Grants,
  make: () => ComputedView,
): ComputedView {
  const rights = rightsOf(catalog, grants);
  const view = views.get(rights) ?? make();
  views.delete(rights);
  views.set(rights, view);
  if (views.size > MAX_VIEWS) views.delete(views.keys().next().value!);
  return view;
}

/** Everything about grants that decides what is visible, and nothing that tells one person from another. */
function rightsOf(catalog: Catalog, grants: Grants): string {
  const { principal, roles, permissions, features, tools } = grants;
  const levels = catalog.sources.map(({ name }) => {
    const grant = grants.source(name);
    return grant && [grant.level, grant.admin, grant.user, grant.connection];
  });
  const { kind, maxAccess, sources } = principal;
  return JSON.stringify([kind, maxAccess, sources, tools, roles, permissions, features, levels]);
}

function viewOf(
  catalog: Catalog,
  grants: Grants,
  topology: Topology,
  data: GenericData | undefined,
): ComputedView {
  const { visible } = deriveVisibility(catalog.entries, grants);
  const providers =
    data === undefined || grants.tools === 'dynamic' ? [] : genericProviders(catalog, visible, data);
  const generic = data === undefined ? [] : genericTools(data.categories, providers);
  const replaced = grants.tools === 'static' ? new Set(replacedSources(generic, providers)) : undefined;
  const readable = readableSources(grants);
  const ofReadable = ({ source }: { readonly source: string }) => readable(source);
  const own = replaced === undefined ? visible : visible.filter(({ source }) => !replaced.has(source));
  return {
    catalog,
    tools: withGeneric(topology.publish(operationSet(own), DEFAULT_TOPOLOGY_OPTIONS), generic, catalog),
    generic: new Map(generic.map((tool) => [tool.name, tool])),
    resources: catalog.resources.filter(ofReadable),
    resourceTemplates: catalog.resourceTemplates.filter(ofReadable),
    prompts: catalog.prompts.filter(ofReadable),
  };
}

function genericProviders(
  catalog: Catalog,
  visible: readonly CatalogEntry[],
  { mappings }: GenericData,
): GenericProvider[] {
  return catalog.sources.flatMap(({ name, provider }): GenericProvider[] => {
    if (provider?.generic === undefined) return [];
    const entries = new Map(
      visible.filter(({ source }) => source === name).map((entry) => [entry.facts.id, entry]),
    );
    return [
      {
        source: name,
        category: provider.category,
        provider: provider.displayName,
        mappings: mappings(provider.generic),
        operation: (id) => entries.get(id)?.load,
      },
    ];
  });
}

/** Where only generic tools are wanted, a provider that none of them reaches keeps its own. */
function replacedSources(generic: readonly GenericTool[], providers: readonly GenericProvider[]): string[] {
  const reached = new Set(generic.flatMap(({ sources }) => sources));
  return providers.map(({ source }) => source).filter((source) => reached.has(source));
}

function operationSet(operations: readonly CatalogEntry[]): OperationSet {
  return {
    operations,
    sources: [],
    find: (name) => operations.find((entry) => entry.name === name || entry.operation === name),
    search: async () => operations.map((operation) => ({ operation, score: 0 })),
    roles: () => [],
  };
}

/** An operation's own tool keeps its name. */
function withGeneric(
  tools: readonly PublishedTool[],
  generic: readonly GenericTool[],
  catalog: Catalog,
): readonly PublishedTool[] {
  if (generic.length === 0) return tools;
  const added = generic.filter(({ name }) => catalog.byTool(name) === undefined);
  return [...tools, ...added].sort((a, b) => (a.name < b.name ? -1 : 1));
}
