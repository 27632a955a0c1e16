import type { Explanation, Grants } from '../operations/index.ts';
import { explain, isVisible, type OperationState, type PolicyFacts } from './explain.ts';

/** What visibility reads of a catalog entry. */
export interface VisibilityEntry {
  readonly facts: PolicyFacts;
  readonly quarantined?: boolean;
}

export interface Visibility<E> {
  /** In the order of the entries. */
  readonly visible: readonly E[];
  /** The reason is worked out when it is read. */
  readonly hidden: ReadonlyArray<{ readonly entry: E; readonly explanation: Explanation }>;
}

/** Who sees what, and for every hidden entry why. Pure. */
export function deriveVisibility<E extends VisibilityEntry>(
  entries: readonly E[],
  grants: Grants,
): Visibility<E> {
  const visible: E[] = [];
  const hidden: { entry: E; readonly explanation: Explanation }[] = [];
  for (const entry of entries) {
    if (isListed(entry, grants)) visible.push(entry);
    else hidden.push(hiddenEntry(entry, grants));
  }
  return { visible, hidden };
}

/** `isVisible` for a catalog entry, its quarantine included. */
export function isListed(entry: VisibilityEntry, grants: Grants): boolean {
  return isVisible(entry.facts, grants, stateOf(entry));
}

/** `explain` for a catalog entry, its quarantine included. */
export function explainEntry(entry: VisibilityEntry, grants: Grants): Explanation {
  return explain(entry.facts, grants, stateOf(entry));
}

const ACCEPTED: OperationState = Object.freeze({});
const QUARANTINED: OperationState = Object.freeze({ quarantined: true });

function stateOf(entry: VisibilityEntry): OperationState {
  return entry.quarantined === true ? QUARANTINED : ACCEPTED;
}

function hiddenEntry<E extends VisibilityEntry>(entry: E, grants: Grants) {
  return {
    entry,
    get explanation() {
      return explainEntry(entry, grants);
    },
  };
}
