export {
  type Artifact,
  type ArtifactDescription,
  type ArtifactLimits,
  type ArtifactQuery,
  type ArtifactStore,
  artifactIdOf,
  type ByteRange,
  type OpenedArtifact,
  type StoredArtifact,
} from './artifact.ts';
export { type ArtifactsOptions, createArtifacts, type S3Settings } from './create-artifacts.ts';
export { createArtifactStore } from './directory-store.ts';
