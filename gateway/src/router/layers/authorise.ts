import { type ErrorCode, ToolcribError } from '../../errors.ts';
import type { Connection, Grants, Operation, Principal } from '../../operations/index.ts';
import type { Layer } from '../compose.ts';

/** Why these grants do not cover an operation; undefined when they do. */
export type Refuse = (
  operation: Operation,
  grants: Grants,
) => { readonly code: ErrorCode; readonly reason: string } | undefined;

export interface AuthoriseOptions {
  /** What the principal may do now. Throws `unauthorized`, `store_unavailable`. */
  readonly grants: (principal: Principal, source: string) => Grants | Promise<Grants>;
  readonly refuse: Refuse;
  /** The account that the call goes to. Throws `connection_missing`, `source_unknown`. */
  readonly connection: (source: string, grants: Grants, base: Connection | undefined) => Connection;
}

/** Listing checked this already; a call checks it again with fresh grants, and chooses the account. */
export function authoriseLayer({ grants, refuse, connection }: AuthoriseOptions): Layer {
  return async (call, next) => {
    const now = await grants(call.principal, call.operation.source);
    const refused = refuse(call.operation, now);
    if (refused !== undefined) {
      throw new ToolcribError(
        refused.code,
        `Principal ${call.principal.id} may not call ${call.tool}: ${refused.reason}`,
      );
    }
    return await next({ ...call, connection: connection(call.operation.source, now, call.base) });
  };
}
