import type { ConfigurationChanges } from '../../gateway-core.ts';
import type { EventBody } from '../../operations/index.ts';

/** Tells the event log which sources another configuration added, changed and removed. */
export function recordChanges(
  { added, changed, removed }: ConfigurationChanges,
  note: (event: EventBody) => void,
): void {
  for (const source of added) note({ type: 'source-added', source, message: `Source ${source} was added.` });
  for (const source of changed)
    note({ type: 'source-changed', source, message: `Source ${source} was changed.` });
  for (const source of removed)
    note({ type: 'source-removed', source, message: `Source ${source} was removed.` });
}
