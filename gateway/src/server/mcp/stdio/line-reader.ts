import { ToolcribError } from '../../../errors.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Cuts a byte stream into lines of UTF-8, without their ends; the last one is kept until its end has come. */
export class LineReader {
  readonly #maxBytes: number;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws `body_too_large`, and forgets the line, when what is kept grows beyond the limit. */
  append(chunk: Buffer): string[] {
    if (this.#restBytes + chunk.length > this.#maxBytes) {
      this.clear();
      throw new ToolcribError(
        'body_too_large',
        `A message on standard input is longer than ${this.#maxBytes} bytes.`,
      );
    }
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(this.#complete(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#rest.push(chunk.subarray(start));
      this.#restBytes += chunk.length - start;
    }
    return lines;
  }

  /** What has come since the last end of a line; undefined where that is nothing. */
  takeRest(): string | undefined {
    return this.#restBytes === 0 ? undefined : this.#complete(Buffer.alloc(0));
  }

  clear(): void {
    this.#rest = [];
    this.#restBytes = 0;
  }

  #complete(tail: Buffer): string {
    const line = this.#rest.length === 0 ? tail : Buffer.concat([...this.#rest, tail]);
    if (this.#rest.length > 0) this.clear();
    return line.toString('utf8', 0, line.at(-1) === RETURN ? line.length - 1 : line.length);
  }
}
