import type { Principal } from '../../../operations/index.ts';
import type { OpenedWith } from './opened-with.ts';

/**
 * `owner`: of this machine, by a one-time code. `token`: by the server's token. `user`: by an API key, a sign-in token,
 * or at the identity provider. `approver`: by a credential that decides approvals and does nothing else.
 */
export type SessionKind = 'owner' | 'token' | 'user' | 'approver';

/** A browser that is signed in, as of this request. */
export interface Session {
  readonly id: string;
  readonly kind: SessionKind;
  readonly openedWith: OpenedWith;
  /** Who does everything but deciding. */
  readonly principal: Principal;
  /** Who decides approvals; absent: nobody of this session may. Its purpose is `approve`, or the kind is `owner`. */
  readonly decides?: Principal;
  /** Stands in `x-csrf-token` of every request that changes something. */
  readonly csrf: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Asks again; for what stays open. Throws `unauthorized` once the session has ended. */
  still(): Promise<void>;
}
