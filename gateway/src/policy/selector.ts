import type { Operation, OperationSelector } from '../operations/index.ts';
import { matchesPathGlob } from './path-glob.ts';

/** What a selector can look at; an Operation fits. */
export type SelectableOperation = Pick<Operation, 'id' | 'tags' | 'invocation'>;

/**
 * Every part given must match: operation id and tag exactly, method in any case, path as a glob.
 * Path and method match HTTP operations only. A selector without parts matches everything.
 */
export function matchesSelector(operation: SelectableOperation, selector: OperationSelector): boolean {
  const { id, tags, invocation } = operation;
  if (selector.operation !== undefined && selector.operation !== id) return false;
  if (selector.tag !== undefined && !tags.includes(selector.tag)) return false;
  if (selector.method === undefined && selector.path === undefined) return true;
  if (invocation.kind !== 'http') return false;
  if (selector.method !== undefined && selector.method.toUpperCase() !== invocation.method.toUpperCase())
    return false;
  return selector.path === undefined || matchesPathGlob(invocation.path, selector.path);
}
