import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;

/** `sha256:` of a file's bytes, read piece by piece; undefined when it cannot be read. */
export async function hashFile(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path);
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return `sha256:${hash.digest('hex')}`;
      hash.update(chunk.subarray(0, bytesRead));
    }
  } catch {
    return undefined;
  }
}
