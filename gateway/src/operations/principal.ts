import type { Access } from './operation.ts';

/** Who calls. Says who it is and what its credential allows at most; what it may do now is in its Grants. */
export interface Principal {
  /** Stable id: the user's; `local` for the process owner over stdio or loopback without a token. */
  readonly id: string;
  readonly kind: 'local' | 'token' | 'user';
  /** The most this principal's credential allows; `dangerous` is never granted. */
  readonly maxAccess: Exclude<Access, 'dangerous'>;
  readonly roles: readonly string[];
  /** Absent for the local process and the operator's token; a user without one can do nothing. */
  readonly organisation?: string;
  /** Id of the API key that was presented; its revocation is looked for at every call. */
  readonly key?: string;
  /** Sources that the key is limited to; absent: no limit. */
  readonly sources?: readonly string[];
  /** `approve`: the credential decides approvals and nothing else; it calls no tool. */
  readonly purpose?: 'approve';
  /** Sources whose approvals such a credential decides; absent: all. */
  readonly decides?: readonly string[];
  /** When the credential ends, milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Whether a principal's credential is good for a source at all: a key may be limited to some. */
export function reachesSource({ sources }: Pick<Principal, 'sources'>, source: string): boolean {
  return sources === undefined || sources.includes(source);
}

/** Who shares with others what there is of something; undefined: the owner of the process or the operator. */
export function sharerOf({ kind, organisation, id }: Principal): string | undefined {
  return kind === 'user' ? JSON.stringify([organisation ?? null, id]) : undefined;
}

/** Equal for the same person alone: who has the same id in another organisation is somebody else. */
export function personKey({
  kind,
  organisation,
  id,
}: Pick<Principal, 'kind' | 'organisation' | 'id'>): string {
  return JSON.stringify([kind, organisation ?? null, id]);
}

export const LOCAL_PRINCIPAL: Principal = Object.freeze({
  id: 'local',
  kind: 'local',
  maxAccess: 'delete',
  roles: [],
});
