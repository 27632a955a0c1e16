import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { GenericProvider, GenericTool } from '../../topology/generic/generic-tools.ts';
import type { GenericData } from './generic-data.ts';

/** The providers of a catalog with those of their operations that are visible. */
export function genericProviders(
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
export function replacedSources(
  generic: readonly GenericTool[],
  providers: readonly GenericProvider[],
): string[] {
  const reached = new Set(generic.flatMap(({ sources }) => sources));
  return providers.map(({ source }) => source).filter((source) => reached.has(source));
}
