import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** An entry of a hand-made .zip; what is not given is as it should be. */
export interface ZipPart {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** Unix mode with type bits; absent: as from a system without modes. */
  readonly mode?: number;
  readonly deflate?: boolean;
  readonly flags?: number;
  readonly method?: number;
  /** What the directory says in place of the truth. */
  readonly says?: Partial<Record<'crc' | 'size' | 'packed' | 'offset', number>>;
  /** What stands at the entry itself in place of the truth. */
  readonly localName?: string;
  readonly localCrc?: number;
  readonly extra?: Buffer;
}

/** Bytes of a .zip, one field after the other, so that it can be wrong in any of them. */
export function zip(parts: readonly ZipPart[], lies: { count?: number } = {}): Buffer {
  const locals: Buffer[] = [];
  const listed: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { says = {}, flags = 0, mode, extra = Buffer.alloc(0) } = part;
    const name = Buffer.from(part.name);
    const localName = part.localName === undefined ? name : Buffer.from(part.localName);
    const content = Buffer.from(part.content ?? '');
    const packed = part.deflate ? deflateRawSync(content) : content;
    const method = part.method ?? (part.deflate ? 8 : 0);
    const crc = crc32(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(part.localCrc ?? crc, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(localName.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(mode === undefined ? 20 : (3 << 8) | 20, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(says.crc ?? crc, 16);
    central.writeUInt32LE(says.packed ?? packed.length, 20);
    central.writeUInt32LE(says.size ?? content.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(((mode ?? 0) << 16) >>> 0, 38);
    central.writeUInt32LE(says.offset ?? offset, 42);
    locals.push(local, localName, packed);
    listed.push(central, name, extra);
    offset += local.length + localName.length + packed.length;
  }
  const directory = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(lies.count ?? parts.length, 8);
  end.writeUInt16LE(lies.count ?? parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** An entry of a hand-made .tar. */
export interface TarPart {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly mode?: number;
  /** `0` file, `5` folder, `1` hard link, `2` symbolic link, `x` pax header, … Default: `0`. */
  readonly type?: string;
  readonly link?: string;
  /** In place of the true size. */
  readonly size?: number;
}

export function tar(parts: readonly TarPart[], { ended = true } = {}): Buffer {
  const blocks = parts.flatMap(({ name, content = '', mode = 0o644, type = '0', link = '', size }) => {
    const body = Buffer.from(content);
    const head = Buffer.alloc(512);
    Buffer.from(name).copy(head, 0, 0, 100);
    head.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
    head.write(`0000000\0`, 108);
    head.write(`0000000\0`, 116);
    head.write(`${(size ?? body.length).toString(8).padStart(11, '0')}\0`, 124);
    head.write(`00000000000\0`, 136);
    head.write('        ', 148);
    head.write(type, 156);
    head.write(link, 157);
    head.write('ustar\u000000', 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [head, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(ended ? 1024 : 0)]);
}

/** A pax record: its length counts its own digits. */
export function pax(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (String(length).length + Buffer.byteLength(rest) > length) length += 1;
  return `${length}${rest}`;
}

export const gzip = (bytes: Buffer): Buffer => gzipSync(bytes);

export const SKILL_MD = `---
name: line-counter
description: Counts the lines of a text. For when somebody asks how long a text is.
---
Run \`scripts/count.sh\`.
`;

/** A skill as archive entries; `type` and `mode` serve both kinds of archive. */
export const SKILL_PARTS = [
  { name: 'line-counter/SKILL.md', content: SKILL_MD, mode: 0o100644 },
  { name: 'line-counter/scripts/count.sh', content: '#!/bin/sh\nwc -l\n', mode: 0o100755 },
];

/** The same for tar, which says the kind of an entry elsewhere: modes are permissions alone. */
export const TAR_PARTS = SKILL_PARTS.map((part) => ({ ...part, mode: part.mode & 0o777 }));

export const withEntry = (part: ZipPart) => zip([...SKILL_PARTS, part]);
export const withTarEntry = (...parts: TarPart[]) => tar([...TAR_PARTS, ...parts]);
