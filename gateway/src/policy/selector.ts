import { isRequest, type Operation, type OperationSelector, selects } from '../operations/index.ts';

/** What a selector can look at; an Operation fits. */
export type SelectableOperation = Pick<Operation, 'id' | 'tags' | 'invocation'>;

/** Path and method match HTTP operations only. A selector without parts matches everything. */
export function matchesSelector(
  { id, tags, invocation }: SelectableOperation,
  selector: OperationSelector,
): boolean {
  return selects(selector, { id, tags, ...(isRequest(invocation) ? { http: invocation } : {}) });
}
