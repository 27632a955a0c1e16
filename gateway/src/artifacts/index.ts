export {
  type Artifact,
  type ArtifactStore,
  artifactIdOf,
  createArtifactStore,
  type StoredArtifact,
} from './artifact-store.ts';
