import {
  type Access,
  type AccessLevel,
  allowsReading,
  type ConnectionStatus,
  levelFor,
} from '../operations/index.ts';

/** The three ways that access is checked. Whatever is missing or unknown grants nothing. */
export interface AccessFactors {
  /** What the organisation's admin allows. */
  readonly admin: AccessLevel | null | undefined;
  /** What the user chose. */
  readonly user: AccessLevel | null | undefined;
  readonly connection: ConnectionStatus | null | undefined;
}

/** min(admin, user) when connected, `none` when not; `disabled` on either side wins over everything. */
export function effectiveLevel({ admin, user, connection }: AccessFactors): AccessLevel {
  if (admin === 'disabled' || user === 'disabled') return 'disabled';
  if (connection !== 'connected') return 'none';
  if (admin === 'read-write' && user === 'read-write') return 'read-write';
  return allowsReading(admin) && allowsReading(user) ? 'read-only' : 'none';
}

/** Whether a level is enough for an operation of this access; nothing is enough for a dangerous one. */
export function allows(level: AccessLevel | null | undefined, access: Access): boolean {
  const needed = levelFor(access);
  if (needed === 'read-only') return allowsReading(level);
  return needed === 'read-write' && level === 'read-write';
}
