import type { ArtifactStore } from '../artifacts/index.ts';
import { ownerText } from '../artifacts/owner.ts';
import type { Principal } from '../operations/index.ts';

/** The store as one principal uses it: what a user's call leaves there is that user's, and the operator's. */
export function ownedArtifacts(artifacts: ArtifactStore, principal: Principal): ArtifactStore {
  const owner = ownerOf(principal);
  if (owner === undefined) return artifacts;
  const own = async (id: string) => {
    const found = await artifacts.open(id);
    return found?.owner === owner ? found : undefined;
  };
  return {
    put: (bytes, description) => artifacts.put(bytes, { ...description, owner }),
    open: own,
    get: async (id) => ((await own(id)) === undefined ? undefined : artifacts.get(id)),
    list: (query) => artifacts.list({ ...query, owner }),
    remove: async (id) => (await own(id)) !== undefined && artifacts.remove(id),
    sweep: async () => 0,
  };
}

/** Undefined for the process owner and the operator's token. */
function ownerOf({ kind, id, organisation }: Principal): string | undefined {
  if (kind !== 'user') return undefined;
  return ownerText(organisation === undefined ? { user: id } : { user: id, organisation });
}
