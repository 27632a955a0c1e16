import zlib from 'node:zlib';

/** Node 26 undoes all frames of zstd that follow each other, Node 24 the first of them. */
export const NODE_UNDOES_FRAMES =
  zlib.zstdDecompressSync(Buffer.concat([zlib.zstdCompressSync('a'), zlib.zstdCompressSync('b')])).length ===
  2;
