import type { Catalog } from '../catalog/catalog.ts';
import { entryOfOperation } from '../catalog/entry-of-operation.ts';
import { ToolcribError } from '../errors.ts';
import type { Call, Operation } from '../operations/index.ts';

/** The operation of a call as this catalog has it; one that was made for the call stays. Throws `tool_unknown`, `tool_quarantined`. */
export function operationNow(
  { operation, tool, made }: Pick<Call, 'operation' | 'tool' | 'made'>,
  catalog: Catalog,
): Operation {
  const entry = entryOfOperation(catalog, operation.source, operation.id);
  if (entry?.quarantined) {
    throw new ToolcribError('tool_quarantined', `The definition of ${tool} changed since it was asked for.`);
  }
  if (made) return operation;
  if (entry === undefined) {
    throw new ToolcribError('tool_unknown', `Tool ${tool} is gone since it was asked for.`);
  }
  const now = entry.load();
  // a tool of a topology reads the answer itself: it has the operation with an output of its own
  return entry.name === tool || operation.output === undefined ? now : { ...now, output: operation.output };
}
