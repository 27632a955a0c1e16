import type { ArtifactStore, StoredArtifact } from '../artifacts/index.ts';
import type { Principal } from '../operations/index.ts';

/** The store as one principal uses it: what a user's call leaves there is that user's, and the operator's. */
export function ownedArtifacts(artifacts: ArtifactStore, principal: Principal): ArtifactStore {
  const owner = ownerOf(principal);
  if (owner === undefined) return artifacts;
  return {
    put: (bytes, description) => artifacts.put(bytes, { ...description, owner }),
    async get(id) {
      const found: StoredArtifact | undefined = await artifacts.get(id);
      return found?.owner === owner ? found : undefined;
    },
  };
}

/** Undefined for the process owner and the operator's token. */
function ownerOf({ kind, id, organisation }: Principal): string | undefined {
  return kind === 'user' ? JSON.stringify([organisation ?? null, id]) : undefined;
}
