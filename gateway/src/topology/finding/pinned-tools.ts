import type { TopologyOptions, VisibleOperation } from '../../operations/index.ts';
import type { OperationSet } from '../topology.ts';

/** Operations that the configuration wants listed as they are, by id, key or tool name; in order of the set. */
export function pinnedTools(
  { operations }: OperationSet,
  { pinned }: TopologyOptions,
): readonly VisibleOperation[] {
  if (pinned.length === 0) return [];
  const names = new Set(pinned);
  return operations.filter(
    ({ operation, name, facts }) => names.has(operation) || names.has(name) || names.has(facts.id),
  );
}
