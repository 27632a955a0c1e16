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
  // zlib wants a positive limit; one byte more than allowed is refused below.
  const options = { maxOutputLength: maxBytes + 1 };
  try {
    const decoded = await DECODERS[coding]!(body, options, body.byteLength <= SYNC_BYTES);
    if (decoded.byteLength > maxBytes) throw new DecodingError('too_large');
    return decoded;
  } catch (error) {
    if (error instanceof DecodingError) throw error;
    const { code, message } = error as { code?: string; message?: string };
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new DecodingError('too_large', error);
    throw new DecodingError(/unexpected end/i.test(message ?? '') ? 'truncated' : 'malformed', error);
  }
}

type Decoder = (
  body: Uint8Array,
  options: { maxOutputLength: number },
  sync: boolean,
) => Uint8Array | Promise<Uint8Array>;

const gunzip: Decoder = (body, options, sync) =>
  sync ? zlib.gunzipSync(body, options) : promisify<Uint8Array, object, Buffer>(zlib.gunzip)(body, options);

/** "deflate" is zlib-wrapped (RFC 9110 §8.4.1.2), but some services send the bare stream. */
const inflate: Decoder = (body, options, sync) => {
  const wrapped = ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0;
  if (sync) return wrapped ? zlib.inflateSync(body, options) : zlib.inflateRawSync(body, options);
  return promisify<Uint8Array, object, Buffer>(wrapped ? zlib.inflate : zlib.inflateRaw)(body, options);
};

const brotli: Decoder = (body, options, sync) =>
  sync
    ? zlib.brotliDecompressSync(body, options)
    : promisify<Uint8Array, object, Buffer>(zlib.brotliDecompress)(body, options);

const zstd: Decoder = (body, limits, sync) => {
  const options = { ...limits, params: ZSTD_WINDOW };
  return sync
    ? zlib.zstdDecompressSync(body, options)
    : promisify<Uint8Array, object, Buffer>(zlib.zstdDecompress)(body, options);
};

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotli,
  zstd,
};
