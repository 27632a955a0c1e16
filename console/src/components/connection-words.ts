import type { ConnectionStatus } from '../../../gateway/src/operations/index.ts';
import type { Session } from '../api/session.ts';

/** How an account at a provider stands. */
export const CONNECTION_WORDS: Readonly<Record<ConnectionStatus, string>> = {
  connected: 'connected',
  unauthenticated: 'to be connected again',
  disabled: 'account switched off',
  missing: 'not connected',
};

/**
 * How the account stands with which whoever looks would call a source. The operator of a team has none at a provider:
 * accounts belong to organisations and people there, and nothing is to be connected for the operator.
 */
export function accountOf(
  { connection }: { readonly connection?: ConnectionStatus },
  session: Session | undefined,
): ConnectionStatus | undefined {
  const isNobodys = session?.mode === 'team' && session.principal?.organisation === undefined;
  return isNobodys && connection !== 'connected' ? undefined : connection;
}
