import type { Operation } from '../../operations/index.ts';
import type { OperationIds } from './names.ts';

/**
 * Operations that share an operationId and say the same of themselves, as QGIS Server has them for each collection,
 * end with their method and path: nothing else told a caller what the first of them, which keeps the name, is about.
 */
export function toldApart(operations: readonly Operation[], ids: OperationIds): readonly Operation[] {
  const alike = new Map<string, number>();
  const textOf = ({ id, description }: Operation): string | undefined => {
    const shared = ids.shared(id);
    return shared === undefined ? undefined : JSON.stringify([shared, description]);
  };
  for (const text of operations.map(textOf))
    if (text !== undefined) alike.set(text, (alike.get(text) ?? 0) + 1);
  if (alike.size === 0) return operations;
  return operations.map((operation) => {
    const { invocation, description } = operation;
    const text = textOf(operation);
    if (text === undefined || alike.get(text) === 1 || invocation.kind !== 'http') return operation;
    const place = `${invocation.method} ${invocation.path}`;
    return Object.freeze({ ...operation, description: `${description}\n\n${place}` });
  });
}
