import { ToolcribError } from '../../errors.ts';
import type { Operation, Principal } from '../../operations/index.ts';
import type { Layer } from '../compose.ts';

/** Why a principal may not call an operation; undefined when it may. */
export type Refusal = (operation: Operation, principal: Principal) => string | undefined;

/** Listing checked this already; a call checks it again, since the listing may be old or somebody else's. */
export function authoriseLayer(refusal: Refusal): Layer {
  return (call, next) => {
    const reason = refusal(call.operation, call.principal);
    if (reason === undefined) return next(call);
    throw new ToolcribError(
      'tool_forbidden',
      `Principal ${call.principal.id} may not call ${call.tool}: ${reason}`,
    );
  };
}
