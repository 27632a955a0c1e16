import { refused } from './refuse.ts';

/** Reads a stream by numbers of bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #most: number;
  #chunk: Buffer = Buffer.alloc(0);
  #read = 0;

  /** @param most bytes of the whole stream */
  constructor(stream: AsyncIterable<Uint8Array>, most: number) {
    this.#chunks = stream[Symbol.asyncIterator]();
    this.#most = most;
  }

  /** The next bytes, at most `most` and at least one. Throws `archive_refused` at the end. */
  async #next(most: number): Promise<Buffer> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) throw refused('It ends too early.');
      this.#read += value.byteLength;
      if (this.#read > this.#most) throw refused('It unpacks to far more than its size.');
      this.#chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const taken = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(taken.length);
    return taken;
  }

  async exactly(size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = size; left > 0; left -= pieces.at(-1)!.length) pieces.push(await this.#next(left));
    return Buffer.concat(pieces, size);
  }

  async skip(size: number): Promise<void> {
    for (let left = size; left > 0; ) left -= (await this.#next(left)).length;
  }

  async *stream(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const piece = await this.#next(left);
      left -= piece.length;
      yield piece;
    }
  }
}
