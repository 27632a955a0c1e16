import { type ErrorCode, isToolcribError } from '../../errors.ts';
import type { Account, Call, GrantSource } from '../../operations/index.ts';
import type { AccountNotes } from '../../principals/directory/account-notes.ts';
import type { Next } from '../../router/compose.ts';

interface AccountWatch {
  readonly grants: Pick<GrantSource, 'known'>;
  /** A service refused an account: the roles that it gave may be others now. */
  readonly doubt: (source: string, account: Account | undefined) => void;
  /** Undefined: no account is stored. */
  readonly notes: Pick<AccountNotes, 'ended' | 'worked'> | undefined;
}

/** Whoever keeps the credential of an account has none of it, or none that is good. */
const TO_BE_CONNECTED: ReadonlySet<ErrorCode> = new Set(['reconnect_required', 'connection_missing']);

/** Tells what the outcome of a call says of the account that it was made with. */
export function watchAccounts({ grants, doubt, notes }: AccountWatch, next: Next): Next {
  const accountOf = ({ principal, operation }: Call) =>
    grants.known(principal).source(operation.source)?.account;
  const tell = (call: Call, what: 'ended' | 'worked') => {
    // accounts belong to organisations and their users
    if (notes === undefined || call.principal.organisation === undefined) return;
    const account = accountOf(call);
    if (account !== undefined) notes[what](account.id);
  };
  return async (call) => {
    try {
      const result = await next(call);
      if (result.kind !== 'completed' || result.status === undefined) return result;
      const isRefused = result.status === 401 || result.status === 403;
      if (isRefused) doubt(call.operation.source, accountOf(call));
      else if (!call.dryRun) tell(call, 'worked');
      return result;
    } catch (error) {
      if (isToolcribError(error) && TO_BE_CONNECTED.has(error.code)) tell(call, 'ended');
      throw error;
    }
  };
}
