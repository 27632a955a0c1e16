import type { ArtifactQuery } from './artifact.ts';

/** Whether an artifact of this owner is one of those that are asked for. */
export function isOwnedBy(
  whose: string | undefined,
  { owner, ownersWithin }: Pick<ArtifactQuery, 'owner' | 'ownersWithin'>,
): boolean {
  return (
    whose !== undefined && (whose === owner || (ownersWithin !== undefined && whose.startsWith(ownersWithin)))
  );
}
