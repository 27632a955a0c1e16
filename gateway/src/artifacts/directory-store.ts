import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolcribError } from '../errors.ts';
import { readOwner } from '../operations/artifact-owner.ts';
import {
  type Artifact,
  type ArtifactLimits,
  type ArtifactStore,
  artifactId,
  artifactOf,
  DEFAULT_LIMITS,
  hashOf,
  isArtifactId,
  type OpenedArtifact,
  unknownCursor,
  withBytes,
} from './artifact.ts';
import { encodeHead, readHead } from './artifact-file.ts';
import { absent, createDirectoryBytes } from './directory-bytes.ts';
import { createEviction } from './eviction.ts';
import { isOwnedBy } from './owner.ts';

/** How often one is written that others remove at the same time. */
const ATTEMPTS = 3;

/**
 * Artifacts as files of one directory that know themselves what they are: for a gateway without a store. Processes
 * may share it. Its quota is the total: without a store there is one user.
 */
export function createArtifactStore(directory: string, limits: ArtifactLimits = {}): ArtifactStore {
  const { maxTotalBytes, maxAgeMs } = { ...DEFAULT_LIMITS, ...limits };
  const files = createDirectoryBytes(directory, () => `.${randomBytes(4).toString('hex')}`);
  const evict = createEviction(directory, { maxTotalBytes, maxAgeMs });

  const describe = async (id: string, file: FileHandle): Promise<OpenedArtifact | undefined> => {
    const head = await readHead(file);
    if (head === undefined) return undefined;
    const { size, mtimeMs } = await file.stat();
    const [createdAt, expiresAt] = [mtimeMs, mtimeMs + maxAgeMs];
    // its file stays until something is stored: without a store nobody sweeps by the clock
    if (expiresAt <= Date.now()) return undefined;
    const { hash = id, offset, ...description } = head;
    const bytes = size - offset;
    return {
      ...artifactOf({ id, hash, size: bytes, description, createdAt, expiresAt }),
      stream: (range) => files.stream(id, bytes, range),
    };
  };

  const find = async (id: string): Promise<OpenedArtifact | undefined> => {
    if (!isArtifactId(id)) return undefined;
    const file = await open(join(directory, id), 'r').catch(absent);
    try {
      return file && (await describe(id, file));
    } finally {
      await file?.close();
    }
  };

  /** False where another put, or another process, has made room of it meanwhile. */
  const livesOn = (id: string): Promise<boolean> => {
    const now = new Date();
    return utimes(join(directory, id), now, now).then(
      () => true,
      (error) => absent(error) ?? false,
    );
  };

  return {
    async put(bytes, description) {
      const hash = hashOf(bytes);
      const id = artifactId(hash, description);
      const fileSize = encodeHead(description, hash).length + bytes.length;
      if (fileSize > maxTotalBytes) {
        throw new ToolcribError(
          'artifact_quota_exceeded',
          `${bytes.length} bytes do not fit the artifact store.`,
        );
      }
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const isThere = (await find(id)) !== undefined && (await livesOn(id));
        if (!isThere) await files.write(id, bytes, description, hash);
        // in turn: whoever was making room meanwhile may have seen the one before, which was to go
        await evict(id, isThere ? 0 : fileSize);
        if (await files.has(id)) break;
      }
      const createdAt = Date.now();
      const expiresAt = createdAt + maxAgeMs;
      return artifactOf({ id, hash, size: bytes.length, description, createdAt, expiresAt });
    },
    open: find,
    async get(id) {
      const opened = await find(id);
      return opened && withBytes(opened);
    },
    async list({ after, limit = 100, user, text = '', ...whose } = {}) {
      const wanted = text.toLowerCase();
      const artifacts: Artifact[] = [];
      for (const id of (await readdir(directory).catch(absent)) ?? []) {
        const found = await find(id);
        if (found === undefined) continue;
        if (whose.owner !== undefined && !isOwnedBy(found.owner, whose)) continue;
        if (user !== undefined && readOwner(found.owner ?? '')?.user !== user) continue;
        if (!found.name.toLowerCase().includes(wanted)) continue;
        const { stream: _bytes, ...artifact } = found;
        artifacts.push(artifact);
      }
      artifacts.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || a.id.localeCompare(b.id));
      const last = artifacts.findIndex(({ id }) => id === after);
      if (after !== undefined && last === -1) throw unknownCursor(after);
      const start = last + 1;
      return artifacts.slice(start, start + limit);
    },
    async remove(id) {
      if ((await find(id)) === undefined) return false;
      await files.remove(id);
      return true;
    },
    sweep: () => evict.sweep(),
  };
}
