import { open } from 'node:fs/promises';

/** What bytes are, by how they begin: names of files and media types are claims. */
export type ArchiveKind = 'zip' | 'gzip' | 'tar' | 'document';

const TAR_MAGIC = 257;
const LOOK_BYTES = 512;

/** `document`: text that begins as a SKILL.md does. Undefined for anything else. */
export async function archiveKindOf(file: string): Promise<ArchiveKind | undefined> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  const begins = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte);
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return 'zip';
  if (begins(0x1f, 0x8b)) return 'gzip';
  if (head.toString('latin1', TAR_MAGIC, TAR_MAGIC + 5) === 'ustar') return 'tar';
  return /^(?:\ufeff)?---\r?\n/.test(head.toString('utf8')) ? 'document' : undefined;
}
