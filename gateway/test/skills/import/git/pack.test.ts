import { createHash, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type GitObjects, openPack } from '../../../../src/skills/import/git/pack.ts';
import { readPackets } from '../../../../src/skills/import/git/pkt-lines.ts';
import { GIT_LIMITS } from '../../../../src/skills/import/import-limits.ts';

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, offset: 6, ref: 7 } as const;

/** An object of a hand-made pack; `size` in place of the true one. */
interface Part {
  readonly type: keyof typeof TYPES;
  readonly content: Buffer;
  readonly size?: number;
  /** Objects back, for `offset`; an id, for `ref`. */
  readonly base?: number | string;
}

function pack(parts: readonly Part[], { count = parts.length, tail = Buffer.alloc(0) } = {}): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const pieces = [head];
  const starts: number[] = [];
  let at = 12;
  for (const [index, { type, content, size = content.length, base }] of parts.entries()) {
    starts.push(at);
    const back = typeof base === 'number' ? at - (starts[index - base] ?? -base) : 0;
    const piece = Buffer.concat([
      header(TYPES[type], size),
      typeof base === 'number' ? offset(back) : Buffer.from(base ?? '', 'hex'),
      deflateSync(content),
    ]);
    pieces.push(piece);
    at += piece.length;
  }
  const whole = Buffer.concat([...pieces, tail]);
  return Buffer.concat([whole, createHash('sha1').update(whole).digest()]);
}

function header(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}

function offset(back: number): Buffer {
  const bytes = [back % 128];
  for (let rest = Math.floor(back / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift(0x80 | (rest % 128));
  }
  return Buffer.from(bytes);
}

function number(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
    if (rest < 128) return Buffer.from(bytes);
  }
}

const insert = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
/** Copies 65,536 bytes from the beginning of the base. */
const COPY = Buffer.from([0x80]);
const delta = (from: number, to: number, ...commands: Buffer[]) =>
  Buffer.concat([number(from), number(to), ...commands]);

const idOf = (type: string, content: Buffer) =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
const blob = (content: Buffer): Part => ({ type: 'blob', content });
const open = (bytes: Buffer): Promise<GitObjects> => openPack(bytes, new AbortController().signal);
const refuses = (bytes: Buffer, why: string) =>
  expect(open(bytes)).rejects.toMatchObject({
    code: 'archive_refused',
    message: expect.stringContaining(why),
  });

describe('packs', () => {
  const base = Buffer.from('a'.repeat(70_000));

  test('deltas by place, by id, and on deltas', async () => {
    const second = Buffer.concat([base.subarray(0, 65_536), Buffer.from('!')]);
    const third = Buffer.from('new');
    const objects = await open(
      pack([
        { type: 'ref', base: idOf('blob', second), content: delta(second.length, 3, insert('new')) },
        blob(base),
        { type: 'offset', base: 1, content: delta(base.length, second.length, COPY, insert('!')) },
      ]),
    );
    for (const content of [base, second, third])
      expect(objects.read(idOf('blob', content))).toEqual({ type: 'blob', content });
  });

  test.each<[string, Buffer, string]>([
    [
      'an object that unpacks to more than it says',
      pack([{ ...blob(base), size: 10 }]),
      'cannot be unpacked',
    ],
    ['an object that unpacks to less', pack([{ ...blob(base), size: 80_000 }]), 'another size'],
    [
      'an object that says to be huge',
      pack([{ ...blob(base), size: GIT_LIMITS.objectBytes + 1 }]),
      'too large',
    ],
    ['more objects than it has', pack([blob(base)], { count: 2 }), 'malformed'],
    ['fewer objects than it has', pack([blob(base), blob(base)], { count: 1 }), 'belong to no object'],
    ['too many objects', pack([blob(base)], { count: GIT_LIMITS.objects + 1 }), 'more than'],
    ['bytes behind the objects', pack([blob(base)], { tail: Buffer.from('xyz') }), 'belong to no object'],
    [
      'a base before the first object',
      pack([{ type: 'offset', base: 5, content: delta(0, 1, insert('x')) }]),
      'malformed',
    ],
    [
      'a delta of another base',
      pack([blob(base), { type: 'offset', base: 1, content: delta(5, 1, insert('x')) }]),
      'malformed',
    ],
    [
      'a delta that copies from behind the base',
      pack([blob(Buffer.from('x')), { type: 'offset', base: 1, content: delta(1, 65_536, COPY) }]),
      'malformed',
    ],
    [
      'a delta that writes too little',
      pack([blob(base), { type: 'offset', base: 1, content: delta(base.length, 9, insert('x')) }]),
      'malformed',
    ],
    [
      'a delta that ends within a command',
      pack([blob(base), { type: 'offset', base: 1, content: delta(base.length, 9, Buffer.from([9, 1])) }]),
      'malformed',
    ],
    [
      'a delta that says to become huge',
      pack([blob(base), { type: 'offset', base: 1, content: delta(base.length, 2 ** 45) }]),
      'too large',
    ],
    ['nothing', Buffer.alloc(0), 'no pack'],
    ['noise', randomBytes(200), 'no pack'],
  ])('%s', (_what, bytes, why) => refuses(bytes, why));

  test('a damaged pack', async () => {
    const bytes = pack([blob(base)]);
    bytes[20]! ^= 1;
    await refuses(bytes, 'damaged');
  });

  test('deltas that unpack to far more than was sent are refused before memory is taken', async () => {
    // a kilobyte for each of these objects of 60 MB
    const most = 900;
    const bomb = delta(base.length, most * 65_536, ...Array.from({ length: most }, () => COPY));
    const parts = Array.from(
      { length: 12 },
      (_, index): Part => ({
        type: 'offset',
        base: index + 1,
        content: Buffer.concat([bomb]),
      }),
    );
    const before = process.memoryUsage().rss;
    await refuses(pack([blob(base), ...parts]), 'unpacks to more than');
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024);
  });

  test('an object that is not there is said when it is read', async () => {
    const objects = await open(pack([blob(base)]));
    expect(() => objects.read('0'.repeat(40))).toThrow('left out an object');
  });
});

describe('packets', () => {
  const read = async (...pieces: string[]) => {
    const lines: Array<string | undefined> = [];
    for await (const line of readPackets(ReadableStream.from(pieces.map((one) => Buffer.from(one)))))
      lines.push(line?.toString());
    return lines;
  };

  test('cut anywhere on their way', async () => {
    expect(await read('00', '06a', 'b0000', '0', '005x')).toEqual(['ab', undefined, 'x']);
  });

  test.each([['000'], ['0009abc'], ['0003'], ['zzzz'], ['-001']])('%j is refused', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'archive_refused' });
  });
});
