import { isAbsolute } from 'node:path';
import { ToolcribError } from '../errors.ts';
import type { ArtifactDescription, ByteRange } from './artifact.ts';
import type { ArtifactBytes } from './artifact-bytes.ts';
import { createDirectoryBytes } from './directory-bytes.ts';

/** The bytes of one artifact: their name, and the place where they were written; `` for rows of older versions. */
export interface PlacedName {
  readonly blob: string;
  readonly place: string;
}

/**
 * Bytes at the place that is configured, and those that an earlier configuration put elsewhere. Which those are stands
 * with each artifact. A folder that is there still is used; a bucket cannot be, without the keys to it.
 */
export interface PlacedBytes {
  /** Where new bytes go. */
  readonly place: string;
  write(blob: string, bytes: Uint8Array, description: ArtifactDescription, hash: string): Promise<void>;
  /** False where there are none, or nobody can tell. */
  has(name: PlacedName): Promise<boolean>;
  /** Throws `artifact_elsewhere` where they cannot be reached with this configuration. */
  reach(name: PlacedName): Promise<ArtifactBytes>;
  stream(name: PlacedName, size: number, range?: ByteRange): ReadableStream<Uint8Array>;
  /** Also where there are none. What cannot be reached stays where it is. */
  remove(name: PlacedName): Promise<void>;
}

export function createPlacedBytes(bytes: ArtifactBytes, place: string): PlacedBytes {
  const isHere = (name: PlacedName) => name.place === '' || name.place === place;

  /** A folder or bucket may have been moved, or be reached by another address: the configured place goes first. */
  const find = async (name: PlacedName): Promise<ArtifactBytes | undefined> => {
    if (isHere(name) || (await bytes.has(name.blob))) return bytes;
    return isAbsolute(name.place) ? createDirectoryBytes(name.place) : undefined;
  };

  const reach = async (name: PlacedName): Promise<ArtifactBytes> => {
    const found = await find(name);
    if (found !== undefined) return found;
    throw new ToolcribError(
      'artifact_elsewhere',
      `The artifact lies at ${name.place}, where it was stored before artifacts.store named another place.`,
    );
  };

  return {
    place,
    write: (...parts) => bytes.write(...parts),
    has: async (name) => (await find(name))?.has(name.blob) ?? false,
    reach,
    stream: (name, ...part) =>
      isHere(name)
        ? bytes.stream(name.blob, ...part)
        : openedLater(async () => (await reach(name)).stream(name.blob, ...part)),
    remove: async (name) => (await find(name))?.remove(name.blob),
  };
}

/** A stream that is opened with its first read. */
function openedLater(open: () => Promise<ReadableStream<Uint8Array>>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= (await open()).getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
