import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

const PIECE_BYTES = 1024 * 1024;

/** `sha256:` of a file's bytes, read piece by piece; undefined when it cannot be read. */
export async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  const isRead = await readPieces(path, (piece) => hash.update(piece));
  return isRead ? `sha256:${hash.digest('hex')}` : undefined;
}

/** CRC-32 of a file's bytes, which tells damage and no intent; undefined when it cannot be read. */
export async function checksumFile(path: string): Promise<number | undefined> {
  let checksum = 0;
  const isRead = await readPieces(path, (piece) => {
    checksum = crc32(piece, checksum);
  });
  return isRead ? checksum : undefined;
}

async function readPieces(path: string, take: (piece: Uint8Array) => void): Promise<boolean> {
  try {
    await using file = await open(path);
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES);
      if (bytesRead === 0) return true;
      take(piece.subarray(0, bytesRead));
    }
  } catch {
    return false;
  }
}
