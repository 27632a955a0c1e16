export type { ArtifactDescription } from './artifact-file.ts';
export {
  type Artifact,
  type ArtifactLimits,
  type ArtifactStore,
  artifactIdOf,
  createArtifactStore,
  type StoredArtifact,
} from './artifact-store.ts';
