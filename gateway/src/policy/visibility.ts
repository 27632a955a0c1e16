import type { Principal } from '../operations/index.ts';
import { type Explanation, explain, type PolicyFacts } from './explain.ts';

/** What visibility reads of a catalog entry. */
export interface VisibilityEntry {
  readonly facts: PolicyFacts;
  readonly quarantined?: boolean;
}

export interface Visibility<E> {
  /** In the order of the entries. */
  readonly visible: readonly E[];
  readonly hidden: ReadonlyArray<{ readonly entry: E; readonly explanation: Explanation }>;
}

/** Who sees what, and for every hidden entry why. Pure. */
export function deriveVisibility<E extends VisibilityEntry>(
  entries: readonly E[],
  principal: Principal,
): Visibility<E> {
  const visible: E[] = [];
  const hidden: { entry: E; explanation: Explanation }[] = [];
  for (const entry of entries) {
    const explanation = explainEntry(entry, principal);
    if (explanation.visible) visible.push(entry);
    else hidden.push({ entry, explanation });
  }
  return { visible, hidden };
}

/** `explain` for a catalog entry, its quarantine included. */
export function explainEntry(entry: VisibilityEntry, principal: Principal): Explanation {
  return explain(
    entry.facts,
    principal,
    entry.quarantined === undefined ? {} : { quarantined: entry.quarantined },
  );
}
