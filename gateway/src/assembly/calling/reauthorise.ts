import type { Catalog } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { Call, Connection, GrantSource, Grants } from '../../operations/index.ts';
import { refuse } from '../../policy/index.ts';
import { operationNow } from '../../router/operation-now.ts';

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
