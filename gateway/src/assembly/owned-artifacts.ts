import type { ArtifactStore } from '../artifacts/index.ts';
import { isOwnedBy } from '../artifacts/owner.ts';
import { limitedOwners, ownerText } from '../operations/artifact-owner.ts';
import type { Principal } from '../operations/index.ts';

/**
 * The store as one principal uses it: what a user's call leaves there is that user's, and the operator's. A credential
 * that is limited to some sources has only what such a one left: other outputs may be of sources that it must not read.
 */
export function ownedArtifacts(artifacts: ArtifactStore, principal: Principal): ArtifactStore {
  const owner = ownerOf(principal);
  if (owner === undefined) return artifacts;
  const theirs = principal.sources === undefined ? { owner, ownersWithin: limitedOwners(owner) } : { owner };
  const own = async (id: string) => {
    const found = await artifacts.open(id);
    return isOwnedBy(found?.owner, theirs) ? found : undefined;
  };
  return {
    put: (bytes, description) => artifacts.put(bytes, { ...description, owner }),
    open: own,
    get: async (id) => ((await own(id)) === undefined ? undefined : artifacts.get(id)),
    list: ({ owner: _owner, ownersWithin: _within, ...query } = {}) =>
      artifacts.list({ ...query, ...theirs }),
    remove: async (id) => (await own(id)) !== undefined && artifacts.remove(id),
    sweep: async () => 0,
  };
}

/** Undefined for the process owner and the operator's token. */
function ownerOf({ kind, id, organisation, sources }: Principal): string | undefined {
  if (kind !== 'user') return undefined;
  return ownerText({
    user: id,
    ...(organisation === undefined ? {} : { organisation }),
    ...(sources === undefined ? {} : { sources }),
  });
}
