import { isUtf8 } from 'node:buffer';

/** The beginning of a stream, in memory that its limit bounds, however it is cut into chunks. */
export interface CollectedOutput {
  push(chunk: Buffer): void;
  /** More arrived than was kept. */
  readonly isCut: boolean;
  /** Bytes that arrived. */
  readonly seen: number;
  /** UTF-8; a character that the limit cut through is left out, what is no UTF-8 replaced. */
  text(): string;
  /** All of it is there, and it is UTF-8. */
  isWhole(): boolean;
}

const FIRST_BLOCK = 16 * 1024;

/** @param maxBytes that are kept */
export function collectOutput(maxBytes: number): CollectedOutput {
  let kept: Buffer = Buffer.alloc(0);
  let length = 0;
  let seen = 0;
  const hold = (bytes: Buffer) => {
    if (length === 0 && bytes.length >= FIRST_BLOCK) {
      kept = bytes;
    } else {
      if (length + bytes.length > kept.length) {
        const grown = Buffer.allocUnsafeSlow(
          Math.min(maxBytes, Math.max(FIRST_BLOCK, 2 * kept.length, length + bytes.length)),
        );
        kept.copy(grown, 0, 0, length);
        kept = grown;
      }
      bytes.copy(kept, length);
    }
    length += bytes.length;
  };
  return {
    push(chunk) {
      seen += chunk.length;
      const room = maxBytes - length;
      if (room > 0) hold(chunk.length > room ? chunk.subarray(0, room) : chunk);
    },
    get isCut() {
      return seen > length;
    },
    get seen() {
      return seen;
    },
    text() {
      return new TextDecoder().decode(kept.subarray(0, length), { stream: seen > length });
    },
    isWhole() {
      return seen === length && isUtf8(kept.subarray(0, length));
    },
  };
}
