import type { ApproverToken } from '../approvals/approver-token.ts';
import type { Configuration } from '../config/configuration.ts';
import type { AdminEvent } from '../operations/index.ts';
import type { HttpServerOptions } from '../server/http/index.ts';
import type { Store } from '../store/store.ts';
import type { Team } from './access/team.ts';
import { lazily } from './lazily.ts';

export interface BrowserSessionParts {
  readonly configuration: Pick<Configuration, 'stateDirectory'>;
  /** Undefined with `store: none`. Throws `store_unavailable`, `store_version`. */
  readonly store: () => Promise<Store | undefined>;
  readonly team: Team | undefined;
  readonly approverToken: Pick<ApproverToken, 'current'>;
  readonly record: (event: AdminEvent) => void;
}

/** What browsers sign in with and where their sessions are kept: in the store, else in this process. */
export async function browserSessions(
  parts: BrowserSessionParts,
): Promise<NonNullable<HttpServerOptions['signIn']>> {
  const { configuration, store, team, approverToken, record } = parts;
  const { createSignInCodes } = await import('../server/http/sessions/sign-in-codes.ts');
  const { createMachineKey } = await import('../server/http/sessions/machine-key.ts');
  return {
    codes: createSignInCodes(configuration.stateDirectory),
    machineKey: createMachineKey(configuration.stateDirectory),
    approverToken: approverToken.current,
    ...(team === undefined ? {} : { users: team.credentials }),
    ...(team?.provider === undefined ? {} : { provider: team.provider }),
    record,
    records: lazily(async () => {
      const opened = await store();
      const { createMemorySessions, createStoreSessions } = await import('../principals/index.ts');
      return opened === undefined ? createMemorySessions() : createStoreSessions(opened);
    }),
  };
}
