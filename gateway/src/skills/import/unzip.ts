import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Entry, LocalFileHeader, ZipFile } from 'yauzl';
import { ToolcribError } from '../../errors.ts';
import { IMPORT_LIMITS } from './import-limits.ts';
import type { PackageWriter } from './package-writer.ts';
import { refused } from './refuse.ts';
import { listedEntries, type ZipEntry } from './zip-directory.ts';

const STORED = 0;
const DEFLATED = 8;
/** General purpose bits: encrypted; sizes and checksum follow the data; strong encryption. */
const ENCRYPTED = 0x1;
const DESCRIPTOR = 0x8;
const STRONG = 0x40;

/** Unpacks a .zip by its directory, which has to say the same as the entries themselves. Rejects with `archive_refused`. */
export async function unzip(file: string, writer: PackageWriter, signal: AbortSignal): Promise<void> {
  const { openPromise } = await import('yauzl');
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(file, {
      decodeStrings: false,
      autoClose: false,
      validateEntrySizes: false,
    });
    if (zip.entryCount > IMPORT_LIMITS.entries)
      throw refused(`It has more than ${IMPORT_LIMITS.entries} entries.`);
    const entries = await listedEntries(zip);
    await checkDirectoryEnd(file, zip);
    await checkPlaces(zip, entries);
    for (const one of entries) await unpack(zip, one, writer, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolcribError || typeof (error as NodeJS.ErrnoException).syscall === 'string')
      throw error;
    throw refused(`It cannot be read as a .zip file: ${(error as Error).message}.`, undefined, error);
  } finally {
    zip?.close();
  }
}

/** After the last entry that was counted the directory ends: nothing of it is hidden behind a wrong number. */
async function checkDirectoryEnd(file: string, zip: ZipFile): Promise<void> {
  await using handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, cursorOf(zip));
  const signature = buffer.readUInt32LE(0);
  if (signature !== 0x06054b50 && signature !== 0x06064b50)
    throw refused('Its directory lists another number of entries than it says.');
}

/** No two entries share bytes, none lies in the directory, and each says of itself what the directory says. */
async function checkPlaces(zip: ZipFile, entries: readonly ZipEntry[]): Promise<void> {
  let free = 0;
  const directory = cursorOf(zip) - entries.reduce((sum, { entry }) => sum + listedBytes(entry), 0);
  const inPlace = entries.toSorted(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  for (const { name, entry } of inPlace) {
    const local = await zip.readLocalFileHeaderPromise(entry);
    if (entry.relativeOffsetOfLocalHeader < free) throw refused('shares bytes with another entry.', name);
    free = local.fileDataStart + entry.compressedSize;
    if (free > directory) throw refused('reaches into the directory of the archive.', name);
    checkSame(name, entry, local);
  }
}

/** Where the directory goes on, in bytes; the types have it as a boolean. */
function cursorOf({ readEntryCursor }: ZipFile): number {
  return readEntryCursor as unknown as number;
}

function listedBytes({ fileNameLength, extraFieldLength, fileCommentLength }: Entry): number {
  return 46 + fileNameLength + extraFieldLength + fileCommentLength;
}

function checkSame(name: string, entry: Entry, local: LocalFileHeader): void {
  const lies = (what: string) => refused(`has another ${what} than the directory says.`, name);
  if (!local.fileName.equals(entry.fileNameRaw)) throw lies('name');
  if (local.compressionMethod !== entry.compressionMethod) throw lies('compression');
  if ((local.generalPurposeBitFlag & ENCRYPTED) !== (entry.generalPurposeBitFlag & ENCRYPTED))
    throw lies('encryption');
  if ((local.generalPurposeBitFlag & DESCRIPTOR) !== 0) return;
  const sizes = [local.compressedSize, local.uncompressedSize];
  const large = sizes.includes(0xffffffff);
  if (!large && (sizes[0] !== entry.compressedSize || sizes[1] !== entry.uncompressedSize))
    throw lies('size');
  if (local.crc32 !== entry.crc32) throw lies('checksum');
}

async function unpack(
  zip: ZipFile,
  { name, entry, kind, executable }: ZipEntry,
  writer: PackageWriter,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { compressionMethod, generalPurposeBitFlag } = entry;
  if ((generalPurposeBitFlag & (ENCRYPTED | STRONG)) !== 0 || compressionMethod === 99)
    throw refused('is encrypted.', name);
  if (kind === 'folder') {
    if (entry.uncompressedSize > 0) throw refused('is a folder with content.', name);
    return writer.folder(name);
  }
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    throw refused('is packed in a way that is not understood.', name);
  if (entry.uncompressedSize > IMPORT_LIMITS.fileBytes)
    throw refused(`is larger than ${IMPORT_LIMITS.fileBytes} bytes.`, name);
  const content = await zip.openReadStreamPromise(entry);
  // it unpacks ahead of who reads: a fault before the first read is told at that read, and ends nobody meanwhile
  content.on('error', () => undefined);
  try {
    await writer.file(name, executable, checked(content, name, entry));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error;
    throw refused('cannot be unpacked.', name, error);
  } finally {
    content.destroy();
  }
}

async function* checked(
  content: AsyncIterable<Buffer>,
  name: string,
  { crc32: expected, uncompressedSize }: Entry,
): AsyncGenerator<Buffer> {
  let sum = 0;
  let size = 0;
  for await (const chunk of content) {
    sum = crc32(chunk, sum);
    size += chunk.length;
    if (size > uncompressedSize) throw refused('is larger than the directory says.', name);
    yield chunk;
  }
  if (size !== uncompressedSize) throw refused('is smaller than the directory says.', name);
  if (sum !== expected) throw refused('has another checksum than the directory says.', name);
}
