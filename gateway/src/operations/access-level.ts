import type { Access } from './operation.ts';

/** What somebody may do with the operations of a category or a source. `delete` counts as writing. */
export type AccessLevel = 'read-write' | 'read-only' | 'disabled' | 'none';
export const LEVELS: readonly AccessLevel[] = ['read-write', 'read-only', 'disabled', 'none'];

/** A level that lets something be read. What is missing lets nothing. */
export function allowsReading(level: AccessLevel | null | undefined): boolean {
  return level === 'read-only' || level === 'read-write';
}

/** Where a connection to an account stands; `missing`: nobody made one. */
export type ConnectionStatus = 'connected' | 'unauthenticated' | 'disabled' | 'missing';

/** The level that an operation of this access takes; undefined: no level is enough. */
export function levelFor(access: Access): AccessLevel | undefined {
  if (access === 'read') return 'read-only';
  return access === 'write' || access === 'delete' ? 'read-write' : undefined;
}
