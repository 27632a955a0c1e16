import { Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { contentCodings, ZSTD_WINDOW } from './content-decoding.ts';
import { EgressFailure } from './egress.ts';
import type { StreamedAnswer } from './stream-exchange.ts';

/**
 * The body with its content codings undone as it arrives (RFC 9110 §8.4), counted up to `maxBytes`. The same stream
 * when there is nothing to undo or to count, or a coding is unknown.
 */
export function decodedStream(
  { body, headers, status }: StreamedAnswer,
  host: string,
  maxBytes: number | undefined,
): ReadableStream<Uint8Array> | undefined {
  if (body === undefined) return undefined;
  const codings = codingsOf(headers['content-encoding'], host, status);
  if (codings.length === 0 && maxBytes === undefined) return body;
  return streamOf(
    body,
    () => decoded(body, codings),
    (source) => chunksOf(source, maxBytes ?? Number.POSITIVE_INFINITY, host, status),
  );
}

/** Begins to read, and reads on, only when it is read; a cancelled stream ends its source at once. */
function streamOf(
  body: ReadableStream<Uint8Array>,
  open: () => Readable,
  chunksOfSource: (source: Readable) => AsyncGenerator<Uint8Array>,
): ReadableStream<Uint8Array> {
  let source: Readable | undefined;
  let chunks: AsyncGenerator<Uint8Array> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        source ??= open();
        chunks ??= chunksOfSource(source);
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // a generator that waits for its source, or has not begun, would not end it
      async cancel(reason) {
        if (source === undefined) await body.cancel(reason);
        else source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* chunksOf(
  source: Readable,
  maxBytes: number,
  host: string,
  status: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) {
        const message = `${host} answered ${status} with more than ${maxBytes} bytes`;
        throw new EgressFailure('too_large', 'all', message, { status });
      }
      yield new Uint8Array(chunk);
    }
  } catch (error) {
    if (error instanceof EgressFailure) throw error;
    throw undecodable(host, status, error);
  }
}

/** A fault before a decoder ends the decoders behind it. */
function decoded(body: ReadableStream<Uint8Array>, codings: readonly string[]): Readable {
  let stream: Readable = Readable.fromWeb(body as import('node:stream/web').ReadableStream<Uint8Array>);
  for (const coding of codings) {
    const source = stream;
    const decoder = DECODERS[coding]!();
    source.on('error', (error) => decoder.destroy(error));
    decoder.on('close', () => source.destroy());
    stream = source.pipe(decoder);
  }
  return stream;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => toItsEnd(zlib.createInflate()),
  br: () => toItsEnd(zlib.createBrotliDecompress()),
  zstd: () => toItsEnd(zlib.createZstdDecompress({ params: ZSTD_WINDOW })),
};

/** What stands behind the end of a stream, such as a second frame of zstd, would be lost without a word. */
function toItsEnd(decoder: Transform): Transform {
  const push = decoder.push.bind(decoder);
  decoder.push = (piece, encoding) => {
    const isCut = piece === null && decoder.writableLength > 0;
    if (isCut) decoder.destroy(new Error('there is more behind the end of the stream'));
    return isCut ? false : push(piece, encoding);
  };
  return decoder;
}

function codingsOf(header: string | undefined, host: string, status: number): readonly string[] {
  try {
    return contentCodings(header) ?? [];
  } catch (error) {
    throw undecodable(host, status, error);
  }
}

function undecodable(host: string, status: number, cause: unknown): EgressFailure {
  const message = `${host} answered ${status} with a body that cannot be decoded`;
  return new EgressFailure('malformed', 'all', message, { status, cause });
}
