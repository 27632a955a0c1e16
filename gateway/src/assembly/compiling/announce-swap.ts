import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogChanges } from '../../catalog/changes.ts';
import type { Change } from '../../gateway-core.ts';
import type { EventBody } from '../../operations/index.ts';

/** Tools named in one event; a larger change is counted by its lists' lengths elsewhere. */
const MAX_NAMES = 200;

/** Tells clients which lists changed, and the event log what changed in them. */
export function announceSwap(
  changes: CatalogChanges,
  catalog: Catalog,
  record: (event: EventBody) => void,
  announce: (change: Change) => void,
): void {
  record({
    type: 'catalog-swapped',
    catalog: catalog.hash,
    sources: changes.sources,
    added: changes.added.slice(0, MAX_NAMES),
    removed: changes.removed.slice(0, MAX_NAMES),
    changed: changes.changed.slice(0, MAX_NAMES),
  });
  if (changes.added.length + changes.removed.length + changes.changed.length > 0) announce('tools');
  if (changes.prompts) announce('prompts');
  if (changes.resources) announce('resources');
}
