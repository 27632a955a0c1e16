import { refused } from '../refuse.ts';

/** gitprotocol-common, "pkt-line": four hex digits with the length, themselves included; `0000` is a flush. */
export function packet(text: string): Buffer {
  const content = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content]);
}

export const FLUSH = Buffer.from('0000');

/** Packets as they arrive; undefined for a flush. Throws `archive_refused` where it is none, or ends within one. */
export async function* readPackets(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer | undefined> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    let at = 0;
    while (pending.length - at >= 4) {
      const length = lengthAt(pending, at);
      if (length === 0) {
        yield undefined;
        at += 4;
      } else if (pending.length - at >= length) {
        yield pending.subarray(at + 4, at + length);
        at += length;
      } else break;
    }
    pending = pending.subarray(at);
  }
  if (pending.length > 0) throw refused('The answer of the git server ends too early.');
}

function lengthAt(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at, at + 4);
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
  if (length === 0 || length >= 4) return length;
  throw refused('The git server does not keep to its protocol.');
}
