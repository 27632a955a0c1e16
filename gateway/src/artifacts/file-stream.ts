import type { FileHandle } from 'node:fs/promises';
import { ToolcribError } from '../errors.ts';
import type { ByteRange } from './artifact.ts';

const CHUNK = 65_536;

interface OpenFile {
  readonly file: FileHandle;
  /** Where byte 0 stands. */
  readonly offset: number;
}

/** A part of a file, read as fast as it is taken; opened with the first read, closed at the end or when given up. */
export function fileStream(
  openFile: () => Promise<OpenFile>,
  { first, last }: ByteRange,
): ReadableStream<Uint8Array> {
  let opened: OpenFile | undefined;
  let next = first;
  const close = async () => {
    const closing = opened;
    opened = undefined;
    await closing?.file.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (next <= last) {
            opened ??= await openFile();
            const chunk = new Uint8Array(Math.min(CHUNK, last - next + 1));
            const { bytesRead } = await opened.file.read(chunk, 0, chunk.length, opened.offset + next);
            if (bytesRead === 0) throw new ToolcribError('not_found', 'The artifact is shorter than it was.');
            next += bytesRead;
            controller.enqueue(chunk.subarray(0, bytesRead));
          }
          if (next <= last) return;
          await close();
          controller.close();
        } catch (error) {
          await close();
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
