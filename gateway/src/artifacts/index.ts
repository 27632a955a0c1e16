export {
  type Artifact,
  type ArtifactDescription,
  type ArtifactStore,
  artifactIdOf,
  type OpenedArtifact,
} from './artifact.ts';
export { createArtifacts } from './create-artifacts.ts';
export { createArtifactStore } from './directory-store.ts';
