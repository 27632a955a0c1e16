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
    const { operation } = selector;
    const meant =
      operation === undefined
        ? ''
        : didYouMean(
            operation,
            operations.map(({ id }) => id),
          );
    const effect = key === 'include' ? 'brings none in' : 'leaves none out';
    const message = `Selector ${index + 1} of \`${key}\` (${describeSelector(selector)}) matches no operation and ${effect}.${meant}`;
    return [{ code: `${key}-unmatched`, severity: 'warning', message, pointer: `#/${key}/${index}` }];
  });
}
