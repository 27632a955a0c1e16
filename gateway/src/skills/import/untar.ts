import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Header } from 'tar';
import { ToolcribError } from '../../errors.ts';
import { ByteReader } from './byte-reader.ts';
import { IMPORT_LIMITS } from './import-limits.ts';
import type { PackageWriter } from './package-writer.ts';
import { readPax } from './pax.ts';
import { refused } from './refuse.ts';

const BLOCK = 512;
/** Of the entries that say something about the next one. */
const MAX_META_BYTES = 64 * 1024;
const FILES: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile']);

/** What entries before it say of the next one. */
interface Said {
  readonly path?: string;
  readonly size?: number;
}

/** Unpacks a .tar, or a .tar.gz. Rejects with `archive_refused`. */
export async function untar(
  file: string,
  { gzip, packedBytes }: { gzip: boolean; packedBytes: number },
  writer: PackageWriter,
  signal: AbortSignal,
): Promise<void> {
  const { Header } = await import('tar');
  const input = createReadStream(file, { signal });
  // a failure of either ends the output with it
  const output: Readable = gzip ? pipeline(input, createGunzip(), () => undefined) : input;
  // what is skipped and padded counts as well: zeros that are no file can be a bomb, too
  const most = Math.max(
    IMPORT_LIMITS.ratioFreeBytes,
    Math.min(packedBytes * IMPORT_LIMITS.ratio, IMPORT_LIMITS.unpackedBytes * 1.25),
  );
  try {
    const reader = new ByteReader(output, gzip ? most : Number.POSITIVE_INFINITY);
    await readEntries(reader, (block) => new Header(block), writer);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolcribError || isSystemError(error)) throw error;
    throw refused(`It cannot be read as ${gzip ? 'a .tar.gz' : 'a .tar'} file.`, undefined, error);
  } finally {
    output.destroy();
    input.destroy();
  }
}

async function readEntries(
  reader: ByteReader,
  headerOf: (block: Buffer) => Header,
  writer: PackageWriter,
): Promise<void> {
  let said: Said = {};
  for (let count = 0; ; count++) {
    const block = await reader.exactly(BLOCK);
    if (block.every((byte) => byte === 0)) {
      if (count === 0) throw refused('It holds nothing.');
      return;
    }
    const header = headerOf(block);
    const name = said.path ?? header.path ?? '';
    if (!header.cksumValid) throw refused('is followed by something that is no entry of a .tar.', name);
    const size = said.size ?? header.size ?? 0;
    if (!Number.isSafeInteger(size) || size < 0) throw refused('has a size that is none.', name);
    const { type } = header;
    if (type === 'ExtendedHeader' || type === 'OldExtendedHeader') {
      said = { ...said, ...readPax(await meta(reader, header.size ?? 0)) };
    } else if (type === 'GlobalExtendedHeader') {
      await meta(reader, header.size ?? 0);
    } else if (type === 'NextFileHasLongPath' || type === 'OldGnuLongPath') {
      const long = await meta(reader, header.size ?? 0);
      // invalid bytes become U+FFFD, which no path may have
      said = { ...said, path: long.toString('utf8', 0, endOfName(long)) };
    } else if (type === 'Directory') {
      await writer.folder(name);
      said = {};
    } else if (FILES.has(type)) {
      await writer.file(name, ((header.mode ?? 0) & 0o111) !== 0, reader.stream(size));
      await reader.skip(padding(size));
      said = {};
    } else throw refused(`is ${KINDS[type] ?? 'no plain file and no folder'}.`, name);
  }
}

const KINDS: Readonly<Record<string, string>> = {
  SymbolicLink: 'a symbolic link',
  NextFileHasLongLinkpath: 'a link',
  Link: 'a hard link',
  CharacterDevice: 'a device',
  BlockDevice: 'a device',
  FIFO: 'a named pipe',
};

async function meta(reader: ByteReader, size: number): Promise<Buffer> {
  if (size > MAX_META_BYTES) throw refused('An entry of it has a description that is too long.');
  const content = await reader.exactly(size);
  await reader.skip(padding(size));
  return content;
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function endOfName(bytes: Buffer): number {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes.length : end;
}

function isSystemError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
