import { createHash } from 'node:crypto';
import { ToolcribError } from '../errors.ts';
import { ARTIFACT_URI_PREFIX, storedIdOf } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';

export interface ArtifactDescription {
  readonly mimeType: string;
  /** A file name for people; never a path. */
  readonly name: string;
  /** Whose call it came from; absent: the operator's. */
  readonly owner?: string;
  /** Whose answer it is, `source/id`; absent where an older version stored it. */
  readonly operation?: string;
}

/** A stored full output. */
export interface Artifact {
  /** 128 bits in hex, made from owner, type, operation and bytes: the same output of the same owner is kept once. */
  readonly id: string;
  /** `toolcrib://artifacts/<id>` */
  readonly uri: string;
  readonly mimeType: string;
  /** A file name for people; never a path. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; gone from then on, or earlier when the quota is used up. */
  readonly expiresAt: string;
  readonly owner?: string;
  readonly operation?: string;
}

/** Both ends included, as in RFC 9110 §14. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** An artifact whose bytes can be read as they are needed. */
export interface OpenedArtifact extends Artifact {
  /** The stream fails when the bytes go while it is read, or cannot be reached (`artifact_elsewhere`). */
  stream(range?: ByteRange): ReadableStream<Uint8Array>;
}

export interface StoredArtifact extends Artifact {
  readonly bytes: Uint8Array;
}

export interface ArtifactQuery {
  /** Only this owner's; absent: everybody's. */
  readonly owner?: string;
  /** With `owner`: and those whose owner begins so. */
  readonly ownersWithin?: string;
  /** Only those of the user of this id, in whatever organisation. */
  readonly user?: string;
  /** Stands in the name, whatever the case of its letters. */
  readonly text?: string;
  /** Continue behind the artifact of this id. */
  readonly after?: string;
  /** Default 100. */
  readonly limit?: number;
}

export interface ArtifactStore {
  /**
   * Resolves when the artifact is where it survives a crash. Throws `artifact_quota_exceeded` for more than the quota,
   * `store_unavailable` where it cannot be kept.
   */
  put(bytes: Uint8Array, description: ArtifactDescription): Promise<Artifact>;
  /** Undefined for what is no id, was never stored, or is gone. */
  open(id: string): Promise<OpenedArtifact | undefined>;
  /** The same with all of its bytes. Throws `artifact_elsewhere`. */
  get(id: string): Promise<StoredArtifact | undefined>;
  /** Newest first. Throws `cursor_invalid` where `after` is none of those listed, or no more. */
  list(query?: ArtifactQuery): Promise<readonly Artifact[]>;
  /** False where there was none. Throws `artifact_elsewhere`. */
  remove(id: string): Promise<boolean>;
  /** Removes what has expired. Answers with how many. */
  sweep(): Promise<number>;
}

export interface ArtifactLimits {
  /** Bytes of all artifacts together; the oldest go first. Default 1 GiB. */
  readonly maxTotalBytes?: number;
  /** Bytes of one owner's artifacts; the owner's oldest go first. Default: the total. */
  readonly quotaBytes?: number;
  /** Default 7 days. */
  readonly maxAgeMs?: number;
}

export function unknownCursor(after: string): ToolcribError {
  return new ToolcribError('cursor_invalid', `There is no artifact ${printable(after)} to continue behind.`);
}

export const DEFAULT_LIMITS = { maxTotalBytes: 1024 ** 3, maxAgeMs: 7 * 24 * 60 * 60 * 1000 };

const ID = /^[0-9a-f]{32}$/;

export function isArtifactId(id: string): boolean {
  return ID.test(id);
}

/** The id within an artifact's URI; undefined when it is none. */
export function artifactIdOf(uri: string): string | undefined {
  const id = storedIdOf(uri);
  return id !== undefined && ID.test(id) ? id : undefined;
}

export function artifactUri(id: string): string {
  return ARTIFACT_URI_PREFIX + id;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** One id for one owner, type, operation and content; two owners never share one, nor do two sources. */
export function artifactId(hash: string, { mimeType, owner, operation }: ArtifactDescription): string {
  return createHash('sha256')
    .update(JSON.stringify([owner ?? null, mimeType, hash, ...(operation === undefined ? [] : [operation])]))
    .digest('hex')
    .slice(0, 32);
}

export async function withBytes(opened: OpenedArtifact): Promise<StoredArtifact> {
  const { stream, ...artifact } = opened;
  return { ...artifact, bytes: new Uint8Array(await new Response(stream()).arrayBuffer()) };
}

export function artifactOf(facts: {
  readonly id: string;
  readonly hash: string;
  readonly size: number;
  readonly description: ArtifactDescription;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
}): Artifact {
  const { id, hash, size, description, createdAt, expiresAt } = facts;
  const { mimeType, name, owner, operation } = description;
  return {
    id,
    uri: artifactUri(id),
    mimeType,
    name,
    size,
    hash,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(owner === undefined ? {} : { owner }),
    ...(operation === undefined ? {} : { operation }),
  };
}
