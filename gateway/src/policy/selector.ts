import {
  type Diagnostic,
  describeSelector,
  isRequest,
  type Operation,
  type OperationSelector,
  selects,
} from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';

/** What a selector can look at; an Operation fits. */
export type SelectableOperation = Pick<Operation, 'id' | 'tags' | 'invocation'>;

/** Path and method match HTTP operations only. A selector without parts matches everything. */
export function matchesSelector(
  { id, tags, invocation }: SelectableOperation,
  selector: OperationSelector,
): boolean {
  return selects(selector, { id, tags, ...(isRequest(invocation) ? { http: invocation } : {}) });
}

/** Selectors of `include` and `exclude` that match nothing, so that a slip of the pen is seen. */
export function reviewSelectors(
  operations: readonly Operation[],
  key: 'include' | 'exclude',
  selectors: readonly OperationSelector[],
): Diagnostic[] {
  return selectors.flatMap((selector, index): Diagnostic[] => {
    if (operations.some((operation) => matchesSelector(operation, selector))) return [];
    const meant = didYouMeanOperation(selector, operations);
    const effect = key === 'include' ? 'brings none in' : 'leaves none out';
    const message = `Selector ${index + 1} of \`${key}\` (${describeSelector(selector)}) matches no operation and ${effect}.${meant}`;
    return [{ code: `${key}-unmatched`, severity: 'warning', message, pointer: `#/${key}/${index}` }];
  });
}

/** Behind the message about a selector that matches nothing: the operation that its id may mean, or nothing. */
export function didYouMeanOperation(
  { operation }: OperationSelector,
  operations: readonly Operation[],
): string {
  if (operation === undefined) return '';
  return didYouMean(
    operation,
    operations.map(({ id }) => id),
  );
}
