import type { Catalog } from '../catalog/catalog.ts';
import { entryOfOperation } from '../catalog/entry-of-operation.ts';
import { ToolcribError } from '../errors.ts';
import type { Call, Connection, GrantSource, Grants, Operation } from '../operations/index.ts';
import { refuse } from '../policy/index.ts';

export interface ReauthoriseParts {
  readonly catalog: () => Catalog;
  readonly grants: GrantSource;
  readonly accounts: (source: string, grants: Grants) => Connection;
}

/**
 * A call that waited for a person, looked at again: its tool as the catalog has it now, its principal's rights now.
 * Throws `tool_unknown`, `tool_quarantined`, and what authorising throws.
 */
export function createReauthorise({ catalog, grants, accounts }: ReauthoriseParts) {
  return async (call: Call): Promise<Call> => {
    const now = await grants.fresh(call.principal, call.operation.source);
    const operation = operationNow(call, catalog());
    const refused = refuse(operation, now);
    if (refused !== undefined) {
      throw new ToolcribError(
        refused.code,
        `Principal ${call.principal.id} may no longer call ${call.tool}: ${refused.reason}`,
      );
    }
    return { ...call, operation, connection: accounts(operation.source, now) };
  };
}

function operationNow({ operation, tool, made }: Call, catalog: Catalog): Operation {
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
