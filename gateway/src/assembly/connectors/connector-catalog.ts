import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { ConnectorCatalog } from '../../connectors/index.ts';
import type { GrantSource } from '../../operations/index.ts';
import { deriveVisibility } from '../../policy/visibility.ts';

export interface ConnectorCatalogParts {
  readonly catalog: () => Catalog;
  readonly grants: Pick<GrantSource, 'known'>;
}

/** What the own tools of Azure's sources look up: tools of connections as their caller may see them, and how many there are. */
export function createConnectorCatalog({ catalog, grants }: ConnectorCatalogParts): ConnectorCatalog {
  const ofConnectors = (fits: (entry: CatalogEntry) => boolean) =>
    catalog().entries.filter((entry) => entry.facts.connector !== undefined && fits(entry));
  return {
    tools({ principal, operation: { source } }) {
      const entries = ofConnectors((entry) => entry.source === source);
      const { visible } = deriveVisibility(entries, grants.known(principal));
      return visible.map((entry) => ({
        name: entry.name,
        get operation() {
          return entry.load();
        },
      }));
    },
    count: (source, connection) =>
      ofConnectors(
        (entry) =>
          entry.source === source && entry.facts.connector?.connection === connection && !entry.quarantined,
      ).length,
    skipped: (source) =>
      ofConnectors((entry) => entry.source === source && entry.quarantined === true).length +
      catalog().diagnostics.filter((one) => one.code === 'tool-shadowed' && one.source === source).length,
  };
}
