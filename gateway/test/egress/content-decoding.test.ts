import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contentCodings, DecodingError, decodeContent } from '../../src/egress/content-decoding.ts';
import { NODE_UNDOES_FRAMES } from './zstd-frames.ts';

const TEXT = Buffer.from('gauge and caliper '.repeat(2000));
const ENCODERS = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
} as const;

describe('contentCodings', () => {
  it.each([
    [undefined, []],
    ['identity', []],
    ['GZIP', ['gzip']],
    ['gzip , br', ['br', 'gzip']],
    ['utf-8', undefined],
    ['gzip, unknown', undefined],
  ])('%s is undone as %j', (header, codings) => expect(contentCodings(header)).toEqual(codings));

  it('refuses a pile of codings', () => {
    expect(contentCodings(Array(5).fill('gzip').join(','))).toHaveLength(5);
    expect(() => contentCodings(Array(6).fill('gzip').join(','))).toThrow('malformed');
  });
});

describe.each(Object.entries(ENCODERS))('%s', (coding, encode) => {
  it.each([10, TEXT.length])('undoes %d bytes', async (length) => {
    const content = TEXT.subarray(0, length);
    expect(Buffer.from(await decodeContent(encode(content), [coding], TEXT.length))).toEqual(content);
  });

  it('accepts exactly the limit and nothing above it', async () => {
    const encoded = encode(TEXT);
    await expect(decodeContent(encoded, [coding], TEXT.length)).resolves.toHaveLength(TEXT.length);
    await expect(decodeContent(encoded, [coding], TEXT.length - 1)).rejects.toMatchObject({
      reason: 'too_large',
    });
  });

  it('refuses what ends early', async () => {
    const encoded = encode(TEXT);
    const cut = decodeContent(encoded.subarray(0, encoded.length - 6), [coding], TEXT.length);
    await expect(cut).rejects.toMatchObject({ reason: expect.stringMatching(/truncated|malformed/) });
  });

  it('refuses noise', async () => {
    await expect(decodeContent(Buffer.from('noise, no coding'), [coding], 1000)).rejects.toThrow(
      'content decoding',
    );
  });
});

describe.each(['gzip', 'zstd'] as const)('%s in several pieces', (coding) => {
  const encode = ENCODERS[coding];

  it.each([2, 100])('undoes all %d of them', async (pieces) => {
    const encoded = Buffer.concat(Array(pieces).fill(encode(TEXT)));
    const decoded = await decodeContent(encoded, [coding], pieces * TEXT.length);
    expect(Buffer.concat(Array(pieces).fill(TEXT)).equals(decoded)).toBe(true);
    await expect(decodeContent(encoded, [coding], pieces * TEXT.length - 1)).rejects.toMatchObject({
      reason: 'too_large',
    });
  });

  it('refuses what ends within the second', async () => {
    const encoded = Buffer.concat([encode(TEXT), encode(TEXT).subarray(0, -6)]);
    await expect(decodeContent(encoded, [coding], 2 * TEXT.length)).rejects.toBeInstanceOf(DecodingError);
  });
});

it.each(Object.keys(ENCODERS))('%s with something behind its end is refused', async (coding) => {
  const encoded = Buffer.concat([ENCODERS[coding as keyof typeof ENCODERS](TEXT), Buffer.from('more')]);
  await expect(decodeContent(encoded, [coding], 2 * TEXT.length)).rejects.toMatchObject({
    reason: 'malformed',
  });
});

it('takes zeros behind gzip for padding', async () => {
  const padded = Buffer.concat([zlib.gzipSync(TEXT), Buffer.alloc(512)]);
  expect(Buffer.from(await decodeContent(padded, ['gzip'], TEXT.length))).toEqual(TEXT);
});

it.skipIf(NODE_UNDOES_FRAMES)('undoes no endless row of frames, each a call of its own', async () => {
  const frames = Buffer.concat(Array(10_001).fill(zlib.zstdCompressSync('')));
  await expect(decodeContent(frames, ['zstd'], 1000)).rejects.toMatchObject({ reason: 'malformed' });
});

it('undoes a deflate stream without its wrapper', async () => {
  expect(Buffer.from(await decodeContent(zlib.deflateRawSync(TEXT), ['deflate'], TEXT.length))).toEqual(TEXT);
});

it('stops a bomb inside a bomb', async () => {
  const twice = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(50_000_000)));
  await expect(decodeContent(twice, ['gzip', 'gzip'], 100_000)).rejects.toMatchObject({
    reason: 'too_large',
  });
});

it('refuses zstd that wants more memory than RFC 9659 lets it, however little there is to decode', async () => {
  const wide = { params: { [zlib.constants.ZSTD_c_windowLog]: 24 } };
  const encoded = zlib.zstdCompressSync(Buffer.alloc(9 * 1024 * 1024), wide);
  await expect(decodeContent(encoded, ['zstd'], 10 * 1024 * 1024)).rejects.toMatchObject({
    reason: 'malformed',
  });
});

it('leaves an empty body empty', async () => {
  expect(await decodeContent(new Uint8Array(0), ['gzip'], 10)).toHaveLength(0);
});
