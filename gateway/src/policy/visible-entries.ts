import type { Grants } from '../operations/index.ts';
import { isListed, type VisibilityEntry } from './visibility.ts';

/** What is read of a catalog entry to count and compare; a CatalogEntry fits. */
export interface ComparedEntry extends VisibilityEntry {
  readonly source: string;
}

/** Entries that these grants list. */
export function visibleEntries<E extends ComparedEntry>(
  entries: readonly E[],
  grants: Grants,
): ReadonlySet<E> {
  return new Set(entries.filter((entry) => isListed(entry, grants)));
}

/** What somebody would see more and less of one source. */
export interface SourceDifference<E> {
  readonly source: string;
  readonly gained: readonly E[];
  readonly lost: readonly E[];
}

/** In the order of the entries; sources without a difference are left out. */
export function compareVisible<E extends ComparedEntry>(
  entries: readonly E[],
  before: ReadonlySet<E>,
  after: ReadonlySet<E>,
): readonly SourceDifference<E>[] {
  const different = entries.filter((entry) => before.has(entry) !== after.has(entry));
  return [...Map.groupBy(different, ({ source }) => source)].map(([source, changed]) => ({
    source,
    gained: changed.filter((entry) => after.has(entry)),
    lost: changed.filter((entry) => before.has(entry)),
  }));
}
