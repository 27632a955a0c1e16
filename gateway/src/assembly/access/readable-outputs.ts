import type { Catalog } from '../../catalog/catalog.ts';
import { type Grants, sourceOfKey } from '../../operations/index.ts';
import { remember } from '../../operations/work/remember.ts';
import { refuse } from '../../policy/index.ts';
import { readableSources } from './readable-sources.ts';

/** A page of outputs is of few operations, and a catalog may have fifty thousand. */
const MOST_ASKED = 1000;

/**
 * Of which operations (`source/id`) what they answered earlier may still be read: those that may be called now, as far
 * as reading goes. What one said that the catalog has no more, or not yet, is for whoever may read of its source.
 */
export function readableOutputs(
  { entries }: Pick<Catalog, 'entries'>,
  grants: Grants,
): (operation: string) => boolean {
  const mayRead = readableSources(grants);
  return remember(MOST_ASKED, (operation) => {
    const entry = entries.find((one) => one.operation === operation);
    // who may only read now keeps what the own writes answered
    if (entry !== undefined) return refuse({ ...entry.facts, access: 'read' }, grants) === undefined;
    return mayRead(sourceOfKey(operation));
  });
}
