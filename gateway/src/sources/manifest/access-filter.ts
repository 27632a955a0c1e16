import { type AccessLevel, allowsReading, levelFor } from '../../operations/index.ts';
import { blockedBy } from './blocked-operations.ts';
import type { ProviderManifest, ProviderOperation } from './manifest.ts';

export interface ToolSummary {
  /** All operations of the manifest. */
  readonly total: number;
  /** Reading operations that the level exposes. */
  readonly read: number;
  /** Writing ones, without those that delete. */
  readonly write: number;
  /** Operations that the level does not expose. */
  readonly filtered: number;
}

/** Operations that a level exposes, in their order; dangerous ones at none, and unknown levels expose nothing. */
export function filterOperationsByAccess<O extends Pick<ProviderOperation, 'access'>>(
  operations: readonly O[],
  level: AccessLevel,
): O[] {
  if (!allowsReading(level)) return [];
  return operations.filter(({ access }) => {
    const needed = levelFor(access);
    return needed !== undefined && (needed === 'read-only' || level === 'read-write');
  });
}

/** Operations that become tools at a level: neither dangerous nor blocklisted. */
export function exposedOperations(
  { operations, blocklist = [] }: Pick<ProviderManifest, 'operations' | 'blocklist'>,
  level: AccessLevel,
): ProviderOperation[] {
  return filterOperationsByAccess(operations, level).filter(
    ({ path }) => blockedBy(path, blocklist) === undefined,
  );
}

/** Counts for a log line. */
export function getToolSummary(
  manifest: Pick<ProviderManifest, 'operations' | 'blocklist'>,
  level: AccessLevel,
): ToolSummary {
  const exposed = exposedOperations(manifest, level);
  const count = (access: ProviderOperation['access']) =>
    exposed.filter((one) => one.access === access).length;
  return {
    total: manifest.operations.length,
    read: count('read'),
    write: count('write'),
    filtered: manifest.operations.length - exposed.length,
  };
}
