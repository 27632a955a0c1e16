import type { Access } from './operation.ts';

/** Who calls. */
export interface Principal {
  /** Stable id; `local` for the process owner over stdio or loopback without a token. */
  readonly id: string;
  readonly kind: 'local' | 'token';
  /** The most this principal may do; `dangerous` is never granted. */
  readonly maxAccess: Exclude<Access, 'dangerous'>;
  readonly roles: readonly string[];
}

export const LOCAL_PRINCIPAL: Principal = Object.freeze({
  id: 'local',
  kind: 'local',
  maxAccess: 'delete',
  roles: [],
});
