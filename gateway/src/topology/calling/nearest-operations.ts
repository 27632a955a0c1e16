import type { OperationFacts, VisibleOperation } from '../../operations/index.ts';
import { nearestName } from '../../operations/text/nearest-name.ts';
import { wordsOf } from '../../operations/text/words.ts';
import type { OperationSet } from '../topology.ts';

const NEAREST = 3;
/** Characters of a wrong name that are looked at. */
const LONGEST_NAME = 200;

/**
 * Ids of the three operations that a wrong name, or a wrong path, most likely means. Of a method, where one is named: who
 * wants to read is not led to what changes something. Never one outside the set.
 */
export async function nearestOperations(
  set: OperationSet,
  name: string,
  {
    method,
    signal,
  }: { readonly method?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<string[]> {
  const wanted = name.slice(0, LONGEST_NAME);
  const spelled = nearestName(
    wanted,
    set.operations.filter(({ facts }) => hasMethod(facts, method)).map(({ facts }) => facts.id),
  );
  const hits = await set.search(
    { text: wordsOf(wanted).join(' '), limit: NEAREST, ...(method === undefined ? {} : { method }) },
    signal,
  );
  const ids = hits.map(({ operation }) => shownId(operation, set));
  return [...new Set([...(spelled === undefined ? [] : [spelled]), ...ids])].slice(0, NEAREST);
}

function hasMethod({ http }: OperationFacts, method: string | undefined): boolean {
  return method === undefined || http?.method.toUpperCase() === method.toUpperCase();
}

/** The shortest name of an operation that `set.find` takes: its id, else its key. */
export function shownId(operation: VisibleOperation, set: OperationSet): string {
  return set.find(operation.facts.id) === operation ? operation.facts.id : operation.operation;
}
