import type { ArtifactDescription, ByteRange } from './artifact.ts';

/** Where the bytes of artifacts lie, by names of 32 hex digits: a directory, or an S3-compatible store. */
export interface ArtifactBytes {
  /** Resolves when they survive a crash. Throws `store_unavailable`, `credentials_refused`. */
  write(name: string, bytes: Uint8Array, description: ArtifactDescription, hash: string): Promise<void>;
  /** False where there are none of that name. */
  has(name: string): Promise<boolean>;
  stream(name: string, size: number, range?: ByteRange): ReadableStream<Uint8Array>;
  /** Also where there are none. */
  remove(name: string): Promise<void>;
}
