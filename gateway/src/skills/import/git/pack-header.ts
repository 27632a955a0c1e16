import { refused } from '../refuse.ts';

/** Where an object lies in a pack, still packed. */
export interface PackedObject {
  /** Of its header. */
  readonly start: number;
  /** Of its packed content. */
  readonly data: number;
  /** Bytes of its content; of the delta where it is one. */
  readonly size: number;
  readonly type: 'commit' | 'tree' | 'blob' | 'tag' | 'delta';
  /** What a delta is applied to: where that begins, or its id. */
  readonly base?: number | string;
}

const TYPES: Readonly<Record<number, PackedObject['type']>> = {
  1: 'commit',
  2: 'tree',
  3: 'blob',
  4: 'tag',
  6: 'delta',
  7: 'delta',
};
const BY_OFFSET = 6;
const BY_ID = 7;

/** gitformat-pack, "pack-*.pack files have the following format". Throws `archive_refused`. */
export function readHeader(pack: Buffer, start: number, end: number): PackedObject {
  let at = start;
  const next = (): number => {
    if (at >= end) throw malformed();
    return pack[at++]!;
  };
  let byte = next();
  const number = (byte >> 4) & 0x07;
  let size = byte & 0x0f;
  for (let factor = 16; byte >= 0x80; factor *= 128) {
    byte = next();
    size += (byte & 0x7f) * factor;
    if (size > Number.MAX_SAFE_INTEGER) throw malformed();
  }
  const type = TYPES[number];
  if (type === undefined) throw malformed();
  if (number === BY_OFFSET) {
    byte = next();
    let back = byte & 0x7f;
    while (byte >= 0x80) {
      byte = next();
      back = (back + 1) * 128 + (byte & 0x7f);
      if (back > start) throw malformed();
    }
    return { start, data: at, size, type, base: start - back };
  }
  if (number === BY_ID) {
    if (at + 20 > end) throw malformed();
    return { start, data: at + 20, size, type, base: pack.toString('hex', at, at + 20) };
  }
  return { start, data: at, size, type };
}

function malformed() {
  return refused('The pack of the git server is malformed.');
}
