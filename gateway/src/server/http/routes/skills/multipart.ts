import { ToolcribError } from '../../../../errors.ts';

/** One part of a form, RFC 7578. */
export interface FormPart {
  readonly name: string;
  /** As the client calls it; undefined for a plain field. */
  readonly filename: string | undefined;
  /** To be read to its end before the next part comes. */
  readonly content: AsyncIterable<Buffer>;
}

const MAX_HEADER_BYTES = 8192;
const MAX_PARTS = 64;

/**
 * Hands over the parts of a multipart body as they arrive; a piece of the body is all that is held. Throws
 * `request_invalid`, `body_too_large`.
 */
export async function readForm(
  request: Request,
  maxBytes: number,
  take: (part: FormPart) => Promise<void>,
): Promise<void> {
  const boundary = boundaryOf(request);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const reader = new PieceReader(request.body ?? new Blob([]).stream(), maxBytes);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  for await (const _preamble of reader.until(delimiter)) void _preamble;
  for (let parts = 0; ; parts++) {
    const after = await reader.text(Buffer.from('\r\n'), 128);
    if (after.startsWith('--')) return;
    if (after.trim() !== '') throw invalid('it is not well formed');
    if (parts === MAX_PARTS) throw invalid(`it has more than ${MAX_PARTS} parts`);
    const headers = await reader.text(Buffer.from('\r\n\r\n'), MAX_HEADER_BYTES);
    const content = reader.until(delimiter);
    await take({ ...dispositionOf(headers), content });
    for await (const _rest of content) void _rest;
  }
}

function boundaryOf(request: Request): string {
  const type = request.headers.get('content-type') ?? '';
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid('its boundary is missing');
  return boundary;
}

function dispositionOf(headers: string): Pick<FormPart, 'name' | 'filename'> {
  const line = headers.split('\r\n').find((one) => /^content-disposition:/i.test(one)) ?? '';
  const parameter = (name: string) =>
    new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(line)?.[1]?.replace(/\\(.)/g, '$1') ??
    new RegExp(`;\\s*${name}=([^\\s;"]+)`, 'i').exec(line)?.[1];
  const name = parameter('name');
  if (name === undefined) throw invalid('a part of it has no name');
  return { name, filename: parameter('filename') };
}

function invalid(what: string): ToolcribError {
  return new ToolcribError('request_invalid', `The form cannot be read: ${what}.`);
}

function tooLarge(maxBytes: number): ToolcribError {
  return new ToolcribError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
}

/** Reads a stream up to marks in it. */
class PieceReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #maxBytes: number;
  /** What was read and not yet handed over; begins with a line's end, as every delimiter does. */
  #pending: Buffer = Buffer.from('\r\n');
  #read = 0;

  constructor(stream: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#chunks = stream[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done) throw invalid('it ends too early');
    this.#read += value.byteLength;
    if (this.#read > this.#maxBytes) {
      await this.#chunks.return?.();
      throw tooLarge(this.#maxBytes);
    }
    this.#pending = Buffer.concat([this.#pending, value]);
  }

  /** Everything before the mark, which is read as well. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#pending.indexOf(mark);
      const ready = at >= 0 ? at : Math.max(0, this.#pending.length - mark.length + 1);
      const piece = this.#pending.subarray(0, ready);
      this.#pending = this.#pending.subarray(at >= 0 ? at + mark.length : ready);
      if (piece.length > 0) yield piece;
      if (at >= 0) return;
      await this.#more();
    }
  }

  /** A short text before the mark, which is read as well. */
  async text(mark: Buffer, most: number): Promise<string> {
    for (let at = this.#pending.indexOf(mark); ; at = this.#pending.indexOf(mark)) {
      if (at > most || (at < 0 && this.#pending.length > most + mark.length))
        throw invalid('a heading of it is too long');
      // the last delimiter may end the body
      if (at < 0 && this.#pending.subarray(0, 2).equals(Buffer.from('--'))) return '--';
      if (at >= 0) {
        const text = this.#pending.toString('utf8', 0, at);
        this.#pending = this.#pending.subarray(at + mark.length);
        return text;
      }
      await this.#more();
    }
  }
}
