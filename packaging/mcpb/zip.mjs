// A small writer of zip archives (APPNOTE 6.3.10): deflated, UTF-8 names, no dates, so that equal files give equal bytes.
import { crc32, deflateRawSync } from 'node:zlib';

const UTF8 = 0x0800;
const DEFLATE = 8;
/** 1 January 1980, the first that the format knows. */
const NO_DATE = 0x0021;
/** Made by Unix, so that the mode counts. */
const MADE_BY = 0x0314;

/**
 * @param {ReadonlyArray<{ name: string, bytes: Uint8Array, executable?: boolean }>} files names with `/`
 * @returns {Buffer}
 */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, bytes, executable = false } of files.toSorted((left, right) =>
    left.name < right.name ? -1 : 1,
  )) {
    const encoded = Buffer.from(name, 'utf8');
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8, 2);
    common.writeUInt16LE(DEFLATE, 4);
    common.writeUInt16LE(0, 6);
    common.writeUInt16LE(NO_DATE, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(encoded.length, 22);
    common.writeUInt16LE(0, 24);
    const local = Buffer.concat([word(0x04034b50), common, encoded, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((0o100000 | (executable ? 0o755 : 0o644)) * 0x10000, 6);
    tail.writeUInt32LE(offset, 10);
    const madeBy = Buffer.alloc(2);
    madeBy.writeUInt16LE(MADE_BY);
    directory.push(Buffer.concat([word(0x02014b50), madeBy, common, tail, encoded]));
    parts.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listing, word(0x06054b50), end]);
}

function word(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
