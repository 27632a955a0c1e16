import type { Catalog, CatalogEntry } from './catalog.ts';

/** The entry of one operation of a source, quarantined or not; for what is rare: it looks through all of them. */
export function entryOfOperation(
  { entries }: Pick<Catalog, 'entries'>,
  source: string,
  id: string,
): CatalogEntry | undefined {
  return entries.find((entry) => entry.source === source && entry.facts.id === id);
}
