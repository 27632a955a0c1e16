import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** More codings than this are an attack, not a service. */
const MAX_CODINGS = 5;
/** Up to here decoding on the event loop is faster than a trip to the thread pool. */
const SYNC_BYTES = 8 * 1024;
/** RFC 9659: a window above 8 MB (2^23) is not for content coding. */
export const ZSTD_WINDOW = Object.freeze({ [zlib.constants.ZSTD_d_windowLogMax]: 23 });

const KNOWN: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

export class DecodingError extends Error {
  readonly reason: 'too_large' | 'truncated' | 'malformed';

  constructor(reason: DecodingError['reason'], cause?: unknown) {
    super(`content decoding: ${reason}`, { cause });
    this.reason = reason;
  }
}

/**
 * The codings to undo, in the order of undoing (RFC 9110 §8.4). Undefined when one is unknown: the body then
 * stays as it is, with its Content-Encoding header.
 */
export function contentCodings(header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return [];
  const codings = header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  if (codings.length > MAX_CODINGS) throw new DecodingError('malformed');
  return codings.every((coding) => KNOWN.has(coding)) ? codings : undefined;
}

/** Undoes every coding; no step may yield more than `maxBytes`, whatever the input claims. Throws DecodingError. */
export async function decodeContent(
  body: Uint8Array,
  codings: readonly string[],
  maxBytes: number,
): Promise<Uint8Array> {
  let decoded = body;
  for (const [step, coding] of codings.entries()) {
    if (decoded.byteLength === 0) return decoded;
    const last = step === codings.length - 1;
    decoded = await decodeOne(decoded, coding, last ? maxBytes : encodedLimit(maxBytes));
  }
  return decoded;
}

/** Incompressible content grows a little by being encoded. */
export function encodedLimit(maxBytes: number): number {
  return maxBytes + Math.ceil(maxBytes / 8) + 65_536;
}

async function decodeOne(body: Uint8Array, coding: string, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  let rest = body;
  do {
    const { buffer, engine } = await decodeStream(rest, coding, maxBytes - size);
    size += buffer.byteLength;
    if (size > maxBytes) throw new DecodingError('too_large');
    parts.push(buffer);
    rest = rest.subarray(engine.bytesWritten);
  } while (rest.byteLength > 0 && coding === 'zstd' && parts.length < MAX_FRAMES);
  // what stands behind the end would be lost without a word; of gzip it is padding
  if (rest.byteLength > 0 && DECODERS[coding] !== gunzip) throw new DecodingError('malformed');
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts, size);
}

/** Frames of zstd that follow each other (RFC 8878 §3); Node undoes one at a time, and all members of gzip. */
const MAX_FRAMES = 10_000;

async function decodeStream(body: Uint8Array, coding: string, maxBytes: number): Promise<Decoded> {
  // zlib wants a positive limit; one byte more than allowed is refused.
  const options = { maxOutputLength: maxBytes + 1, info: true };
  try {
    return await DECODERS[coding]!(body, options, body.byteLength <= SYNC_BYTES);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new DecodingError('too_large', error);
    throw new DecodingError(/unexpected end/i.test(message ?? '') ? 'truncated' : 'malformed', error);
  }
}

/** What `info` adds: how much of the input it took. */
interface Decoded {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

type Options = { readonly maxOutputLength: number; readonly info: boolean };
type Decoder = (body: Uint8Array, options: Options, sync: boolean) => Promise<Decoded>;
type Undo = (body: Uint8Array, options: Options) => unknown;

function decoder(now: Undo, later: (...args: never[]) => void, more: object = {}): Decoder {
  const undo = promisify<Uint8Array, Options, unknown>(later as never);
  return async (body, options, sync) => {
    const all = { ...options, ...more };
    return (sync ? now(body, all) : await undo(body, all)) as Decoded;
  };
}

const gunzip = decoder(zlib.gunzipSync, zlib.gunzip);
const wrappedInflate = decoder(zlib.inflateSync, zlib.inflate);
const rawInflate = decoder(zlib.inflateRawSync, zlib.inflateRaw);

/** "deflate" is zlib-wrapped (RFC 9110 §8.4.1.2), but some services send the bare stream. */
const inflate: Decoder = (body, options, sync) => {
  const isWrapped = ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0;
  return (isWrapped ? wrappedInflate : rawInflate)(body, options, sync);
};

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: decoder(zlib.brotliDecompressSync, zlib.brotliDecompress),
  zstd: decoder(zlib.zstdDecompressSync, zlib.zstdDecompress, { params: ZSTD_WINDOW }),
};
