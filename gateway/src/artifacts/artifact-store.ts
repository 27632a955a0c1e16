import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolcribError } from '../errors.ts';
import { type ArtifactDescription, decodeArtifact, encodeArtifact } from './artifact-file.ts';
import { createEviction } from './eviction.ts';

/** A stored full output. */
export interface Artifact {
  /** 128 random bits in hex. */
  readonly id: string;
  /** `toolcrib://artifacts/<id>` */
  readonly uri: string;
  readonly mimeType: string;
  /** A file name for people; never a path. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

export interface StoredArtifact extends Artifact {
  readonly owner?: string;
  readonly bytes: Uint8Array;
}

export interface ArtifactStore {
  /** Resolves when the artifact is on the disk. Throws `upstream_too_large` for more than the store may hold. */
  put(bytes: Uint8Array, description: ArtifactDescription): Promise<Artifact>;
  /** Undefined for what is no id, was never stored, or is gone. */
  get(id: string): Promise<StoredArtifact | undefined>;
}

export interface ArtifactLimits {
  /** Bytes of all artifacts together; the oldest go first. */
  readonly maxTotalBytes?: number;
  readonly maxAgeMs?: number;
}

const DEFAULT_LIMITS = { maxTotalBytes: 1024 ** 3, maxAgeMs: 7 * 24 * 60 * 60 * 1000 };
const ID = /^[0-9a-f]{32}$/;
const URI_PREFIX = 'toolcrib://artifacts/';

/** The id within an artifact's URI; undefined when it is none. */
export function artifactIdOf(uri: string): string | undefined {
  const id = uri.startsWith(URI_PREFIX) ? uri.slice(URI_PREFIX.length) : '';
  return ID.test(id) ? id : undefined;
}

/** Artifacts as files of one directory, made when first needed, readable by its owner alone. Processes may share it. */
export function createArtifactStore(directory: string, limits: ArtifactLimits = {}): ArtifactStore {
  const { maxTotalBytes, maxAgeMs } = { ...DEFAULT_LIMITS, ...limits };
  const evict = createEviction(directory, { maxTotalBytes, maxAgeMs });
  return {
    async put(bytes, { mimeType, name, owner }) {
      const id = randomBytes(16).toString('hex');
      const content = encodeArtifact(bytes, { mimeType, name, ...(owner === undefined ? {} : { owner }) });
      if (content.length > maxTotalBytes) {
        throw new ToolcribError('upstream_too_large', `${bytes.length} bytes do not fit the artifact store.`);
      }
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeDurably(directory, id, content);
      await evict(id, content.length);
      return { id, uri: URI_PREFIX + id, mimeType, name, size: bytes.length };
    },
    async get(id) {
      if (!ID.test(id)) return undefined;
      const content = await readFile(join(directory, id)).catch(absent);
      const artifact = content && decodeArtifact(content);
      return artifact && { id, uri: URI_PREFIX + id, size: artifact.bytes.length, ...artifact };
    },
  };
}

/** Written, fsynced, renamed, directory fsynced: under its name an artifact is always whole. */
async function writeDurably(directory: string, id: string, content: Buffer): Promise<void> {
  const temporary = join(directory, `.${id}.writing`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(directory, id));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** Windows cannot open a directory; its rename is durable without. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
