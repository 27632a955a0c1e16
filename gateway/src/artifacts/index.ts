export {
  type Artifact,
  type ArtifactStore,
  artifactIdOf,
  createArtifactStore,
} from './artifact-store.ts';
