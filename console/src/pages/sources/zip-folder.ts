import { ApiError } from '../../api/api-error.ts';

/** Of one skill; the gateway takes no larger one either. */
const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

interface FolderFile {
  /** Below the folder, which stands first: `my-skill/SKILL.md`. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A dropped folder as an archive of its files, uncompressed (APPNOTE.TXT 4.3). */
export async function zipOf(folder: FileSystemDirectoryEntry): Promise<File> {
  const files: FolderFile[] = [];
  await collect(folder, folder.name, files);
  return new File([zip(files)], `${folder.name}.zip`, { type: 'application/zip' });
}

async function collect(folder: FileSystemDirectoryEntry, path: string, files: FolderFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const entry of entries) {
      const place = `${path}/${entry.name}`;
      if (entry.isDirectory) await collect(entry as FileSystemDirectoryEntry, place, files);
      else files.push({ path: place, bytes: await bytesOf(entry as FileSystemFileEntry) });
      const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (files.length > MAX_FILES || size > MAX_BYTES)
        throw new ApiError(0, { code: 'body_too_large', message: `The folder ${folder.name} is too large.` });
    }
  }
}

async function bytesOf(entry: FileSystemFileEntry): Promise<Uint8Array<ArrayBuffer>> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  return new Uint8Array(await file.arrayBuffer());
}

/** Names are UTF-8 (flag 11); sizes below 4 GiB. */
export function zip(files: readonly FolderFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = new TextEncoder().encode(path);
    const sum = crc32(bytes);
    // version needed, flags, method (stored), time, date (1980-01-01), checksum, both sizes
    const common: Field[] = [u16(20), u16(0x0800), u16(0), u16(0), u16(0x21), u32(sum)];
    common.push(u32(bytes.length), u32(bytes.length), u16(name.length), u16(0));
    const local = record(0x04034b50, common);
    // comment length, disk, attributes, where the file begins
    const place = [u16(0), u16(0), u16(0), u32(0), u32(offset)];
    directory.push(record(0x02014b50, [u16(20), ...common, ...place]), name);
    parts.push(local, name, bytes);
    offset += local.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = u16(files.length);
  const end = record(0x06054b50, [u16(0), u16(0), count, count, u32(size), u32(offset), u16(0)]);
  return new Blob([...parts, ...directory, end]);
}

type Field = readonly [width: 2 | 4, value: number];
const u16 = (value: number): Field => [2, value];
const u32 = (value: number): Field => [4, value];

/** A signature and little-endian fields. */
function record(signature: number, fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 + fields.reduce((sum, [width]) => sum + width, 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
