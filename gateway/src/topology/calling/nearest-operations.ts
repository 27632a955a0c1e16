import type { VisibleOperation } from '../../operations/index.ts';
import { nearestName } from '../../operations/nearest-name.ts';
import { wordsOf } from '../../operations/words.ts';
import type { OperationSet } from '../topology.ts';

const NEAREST = 3;
/** Characters of a wrong name that are looked at. */
const LONGEST_NAME = 200;

/** Ids of the three operations that a wrong name, or a wrong path, most likely means. Never one outside the set. */
export async function nearestOperations(
  set: OperationSet,
  name: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const wanted = name.slice(0, LONGEST_NAME);
  const spelled = nearestName(
    wanted,
    set.operations.map(({ facts }) => facts.id),
  );
  const hits = await set.search({ text: wordsOf(wanted).join(' '), limit: NEAREST }, signal);
  const ids = hits.map(({ operation }) => shownId(operation, set));
  return [...new Set([...(spelled === undefined ? [] : [spelled]), ...ids])].slice(0, NEAREST);
}

/** The shortest name of an operation that `set.find` takes: its id, else its key. */
export function shownId(operation: VisibleOperation, set: OperationSet): string {
  return set.find(operation.facts.id) === operation ? operation.facts.id : operation.operation;
}
