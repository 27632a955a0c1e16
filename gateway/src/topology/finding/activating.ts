import type { VisibleOperation } from '../../operations/index.ts';
import type { ToolContext } from '../topology.ts';

/** Has found operations listed as tools of their own; whether that works out decides nothing else. */
export async function activated(
  operations: readonly VisibleOperation[],
  { activate }: ToolContext,
): Promise<boolean> {
  if (operations.length === 0) return false;
  return activate(operations.map(({ operation }) => operation)).catch(() => false);
}
